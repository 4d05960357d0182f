/**
 * When conditions begin and end: what follows from a reading or a state, given what holds. docs/api.md has the
 * thresholds in a table. Each ends some way inside its threshold, so that a value that wavers about it tells nobody twice.
 */
import type { NotificationType } from '../../../src/api/contract/notifications.ts'
import { offline, type StatusCode } from '../../../src/domain/device.ts'
import { lifeStage, expiringFrom, type LifeInput } from '../../../src/domain/filterLife.ts'
import { faults, type Fault, type LastWill, type Reading, type State } from '../../protocol/messages.ts'
import { conditionKey, evaluate, type ActiveConditions, type Evaluation, type Transition } from './conditions.ts'

/** A value that is too high, where `from` is above `until`, or too low. */
interface Level {
  readonly type: NotificationType
  /** Begins here or beyond. */
  readonly from: number
  /** Over here or further inside; between the two it stays as it is. */
  readonly until: number
}

const beginsAt = ({ from, until }: Level, value: number) => (from > until ? value >= from : value <= from)
const overAt = ({ from, until }: Level, value: number) => (from > until ? value <= until : value >= until)

interface ReadingLevel extends Level {
  readonly of: 'temperature' | 'pressure' | 'feed_tds'
  /** While it is known to be defective, what it reads says nothing. */
  readonly sensor: Fault
  /** Says something only while permeate is produced. */
  readonly producing?: true
}

const readingLevels: readonly ReadingLevel[] = [
  { type: 'temperature_high', of: 'temperature', from: 38, until: 36, sensor: 'inlet_temperature_sensor' },
  // Judged at rest too: water that stands is what freezes.
  { type: 'temperature_low', of: 'temperature', from: 4, until: 6, sensor: 'inlet_temperature_sensor' },
  // Judged at rest too: pressure is highest when nothing flows, and it is then that housings crack.
  { type: 'pressure_high', of: 'pressure', from: 8, until: 7.7, sensor: 'pressure_sensor' },
  // At rest the shut-off valve keeps the pressure away, and in a flush the open drain lets it go.
  { type: 'pressure_low', of: 'pressure', from: 2, until: 2.3, sensor: 'pressure_sensor', producing: true },
  { type: 'feed_tds_high', of: 'feed_tds', from: 1500, until: 1350, sensor: 'inlet_tds_sensor' },
]

/** Share of the feed's TDS that the permeate's must come down to before its sensor is believed again. */
const believed = 0.9

/** %; lowest first. */
const batteryLevels: readonly Level[] = [
  { type: 'battery_empty', from: 5, until: 10 },
  { type: 'battery_low', from: 20, until: 25 },
]

/** Failures that a status tells. 5, Error, is none in particular. */
const statusFaults: Readonly<Partial<Record<StatusCode, Fault>>> = {
  4: 'leak',
  10: 'pump_failure',
  11: 'inlet_flow_sensor',
  12: 'outlet_flow_sensor',
  13: 'pressure_sensor',
  14: 'inlet_temperature_sensor',
  15: 'outlet_temperature_sensor',
  16: 'inlet_tds_sensor',
  17: 'outlet_tds_sensor',
  18: 'no_feed_water',
}
/** Ready, Working, Flushing and Protection. Others hide what was wrong before: a device has one status at a time. */
const well: ReadonlySet<StatusCode> = new Set([0, 1, 2, 8])

/** Types that follow from readings and states, and from falling silent. */
export const liveTypes: readonly NotificationType[] = [
  'device_offline',
  ...faults,
  ...readingLevels.map(({ type }) => type),
  ...batteryLevels.map(({ type }) => type),
]

/** Whether permeate flows, by the best that is known of it. */
const produces = ({ permeate_flow, feed_flow, feed }: Reading) => (permeate_flow ?? feed_flow ?? feed) > 0

export const deviceOffline = { type: 'device_offline', subject: '' } as const

/** `at`: milliseconds UTC at which it was read, as far as the device's clock is believed. */
export function judgeReading(held: ActiveConditions, reading: Reading, at: number): readonly Transition[] {
  const judging = evaluate(held)
  const since = held.get(conditionKey(deviceOffline))
  // What was read before the device was lost may arrive after that.
  if (since !== undefined && at > since) judging.end(deviceOffline)
  for (const level of readingLevels) {
    const value = reading[level.of]
    if (value === null || judging.isActive(level.sensor) || (level.producing && !produces(reading))) continue
    const condition = { type: level.type, subject: '' }
    if (beginsAt(level, value)) judging.begin(condition, { [level.of]: value })
    else if (overAt(level, value)) judging.end(condition)
  }
  judgeSalt(judging, reading)
  return judging.transitions
}

