/**
 * The policy of a job as words: `start 03:00 repeat weekly mon waves 1%/1h 10% rate 100 window 02-05 mon-fri wait 7d
 * retries 2 stop 5%/20 until 30d`. A person types them after a command or in its preview.
 */
import * as z from 'zod/mini'
import { JobPolicy, type JobStop, type JobWave, type JobWindow } from '../../api/contract/jobPolicy.ts'
import type { ChosenPolicy } from '../../api/jobs/jobs.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { problems } from '../core/fieldIssue.ts'
import { isDayName, parseClock, parseDuration, parseEnd, parseMoment, weekdays } from './moments.ts'

/** The names of a policy's parts, in the order in which they are shown. */
export const policyParts = ['start', 'repeat', 'waves', 'rate', 'window', 'wait', 'retries', 'stop', 'until'] as const
export type PolicyPart = (typeof policyParts)[number]

const isPart = (word: string): word is PolicyPart => policyParts.some(part => part === word.toLowerCase())

/**
 * Returns the index of the first word of a policy: of a part that is followed by a value, or of a start without that word; -1 if there
 * is none. `needsTime`: a day alone is no start, because it may be part of a text.
 */
export const policyStart = (words: readonly string[], now: number, { needsTime }: { needsTime: boolean }): number =>
  words.findIndex(
    (word, index) =>
      (isPart(word) && index + 1 < words.length) || spokenStart(words.slice(index), { now, needsTime }) !== undefined,
  )

/**
 * Returns the words of a start that is typed without that word, as `at 22:00`, `in 2 hours` or `tomorrow 8:00`, as far as the next part;
 * undefined if the words do not begin with one. `needsTime`: a day alone is none.
 */
function spokenStart(
  [first = '', ...rest]: readonly string[],
  { now, needsTime }: { readonly now: number; readonly needsTime: boolean },
): readonly string[] | undefined {
  // The time of a day follows it: `monday at 8:00`.
  const end = rest.findIndex(
    (word, index) => isPart(word) || (index > 0 && isPreposition(word) && !isDayName(rest[index - 1]!)),
  )
  const following = end < 0 ? rest : rest.slice(0, end)
  if (isPreposition(first)) {
    const isDuration = parseDuration(following.join(' ')) !== undefined
    return (first.toLowerCase() === 'in') === isDuration && parseMoment(following.join(' '), now) !== undefined
      ? following
      : undefined
  }
  const moment = [first, ...following]
  const isDay = isDayName(first) && (following.length > 0 || !needsTime)
  return isDay && parseMoment(moment.join(' '), now) !== undefined ? moment : undefined
}
const isPreposition = (word: string) => ['at', 'on', 'in'].includes(word.toLowerCase())

/** The parts whose value may have a time of day: `until friday at 18:00`. */
const momentParts: readonly string[] = ['start', 'until'] satisfies PolicyPart[]

/** Returns the words with `start` before each start that is typed without it. */
function withStarts(words: readonly string[], now: number): readonly string[] {
  let part = ''
  for (const [index, word] of words.entries()) {
    if (isPart(word)) part = word.toLowerCase()
    // A day is a value of other parts, so only one at the beginning is a start.
    if (index > 0 && (!isPreposition(word) || momentParts.includes(part))) continue
    const start = spokenStart(words.slice(index), { now, needsTime: false })
    if (!start) continue
    const end = index + start.length + (isPreposition(word) ? 1 : 0)
    return [...words.slice(0, index), 'start', ...start, ...withStarts(words.slice(end), now)]
  }
  return words
}

export const everyDay = [1, 2, 3, 4, 5, 6, 7]
/** Ended tasks of a wave before the stop rule applies, unless they are given. */
const stopAfter = 20

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

function parseWave(word: string): JobWave | undefined {
  const [size = '', pause, ...more] = word.split('/')
  const wait = pause === undefined ? undefined : parseDuration(pause)
  const isSize = /^\d+(\.\d+)?%?$/.test(size)
  if (!isSize || more.length > 0 || (pause !== undefined && wait === undefined)) return undefined
  return { size: wholeNumber(size) ?? size, ...(wait !== undefined && { wait }) }
}

/** Returns a day of the week from 1 for Monday; 0 for other words. */
const numberOfDay = (word: string): number => (isDayName(word) ? weekdays.indexOf(word.slice(0, 3)) + 1 : 0)

/** Returns the days of `mon`, `mon-fri` or `sat,sun`, from 1 for Monday. */
function parseDays(word: string): number[] | undefined {
  const parts = word
    .toLowerCase()
    .split(',')
    .map(part => {
      const [first, last, ...more] = part.split('-').map(numberOfDay)
      if (!first || last === 0 || more.length > 0) return undefined
      const count = last === undefined ? 1 : ((last - first + 7) % 7) + 1
      return Array.from({ length: count }, (_, n) => ((first - 1 + n) % 7) + 1)
    })
  return parts.some(part => part === undefined) ? undefined : [...new Set(parts.flatMap(part => part ?? []))]
}

function parseWindow([hours = '', ...words]: readonly string[]): JobWindow | undefined {
  const [from, to, ...more] = hours.split('-').map(parseClock)
  const opens = words.map(parseDays)
  if (from === undefined || to === undefined || more.length > 0 || opens.includes(undefined)) return undefined
  return { days: opens.length === 0 ? everyDay : opens.flatMap(some => some ?? []), from, to }
}

/** Firmware has a stop rule unless the policy has another one: this one stops nothing. */
export const neverStops: JobStop = { failed: '100%', after: 1 }

