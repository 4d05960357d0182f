/**
 * The alarm rules: return the transitions that follow from a reading, a state or a cartridge's wear. Thresholds are in
 * the definitions of notifications, and in a table of docs/api.md.
 */
import { offlineStatus, type StatusCode } from '../../../src/domain/device.ts'
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

/** The hysteresis is the range from `from` to `until`: a value within it neither begins nor ends the condition. */
const hasBegun = ({ from, until }: Threshold, value: number) => (from > until ? value >= from : value <= from)
const hasEnded = ({ from, until }: Threshold, value: number) => (from > until ? value <= until : value >= until)

/** The types that begin and end by a threshold. */
const thresholds = notificationTypes.flatMap(type => {
  const { threshold }: NotificationDefinition = notificationDefinitions[type]
  return threshold ? [{ type, ...threshold }] : []
})
const readingThresholds = thresholds.flatMap(({ measure, ...rest }) =>
  measure === 'battery_level' ? [] : [{ measure, ...rest }],
)
/** Lowest first: if both conditions begin at once, only the empty battery creates a notification. */
const batteryThresholds = thresholds
  .filter(({ measure }) => measure === 'battery_level')
  .toSorted((a, b) => a.from - b.from)

/** Maximum share of the feed's TDS at which the permeate's TDS ends the failure of its sensor. */
const plausibleShare = 0.9

/**
 * The statuses that end a fault: ready, working, flushing and protection. A device has only one status, so any other
 * status may hide the fault.
 */
const faultFreeStatuses: ReadonlySet<StatusCode> = new Set([0, 1, 2, 8])

/** The types that follow from messages and from going offline, as opposed to those that follow from time. */
export const liveTypes: readonly NotificationType[] = [
  'device_offline',
  ...faults,
  ...thresholds.map(({ type }) => type),
]

/** Returns whether permeate flows, by the most exact value that the reading has. */
const isProducing = ({ permeate_flow, feed_flow, feed }: Reading) => (permeate_flow ?? feed_flow ?? feed) > 0

export const deviceOffline = { type: 'device_offline', subject: '' } as const

/** Returns the transitions of a reading. `at`: its time in milliseconds UTC, capped at the server's time. */
export function evaluateReading(active: ActiveConditions, reading: Reading, at: number): readonly Transition[] {
  const evaluation = evaluate(active)
  const offlineSince = active.get(conditionKey(deviceOffline))
  // A reading from before the device went offline may arrive later.
  if (offlineSince !== undefined && at > offlineSince) evaluation.end(deviceOffline)
  for (const threshold of readingThresholds) {
    const { type, measure, sensor, producing } = threshold
    const value = reading[measure]
    if (value === null || (sensor && evaluation.isActive(sensor)) || (producing && !isProducing(reading))) continue
    const condition = { type, subject: '' }
    if (hasBegun(threshold, value)) evaluation.begin(condition, { [measure]: value })
    else if (hasEnded(threshold, value)) evaluation.end(condition)
  }
  evaluateTdsSensor(evaluation, reading)
  return evaluation.transitions
}

/**
 * Detects a defective TDS sensor of the permeate. Skipped without permeate flow: at rest salt diffuses through the
 * membrane, so even a working sensor measures more than the feed's TDS.
 */
function evaluateTdsSensor(evaluation: Evaluation, reading: Reading): void {
  const { feed_tds, permeate_tds } = reading
  if (feed_tds === null || permeate_tds === null) return
  if (evaluation.isActive('inlet_tds_sensor') || !isProducing(reading)) return
  const condition = { type: 'outlet_tds_sensor', subject: 'readings' } as const
  if (permeate_tds > feed_tds) evaluation.begin(condition, { feed_tds, permeate_tds })
  else if (permeate_tds <= plausibleShare * feed_tds) evaluation.end(condition)
}

/** Returns the transitions of a reported state or a last will. */
export function evaluateState(active: ActiveConditions, state: State | LastWill): readonly Transition[] {
  const evaluation = evaluate(active)
  if ('offline' in state || state.status === offlineStatus) evaluation.begin(deviceOffline, {})
  else evaluation.end(deviceOffline)
  if ('offline' in state) return evaluation.transitions
  evaluateFaults(evaluation, state)
  if (state.battery_level !== undefined) evaluateBattery(evaluation, state.battery_level)
  return evaluation.transitions
}

/**
 * Begins and ends the faults that a state reports. Begins come before ends, so that a fault that moves from one source
 * to the other creates no second notification.
 */
function evaluateFaults(evaluation: Evaluation, { status, faults: reported }: State): void {
  const statusFault = status === undefined ? undefined : faultOfStatus[status]
  if (statusFault) evaluation.begin({ type: statusFault, subject: 'status' }, {})
  for (const type of reported ?? []) evaluation.begin({ type, subject: 'faults' }, {})
  for (const type of faults) {
    if (status !== undefined && faultFreeStatuses.has(status)) evaluation.end({ type, subject: 'status' })
    if (reported && !reported.includes(type)) evaluation.end({ type, subject: 'faults' })
  }
}

/**
 * Begins and ends the battery conditions. An empty battery is low as well, but creates no second notification, neither
 * at once nor after it was charged a little.
 */
function evaluateBattery(evaluation: Evaluation, level: number | null): void {
  for (const threshold of batteryThresholds) {
    const condition = { type: threshold.type, subject: '' }
    if (level === null || hasEnded(threshold, level)) evaluation.end(condition)
    else if (hasBegun(threshold, level))
      evaluation.begin(condition, { battery_level: level }, evaluation.isActive('battery_empty'))
  }
}

export interface CartridgeWear extends Omit<LifeInput, 'due'> {
  /** Milliseconds UTC. */
  readonly installedAt: number
}
export type CartridgeCondition = 'cartridge_expiring' | 'cartridge_expired'

/** Returns when a cartridge's time to live ends. */
export const dueAt = ({ installedAt, ttl }: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(installedAt + ttl * msPerDay)

/** Returns the time from which a cartridge is expiring, by its time to live alone. */
export const expiringAt = (wear: Pick<CartridgeWear, 'installedAt' | 'ttl'>): Date =>
  new Date(expiringFrom(dueAt(wear).getTime(), wear.ttl))

/**
 * Returns the condition of a cartridge at `at`, milliseconds UTC. There is no hysteresis, because neither time nor
 * litres run backwards: only a new cartridge ends the condition.
 */
export function cartridgeCondition(wear: CartridgeWear, at: number): CartridgeCondition | undefined {
  const stage = lifeStage({ ...wear, due: dueAt(wear).getTime() }, at)
  return stage === 'ok' ? undefined : `cartridge_${stage}`
}

/** A released firmware version of a platform. */
export interface Release {
  readonly version: string
  readonly released_at: Date
}
const byNumber = new Intl.Collator('en', { numeric: true })

/** Returns the latest release; the higher version of two that were released at the same time. */
export const newestFirmware = <Version extends Release>(versions: readonly Version[]): Version | undefined =>
  versions
    .toSorted((a, b) => a.released_at.getTime() - b.released_at.getTime() || byNumber.compare(a.version, b.version))
    .at(-1)

/**
 * Returns the version to which a device with `installed` can be updated, or `undefined` if it runs the newest one or
 * an unreleased newer one.
 */
export function availableFirmware(versions: readonly Release[], installed: string): string | undefined {
  const newest = newestFirmware(versions)?.version
  if (newest === undefined || installed === '' || installed === newest) return undefined
  const isReleased = versions.some(({ version }) => version === installed)
  return isReleased || byNumber.compare(installed, newest) < 0 ? newest : undefined
}
