/**
 * The policy of a job as words: `start 03:00 repeat weekly mon waves 1%/1h 10% rate 100 window 02-05 mon-fri wait 7d
 * retries 2 stop 5%/20 until 30d`. A person types them after a command or in its preview.
 */
import * as z from 'zod/mini'
import { JobPolicy, type JobStop, type JobWave, type JobWindow } from '../../api/contract/jobPolicy.ts'
import type { ChosenPolicy } from '../../api/jobs/jobs.ts'
import { addDays, dayAt, parseWallTime, todayIn, wallOf } from '../../domain/calendar/days.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { msPerDay } from '../../domain/time.ts'
import { instantOf, wallTime } from '../../domain/zone.ts'
import { problems } from '../core/fieldIssue.ts'

/** The names of a policy's parts, in the order in which they are shown. */
export const policyParts = ['start', 'repeat', 'waves', 'rate', 'window', 'wait', 'retries', 'stop', 'until'] as const
export type PolicyPart = (typeof policyParts)[number]

const isPart = (word: string): word is PolicyPart => policyParts.some(part => part === word.toLowerCase())

/** Returns the index of the first word that names a part of a policy and is followed by a value; -1 if there is none. */
export const policyStart = (words: readonly string[]): number =>
  words.findIndex((word, index) => isPart(word) && index + 1 < words.length)

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const everyDay = [1, 2, 3, 4, 5, 6, 7]
/** Ended tasks of a wave before the stop rule applies, unless they are given. */
const stopAfter = 20

const minutesOf: Readonly<Record<string, number>> = { m: 1, min: 1, h: 60, d: 24 * 60 }

/** Returns the minutes of `30min`, `2h` or `7d`. */
function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)(m|min|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * minutesOf[unit]!
}

/** Returns minutes as `30min`, `2h` or `7d`. */
function formatDuration(minutes: number): string {
  if (minutes > 0 && minutes % minutesOf['d']! === 0) return `${minutes / minutesOf['d']!}d`
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}min`
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

function parseWave(word: string): JobWave | undefined {
  const [size = '', pause, ...more] = word.split('/')
  const wait = pause === undefined ? undefined : parseDuration(pause)
  const isSize = /^\d+(\.\d+)?%?$/.test(size)
  if (!isSize || more.length > 0 || (pause !== undefined && wait === undefined)) return undefined
  return { size: wholeNumber(size) ?? size, ...(wait !== undefined && { wait }) }
}

/** Returns `2` or `02:30` as `02:30`. */
function parseClock(text: string | undefined): string | undefined {
  const [, hour, minute = '00'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(text ?? '') ?? []
  return hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}`
}