function parseStop(word: string | undefined): JobStop | undefined {
  if (word === 'never') return neverStops
  const [failed = '', after, ...more] = (word ?? '').split('/')
  const count = after === undefined ? stopAfter : wholeNumber(after)
  return failed.endsWith('%') && count !== undefined && more.length === 0 ? { failed, after: count } : undefined
}

const frequencies = ['hourly', 'daily', 'weekly', 'monthly', 'yearly']

/** Returns `daily`, `weekly mon,thu` or a rule of RFC 5545 as a rule. */
function parseRule([first = '', ...words]: readonly string[]): string | undefined {
  if (first.toUpperCase().startsWith('FREQ=')) return words.length === 0 ? first.toUpperCase() : undefined
  const open = words.map(parseDays)
  if (!frequencies.includes(first.toLowerCase()) || open.includes(undefined)) return undefined
  const names = open.flatMap(some => some ?? []).map(day => weekdays[day - 1]!.slice(0, 2).toUpperCase())
  return `FREQ=${first.toUpperCase()}${names.length === 0 ? '' : `;BYDAY=${names.join(',')}`}`
}

const unlessUndefined = <Name extends keyof Parsed>(name: Name, value: Parsed[Name]): Parsed | undefined =>
  value === undefined ? undefined : { [name]: value }

/** A policy whose start is a time, with the rule of a repetition beside it. */
interface Parsed extends Omit<JobPolicy, 'start'> {
  until?: string
  start?: string
  repeat?: string
}

/** Parses the words after a part's name; undefined if they are no value of it. */
const parsers: Readonly<Record<PolicyPart, (words: readonly string[], now: number) => Parsed | undefined>> = {
  start(words, now) {
    if (words.join(' ') === 'now') return {}
    const moment = isPreposition(words[0] ?? '') ? spokenStart(words, { now, needsTime: false }) : words
    return moment && unlessUndefined('start', parseMoment(moment.join(' '), now))
  },
  repeat: words => unlessUndefined('repeat', parseRule(words)),
  waves(words) {
    const waves = words.map(parseWave)
    return waves.length === 0 || waves.includes(undefined) ? undefined : { waves: waves.flatMap(wave => wave ?? []) }
  },
  rate: ([rate, ...more]) => (more.length > 0 ? undefined : unlessUndefined('rate', wholeNumber(rate))),
  window: words => unlessUndefined('window', parseWindow(words)),
  wait([wait = '', ...more]) {
    if (more.length > 0) return undefined
    if (wait === 'skip') return { offline: 'skip' }
    const minutes = parseDuration(wait)
    return minutes === undefined || minutes % 60 !== 0 ? undefined : { offline: minutes / 60 }
  },
  retries: ([count, ...more]) => (more.length > 0 ? undefined : unlessUndefined('retries', wholeNumber(count))),
  stop: ([rule, ...more]) => (more.length > 0 ? undefined : unlessUndefined('stop', parseStop(rule))),
  until: (words, now) => unlessUndefined('until', parseEnd(words.join(' '), now)),
}

export type ParsedPolicy = { readonly policy: ChosenPolicy } | { readonly problem: string }

/** Parses a policy; `now`, milliseconds UTC, is when a clock time is next reached from. An empty text is no policy. */
export function parsePolicy(text: string, now: number): ParsedPolicy {
  const words = withStarts(
    text.split(/\s+/).filter(word => word !== ''),
    now,
  )
  let given: Parsed = {}
  const names = new Set<PolicyPart>()
  for (let index = 0; index < words.length;) {
    const name = words[index]!.toLowerCase()
    if (!isPart(name)) return { problem: `“${words[index]}” is not understood` }
    if (names.has(name)) return { problem: `“${name}” is given twice` }
    names.add(name)
    const next = words.findIndex((word, at) => at > index && isPart(word))
    const end = next < 0 ? words.length : next
    const values = words.slice(index + 1, end)
    const parsed = parsers[name](values, now)
    if (parsed === undefined) return { problem: `“${[name, ...values].join(' ')}” is not understood` }
    given = { ...given, ...parsed }
    index = end
  }
  const { start, repeat, until, ...others } = given
  const from = start ?? new Date(now).toISOString()
  const begins = repeat === undefined ? start : { rrule: repeat, from, time_zone: systemTimeZone() }
  const policy: JobPolicy = { ...others, ...(begins !== undefined && { start: begins }) }
  const checked = z.safeParse(JobPolicy, policy, { reportInput: true })
  return checked.success
    ? { policy: { ...policy, ...(until !== undefined && { until }) } }
    : { problem: Object.values(problems(checked.error, JobPolicy)).join(', ') }
}

/** How each part is typed. */
const examples: Readonly<Record<PolicyPart, string>> = {
  start: 'start 03:00',
  repeat: 'repeat weekly mon',
  waves: 'waves 1% 10%',
  rate: 'rate 100',
  window: 'window 02-05 mon-fri',
  wait: 'wait 7d',
  retries: 'retries 2',
  stop: 'stop 5%/20',
  until: 'until 30d',
}

/**
 * Returns examples of the parts that the last word begins, such as `rate 100` for `rat`: their value is not typed yet.
 * Undefined if it begins none, or if the words before it are no policy.
 */
export function partExamples(words: readonly string[], now: number): string | undefined {
  const begun = words.at(-1)?.toLowerCase() ?? ''
  const parts = begun === '' ? [] : policyParts.filter(part => part.startsWith(begun))
  if (parts.length === 0 || 'problem' in parsePolicy(words.slice(0, -1).join(' '), now)) return undefined
  return parts.map(part => examples[part]).join(', ')
}
