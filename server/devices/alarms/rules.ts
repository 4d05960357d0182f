/**
 * Decides when conditions begin and end: what follows from a reading or a report, given the conditions that hold.
 * Thresholds stand in the definitions of notifications, and in a table of docs/api.md.
 */
import { offline, type StatusCode } from '../../../src/domain/device.ts'
import { lifeStage, expiringFrom, type LifeInput } from '../../../src/domain/filterLife.ts'
import {
  faultOfStatus,
  notificationDefinitions,
  type NotificationDefinition,
  type Threshold,
} from '../../../src/domain/notifications/definitions.ts'
import { faults, notificationTypes, type NotificationType } from '../../../src/domain/notifications/types.ts'
import type { LastWill, Reading, State } from '../../protocol/messages.ts'
import { conditionKey, evaluate, type ActiveConditions, type Evaluation, type Transition } from './conditions.ts'
import { msPerDay } from '../../../src/domain/time.ts'

const beginsAt = ({ from, until }: Threshold, value: number) => (from > until ? value >= from : value <= from)
const overAt = ({ from, until }: Threshold, value: number) => (from > until ? value <= until : value >= until)

/** The types that begin and end by a threshold. */
const thresholds = notificationTypes.flatMap(type => {
  const { threshold }: NotificationDefinition = notificationDefinitions[type]
  return threshold ? [{ type, ...threshold }] : []
})
const readingThresholds = thresholds.flatMap(({ of, ...rest }) => (of === 'battery_level' ? [] : [{ of, ...rest }]))
/** Lowest first: where both begin at once, the empty battery is told and the low one is not. */
const batteryThresholds = thresholds.filter(({ of }) => of === 'battery_level').toSorted((a, b) => a.from - b.from)

/** The permeate's TDS must fall to this share of the feed's before its sensor counts as working again. */
const plausibleShare = 0.9

/** Ready, Working, Flushing and Protection end a fault. Any other status may hide one: a device has one status at a time. */
const well: ReadonlySet<StatusCode> = new Set([0, 1, 2, 8])

/** The types that follow from readings and reports, and from going offline. */
export const liveTypes: readonly NotificationType[] = [
  'device_offline',
  ...faults,
  ...thresholds.map(({ type }) => type),
]

/** Returns whether permeate flows, by the best value that the reading has. */
const produces = ({ permeate_flow, feed_flow, feed }: Reading) => (permeate_flow ?? feed_flow ?? feed) > 0

export const deviceOffline = { type: 'device_offline', subject: '' } as const

/** Returns what a reading begins and ends. `at`: when it was read, milliseconds UTC, not later than the server's clock. */
export function judgeReading(held: ActiveConditions, reading: Reading, at: number): readonly Transition[] {
  const judging = evaluate(held)
  const since = held.get(conditionKey(deviceOffline))
  // A reading from before the device went offline may arrive later.
  if (since !== undefined && at > since) judging.end(deviceOffline)
  for (const threshold of readingThresholds) {
    const { type, of, sensor, producing } = threshold
    const value = reading[of]
    if (value === null || (sensor && judging.isActive(sensor)) || (producing && !produces(reading))) continue
    const condition = { type, subject: '' }
    if (beginsAt(threshold, value)) judging.begin(condition, { [of]: value })
    else if (overAt(threshold, value)) judging.end(condition)
  }
  judgeSalt(judging, reading)
  return judging.transitions
}

/** Only while permeate flows: at rest salt creeps through the membrane, and even a good sensor reads more than the feed. */
function judgeSalt(judging: Evaluation, reading: Reading): void {
  const { feed_tds, permeate_tds } = reading
  if (feed_tds === null || permeate_tds === null) return
  if (judging.isActive('inlet_tds_sensor') || !produces(reading)) return
  const condition = { type: 'outlet_tds_sensor', subject: 'readings' } as const
  if (permeate_tds > feed_tds) judging.begin(condition, { feed_tds, permeate_tds })
  else if (permeate_tds <= plausibleShare * feed_tds) judging.end(condition)
}

/** Returns what a device's report, or its last will, begins and ends. */
export function judgeState(held: ActiveConditions, state: State | LastWill): readonly Transition[] {
  const judging = evaluate(held)
  if ('offline' in state || state.status === offline) judging.begin(deviceOffline, {})
  else judging.end(deviceOffline)
  if ('offline' in state) return judging.transitions
  judgeFaults(judging, state)
  if (state.battery_level !== undefined) judgeBattery(judging, state.battery_level)
  return judging.transitions
}

/** Begins come before ends: where one source takes over from the other, the fault has not begun anew. */
function judgeFaults(judging: Evaluation, { status, faults: found }: State): void {
  const told = status === undefined ? undefined : faultOfStatus[status]
  if (told) judging.begin({ type: told, subject: 'status' }, {})
  for (const type of found ?? []) judging.begin({ type, subject: 'faults' }, {})
  for (const type of faults) {
    if (status !== undefined && well.has(status)) judging.end({ type, subject: 'status' })
    if (found && !found.includes(type)) judging.end({ type, subject: 'faults' })
  }
}

/** An empty battery is low as well, but needs no second notification, nor one when it is charged a little. */
function judgeBattery(judging: Evaluation, level: number | null): void {
  for (const each of batteryThresholds) {
    const condition = { type: each.type, subject: '' }
    if (level === null || overAt(each, level)) judging.end(condition)
    else if (beginsAt(each, level))
      judging.begin(condition, { battery_level: level }, judging.isActive('battery_empty'))
  }
}

export interface CartridgeWear extends Omit<LifeInput, 'due'> {
  /** Milliseconds UTC. */
  readonly installedAt: number
}
export type CartridgeCondition = 'cartridge_expiring' | 'cartridge_expired'

/** Returns when a cartridge's time is over. */
export const dueAt = ({ installedAt, ttl }: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(installedAt + ttl * msPerDay)

/** Returns when a cartridge's time begins to run out. */
export const noticeAt = (wear: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(expiringFrom(dueAt(wear).getTime(), wear.ttl))

/**
 * Returns which of the two conditions holds at `at`, milliseconds UTC. There is no hysteresis, because neither time nor
 * litres run backwards: only another cartridge ends the condition.
 */
export function cartridgeCondition(wear: CartridgeWear, at: number): CartridgeCondition | undefined {
  const stage = lifeStage({ ...wear, due: dueAt(wear).getTime() }, at)
  return stage === 'ok' ? undefined : `cartridge_${stage}`
}

/** A version of a platform's firmware. */
export interface Released {
  readonly version: string
  readonly released_at: Date
}
const byNumber = new Intl.Collator('en', { numeric: true })

/** Returns the version that was released last. */
export const newestFirmware = <Version extends Released>(versions: readonly Version[]): Version | undefined =>
  versions
    .toSorted((a, b) => a.released_at.getTime() - b.released_at.getTime() || byNumber.compare(a.version, b.version))
    .at(-1)

/** Returns the version that a device with `installed` can update to; none where it runs that, or a newer one of its own. */
export function availableFirmware(versions: readonly Released[], installed: string): string | undefined {
  const newest = newestFirmware(versions)?.version
  if (newest === undefined || installed === '' || installed === newest) return undefined
  const known = versions.some(({ version }) => version === installed)
  return known || byNumber.compare(installed, newest) < 0 ? newest : undefined
}
