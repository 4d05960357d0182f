/** The policy of a job in words: as it is typed (`policy.ts`), and as a person reads it. */
import type { ChosenPolicy } from '../../api/jobs/jobs.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { msPerDay } from '../../domain/time.ts'
import { wallTime } from '../../domain/zone.ts'
import { durationWord, formatEnd, weekdays } from './moments.ts'
import { everyDay, neverStops, policyParts, type PolicyPart } from './policy.ts'

function formatDays(open: readonly number[]): string {
  const sorted = open.toSorted((a, b) => a - b)
  if (sorted.length === everyDay.length) return ''
  const first = sorted[0]!
  const isRange = sorted.length > 2 && sorted.every((day, index) => day === first + index)
  return isRange
    ? ` ${weekdays[first - 1]}-${weekdays[sorted.at(-1)! - 1]}`
    : ` ${sorted.map(day => weekdays[day - 1]).join(',')}`
}

function formatRule(rule: string): string {
  const [, frequency, names] = /^FREQ=([A-Z]+)(?:;BYDAY=([A-Z,]+))?$/.exec(rule) ?? []
  if (frequency === undefined) return rule
  const open = names?.split(',').map(name => weekdays.find(day => day.startsWith(name.toLowerCase())))
  return [frequency.toLowerCase(), open?.join(',')].filter(Boolean).join(' ')
}

/** The value of each part as it is typed; undefined if the policy does not have it. */
const formats: Readonly<Record<PolicyPart, (policy: ChosenPolicy) => string | undefined>> = {
  start: ({ start }) => (typeof start === 'object' ? start.from : start),
  repeat: ({ start }) => (typeof start === 'object' ? formatRule(start.rrule) : undefined),
  waves: ({ waves }) =>
    waves?.map(({ size, wait }) => (wait === undefined ? `${size}` : `${size}/${durationWord(wait)}`)).join(' '),
  rate: ({ rate }) => rate?.toString(),
  window: ({ window }) => window && `${window.from}-${window.to}${formatDays(window.days)}`,
  wait: ({ offline }) => (typeof offline === 'number' ? durationWord(offline * 60) : offline),
  retries: ({ retries }) => retries?.toString(),
  stop: ({ stop }) => stop && (stop.failed === neverStops.failed ? 'never' : `${stop.failed}/${stop.after}`),
  until: ({ until }) => until && formatEnd(until),
}

/** Returns a part in the words that `parsePolicy` takes, such as `rate 100`; empty if the policy does not have it. */
export function partWords(part: PolicyPart, policy: ChosenPolicy): string {
  const value = formats[part](policy)
  return value === undefined ? '' : `${part} ${value}`
}

/** Returns the policy in the words that `parsePolicy` takes; empty without any part. */
export const policyText = (policy: ChosenPolicy): string => joinParts(part => partWords(part, policy))

/** Returns the policy as a person reads it, its start as a moment in their own time: `start Tue, Mar 3, 09:00 rate 100`. */
export const policySummary = (policy: ChosenPolicy): string =>
  joinParts(part => {
    const words = partWords(part, policy)
    return part === 'start' && words !== '' ? `start ${partText(part, policy)}` : words
  })

const joinParts = (wordsOf: (part: PolicyPart) => string): string => policyParts.map(wordsOf).filter(Boolean).join(' ')

/**
 * Returns the policy in words for a later run. A start within a day is one by the clock, which comes again, as most people
 * have typed it.
 */
export function laterPolicyText(policy: ChosenPolicy, now: number): string {
  const { start, ...others } = policy
  if (typeof start !== 'string' || Date.parse(start) > now + msPerDay) return policyText(policy)
  const clock = new Date(wallTime(systemTimeZone(), Date.parse(start))).toISOString().slice(11, 16)
  return [`start ${clock}`, policyText(others)].filter(Boolean).join(' ')
}

/** What a person reads of a part: the moment in their own time, and what applies without the part. */
export function partText(part: PolicyPart, policy: ChosenPolicy): string {
  const value = formats[part](policy)
  if (value === undefined) return defaults[part]
  if (part === 'start') return momentText(systemTimeZone(), Date.parse(value))
  if (part === 'until') return `until ${value}`
  if (part === 'wait' && value !== 'skip') return `wait ${value}`
  return part === 'rate' ? `${value} a minute` : value
}
const defaults: Readonly<Record<PolicyPart, string>> = {
  start: 'now',
  repeat: 'never',
  waves: 'all at once',
  rate: 'no limit',
  window: 'any time',
  wait: 'skip',
  retries: 'none',
  stop: 'never',
  until: 'left out',
}