/** At rest salt creeps through the membrane from the concentrate, so that even a good sensor reads more than the feed. */
function judgeSalt(judging: Evaluation, reading: Reading): void {
  const { feed_tds, permeate_tds } = reading
  if (feed_tds === null || permeate_tds === null) return
  if (judging.isActive('inlet_tds_sensor') || !produces(reading)) return
  const condition = { type: 'outlet_tds_sensor', subject: 'readings' } as const
  if (permeate_tds > feed_tds) judging.begin(condition, { feed_tds, permeate_tds })
  else if (permeate_tds <= believed * feed_tds) judging.end(condition)
}

/** What a message of a device itself, or its last will, says. */
export function judgeState(held: ActiveConditions, state: State | LastWill): readonly Transition[] {
  const judging = evaluate(held)
  if ('offline' in state || state.status === offline) judging.begin(deviceOffline, {})
  else judging.end(deviceOffline)
  if ('offline' in state) return judging.transitions
  judgeFaults(judging, state)
  if (state.battery_level !== undefined) judgeBattery(judging, state.battery_level)
  return judging.transitions
}

/** What begins before what ends: where one source takes over from the other, nothing has begun anew. */
function judgeFaults(judging: Evaluation, { status, faults: found }: State): void {
  const told = status === undefined ? undefined : statusFaults[status]
  if (told) judging.begin({ type: told, subject: 'status' }, {})
  for (const type of found ?? []) judging.begin({ type, subject: 'faults' }, {})
  for (const type of faults) {
    if (status !== undefined && well.has(status)) judging.end({ type, subject: 'status' })
    if (found && !found.includes(type)) judging.end({ type, subject: 'faults' })
  }
}

/** An empty battery is low as well, but that is told by then, and once charged a little it needs no telling either. */
function judgeBattery(judging: Evaluation, level: number | null): void {
  for (const each of batteryLevels) {
    const condition = { type: each.type, subject: '' }
    if (level === null || overAt(each, level)) judging.end(condition)
    else if (beginsAt(each, level))
      judging.begin(condition, { battery_level: level }, judging.isActive('battery_empty'))
  }
}

const day = 86_400_000
export interface CartridgeWear extends Omit<LifeInput, 'due'> {
  /** Milliseconds UTC. */
  readonly installedAt: number
}
export type CartridgeCondition = 'cartridge_expiring' | 'cartridge_expired'

/** The end of its time. */
export const dueAt = ({ installedAt, ttl }: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(installedAt + ttl * day)

/** From when on its time is running out. */
export const noticeAt = (wear: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(expiringFrom(dueAt(wear).getTime(), wear.ttl))

/**
 * Which of the two holds at `at`, milliseconds UTC. Neither time nor litres run backwards, so there is no hysteresis:
 * another cartridge ends it.
 */
export function cartridgeCondition(wear: CartridgeWear, at: number): CartridgeCondition | undefined {
  const stage = lifeStage({ ...wear, due: dueAt(wear).getTime() }, at)
  return stage === 'well' ? undefined : `cartridge_${stage}`
}

/** A version that a platform takes. */
export interface Released {
  readonly version: string
  readonly released_at: Date
}
const byNumber = new Intl.Collator('en', { numeric: true })

/** The one released last. */
export const newestFirmware = <Version extends Released>(versions: readonly Version[]): Version | undefined =>
  versions
    .toSorted((a, b) => a.released_at.getTime() - b.released_at.getTime() || byNumber.compare(a.version, b.version))
    .at(-1)

/** The version to tell a device of that has `installed`; none where it has that, or one of its own that is newer. */
export function availableFirmware(versions: readonly Released[], installed: string): string | undefined {
  const newest = newestFirmware(versions)?.version
  if (newest === undefined || installed === '' || installed === newest) return undefined
  const known = versions.some(({ version }) => version === installed)
  return known || byNumber.compare(installed, newest) < 0 ? newest : undefined
}