/** Returns the days of `mon`, `mon-fri` or `sat,sun`, from 1 for Monday. */
function parseDays(word: string): number[] | undefined {
  const parts = word
    .toLowerCase()
    .split(',')
    .map(part => {
      const [first, last, ...more] = part.split('-').map(day => days.indexOf(day.slice(0, 3)) + 1)
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

function formatDays(open: readonly number[]): string {
  const sorted = open.toSorted((a, b) => a - b)
  if (sorted.length === everyDay.length) return ''
  const first = sorted[0]!
  const isRange = sorted.length > 2 && sorted.every((day, index) => day === first + index)
  return isRange ? ` ${days[first - 1]}-${days[sorted.at(-1)! - 1]}` : ` ${sorted.map(day => days[day - 1]).join(',')}`
}

/** Firmware has a stop rule unless the policy has another one: this one stops nothing. */
const neverStops: JobStop = { failed: '100%', after: 1 }

function parseStop(word: string | undefined): JobStop | undefined {
  if (word === 'never') return neverStops
  const [failed = '', after, ...more] = (word ?? '').split('/')
  const count = after === undefined ? stopAfter : wholeNumber(after)
  return failed.endsWith('%') && count !== undefined && more.length === 0 ? { failed, after: count } : undefined
}

/** Returns the next time at which clocks show `03:00`, or the moment of `2026-12-01 03:00`, as ISO 8601. */
function parseMoment(text: string, now: number): string | undefined {
  if (text.endsWith('Z') && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  const zone = systemTimeZone()
  const wall = parseWallTime(text, todayIn(zone, now))
  if (wall === undefined) return undefined
  const instant = instantOf(zone, wall)
  const isOver = parseClock(text) !== undefined && instant <= now
  return new Date(isOver ? instantOf(zone, wall + msPerDay) : instant).toISOString()
}

/** Returns the end of the day that is so many days from now, or of a date, or a moment, as ISO 8601. */
function parseEnd(text: string, now: number): string | undefined {
  const zone = systemTimeZone()
  const today = todayIn(zone, now)
  const [, inDays] = /^(\d{1,4})d$/.exec(text) ?? []
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && parseWallTime(`${text} 0:00`, today) !== undefined
  if (inDays === undefined && !isDate) return parseMoment(text, now)
  const lastDay = inDays === undefined ? text : addDays(today, Number(inDays))
  return new Date(instantOf(zone, wallOf(addDays(lastDay, 1)))).toISOString()
}

/** Returns the date that ends at a moment, as `2026-12-31`; a moment within a day as ISO 8601. */
function formatEnd(until: string): string {
  const wall = wallTime(systemTimeZone(), Date.parse(until))
  return wall % msPerDay === 0 ? dayAt(wall - msPerDay) : until
}

const frequencies = ['hourly', 'daily', 'weekly', 'monthly', 'yearly']

/** Returns `daily`, `weekly mon,thu` or a rule of RFC 5545 as a rule. */
function parseRule([first = '', ...words]: readonly string[]): string | undefined {
  if (first.toUpperCase().startsWith('FREQ=')) return words.length === 0 ? first.toUpperCase() : undefined
  const open = words.map(parseDays)
  if (!frequencies.includes(first.toLowerCase()) || open.includes(undefined)) return undefined
  const names = open.flatMap(some => some ?? []).map(day => days[day - 1]!.slice(0, 2).toUpperCase())
  return `FREQ=${first.toUpperCase()}${names.length === 0 ? '' : `;BYDAY=${names.join(',')}`}`
}

function formatRule(rule: string): string {
  const [, frequency, names] = /^FREQ=([A-Z]+)(?:;BYDAY=([A-Z,]+))?$/.exec(rule) ?? []
  if (frequency === undefined) return rule
  const open = names?.split(',').map(name => days.find(day => day.startsWith(name.toLowerCase())))
  return [frequency.toLowerCase(), open?.join(',')].filter(Boolean).join(' ')
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
  start: (words, now) => (words.join(' ') === 'now' ? {} : unlessUndefined('start', parseMoment(words.join(' '), now))),
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

/** The value of each part as it is typed; undefined if the policy does not have it. */
const formats: Readonly<Record<PolicyPart, (policy: ChosenPolicy) => string | undefined>> = {
  start: ({ start }) => (typeof start === 'object' ? start.from : start),
  repeat: ({ start }) => (typeof start === 'object' ? formatRule(start.rrule) : undefined),
  waves: ({ waves }) =>
    waves?.map(({ size, wait }) => (wait === undefined ? `${size}` : `${size}/${formatDuration(wait)}`)).join(' '),
  rate: ({ rate }) => rate?.toString(),
  window: ({ window }) => window && `${window.from}-${window.to}${formatDays(window.days)}`,
  wait: ({ offline }) => (typeof offline === 'number' ? formatDuration(offline * 60) : offline),
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
export const policyText = (policy: ChosenPolicy): string =>
  policyParts
    .map(part => partWords(part, policy))
    .filter(Boolean)
    .join(' ')

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

export type ParsedPolicy = { readonly policy: ChosenPolicy } | { readonly problem: string }

/** Parses a policy; `now`, milliseconds UTC, is when a clock time is next reached from. An empty text is no policy. */
export function parsePolicy(text: string, now: number): ParsedPolicy {
  const words = text.split(/\s+/).filter(word => word !== '')
  let given: Parsed = {}
  for (let index = 0; index < words.length;) {
    const name = words[index]!.toLowerCase()
    if (!isPart(name)) return { problem: `“${words[index]}” is not understood` }
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
