/**
 * Generates the active conditions of the demo's devices and their notifications of the past weeks, by the same rules as
 * for real devices. The first start then shows a history, and existing conditions create no new notifications.
 */
import { random, type Random } from '../../simulator/model/random.ts'
import { expiringShare } from '../../src/domain/filterLife.ts'
import {
  availableFirmware,
  cartridgeCondition,
  dueAt,
  evaluateReading,
  evaluateState,
  expiringAt,
  type CartridgeWear,
  type Release,
} from '../devices/alarms/rules.ts'
import { noConditions, type Condition } from '../devices/alarms/conditions.ts'
import type { deviceAlarms, notifications, NotificationValues } from '../db/schema/notifications.ts'
import type { Reading } from '../protocol/messages.ts'
import { cartridges } from './catalogue.ts'
import type { demoDevice } from './device.ts'
import { demoId, seedOf } from './random.ts'
import { rounded } from './rounded.ts'
import { msPerDay, msPerMinute } from '../../src/domain/time.ts'

/** Milliseconds into the past for which notifications of ended conditions are generated. */
const pastLength = 42 * msPerDay

type Alarm = typeof deviceAlarms.$inferInsert
type Notification = typeof notifications.$inferInsert
type DemoDevice = ReturnType<typeof demoDevice>

export interface DemoNotifications {
  readonly alarms: readonly Alarm[]
  readonly notifications: readonly Notification[]
}

/** Returns the conditions and notifications of a device. `releases`: the firmware versions of its platform. */
export function demoNotifications(
  device: DemoDevice,
  seed: number,
  releases: readonly Release[],
  now: Date,
): DemoNotifications {
  const { bssid, vendor_id, created_at } = device.row
  const rng = random(seedOf(`${seed} notifications ${bssid}`))
  const alarms: Alarm[] = []
  const created: Notification[] = []
  const notify = (type: Notification['type'], at: number, values: NotificationValues) => {
    const when = new Date(Math.round(Math.min(at, now.getTime())))
    if (when < created_at) return
    const id = demoId(`notification ${bssid} ${type} ${created.length}`)
    created.push({ id, bssid, vendor_id, type, created_at: when, values })
  }
  /** Adds an active condition and returns its start, milliseconds UTC. */
  const activate = ({ type, subject }: Condition, at: number) => {
    const since = Math.round(Math.min(now.getTime(), Math.max(at, created_at.getTime())))
    alarms.push({ bssid, type, subject, since: new Date(since) })
    return since
  }

  const lastMessage = device.row.status === 3 ? device.row.last_active.getTime() : now.getTime()
  for (const { type, subject, values } of currentConditions(device)) {
    const ago = type === 'device_offline' ? -1.5 * msPerMinute : rng.between(0.1, 3) * msPerDay
    const since = activate({ type, subject }, lastMessage - ago)
    if (values) notify(type, since, values)
  }
  for (const cartridge of device.cartridges) addCartridge(device, cartridge, now, { activate, notify })
  const newest = availableFirmware(releases, device.row.firmware)
  const releasedAt = releases.find(({ version }) => version === (newest ?? device.row.firmware))!.released_at.getTime()
  if (newest !== undefined)
    notify('firmware_available', activate({ type: 'firmware_available', subject: newest }, releasedAt), {
      version: newest,
    })
  else if (created_at.getTime() < releasedAt)
    notify('firmware_updated', releasedAt + rng.next() ** 2 * (now.getTime() - releasedAt), {
      version: device.row.firmware,
    })
  const span = { from: Math.max(created_at.getTime(), now.getTime() - pastLength), to: lastMessage - 4 * msPerDay }
  for (let remaining = rng.weighted(episodeCounts); remaining > 0 && span.from < span.to; remaining--) {
    const [type, values] = pastEpisode(rng, device)
    notify(type, rng.between(span.from, span.to), values)
  }
  return { alarms, notifications: created }
}

/** Returns the conditions that follow from the device's status and battery. */
function currentConditions({ row: { status, battery_level } }: DemoDevice) {
  const at = new Date(0).toISOString()
  const batteryConditions = evaluateState(noConditions, { at, battery_level })
  return [...batteryConditions, ...evaluateState(noConditions, status === 3 ? { offline: true } : { at, status })]
}

interface Collectors {
  readonly activate: (condition: Condition, at: number) => number
  readonly notify: (type: Notification['type'], at: number, values: NotificationValues) => void
}

/** Adds the condition and the notifications of a cartridge. */
function addCartridge(
  device: DemoDevice,
  fitted: DemoDevice['cartridges'][number],
  now: Date,
  { activate, notify }: Collectors,
) {
  const kind = cartridges.find(({ model }) => demoId(`cartridge ${model}`) === fitted.cartridge_type_id)!
  const installedAt = fitted.installed_at.getTime()
  const used = (kind.type === 0 ? device.row.feed : device.row.permeate) - fitted.volume_before
  const wear: CartridgeWear = { installedAt, ttl: kind.ttl, resource: kind.resource, used }
  /** Returns when the cartridge had filtered so many litres, assuming an even rate; milliseconds UTC. */
  const filteredAt = (litres: number) =>
    used < litres ? Infinity : installedAt + (litres / used) * (now.getTime() - installedAt)

  const values = { cartridge: kind.model, position: fitted.position }
  const expiryValues = { ...values, replace_at: dueAt(wear).toISOString() }
  const expiringSince = Math.min(expiringAt(wear).getTime(), filteredAt((1 - expiringShare) * kind.resource))
  // The first cartridges of a device create no notification.
  if (installedAt > Math.max(device.row.created_at.getTime() + msPerDay, now.getTime() - pastLength))
    notify('cartridge_replaced', installedAt, values)
  const type = cartridgeCondition(wear, now.getTime())
  if (type === undefined) return
  notify('cartridge_expiring', expiringSince, expiryValues)
  const expiredSince = Math.min(dueAt(wear).getTime(), filteredAt(kind.resource))
  const since = activate(
    { type, subject: String(fitted.position) },
    type === 'cartridge_expired' ? expiredSince : expiringSince,
  )
  if (type === 'cartridge_expired') notify(type, since, expiryValues)
}

/** Numbers of past conditions of a device with their weights: most devices have none. */
const episodeCounts: readonly (readonly [number, number])[] = [
  [0, 55],
  [1, 25],
  [2, 13],
  [3, 7],
]

/** A reading without a condition. */
const normalReading: Reading = {
  at: new Date(0).toISOString(),
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 350,
  permeate_tds: 20,
  pressure: 4.5,
  temperature: 16,
}

/** A past condition: the type and values of its notification. */
type Episode = readonly [Notification['type'], NotificationValues]
const offlineEpisode = (): Episode => ['device_offline', {}]
/** Returns a generator of the condition that a reading with these values begins. */
const readingEpisode = (values: (rng: Random) => Partial<Reading>) => (rng: Random) => {
  const [transition] = evaluateReading(noConditions, { ...normalReading, ...values(rng) }, 0)
  return [transition!.type, transition!.values!] as const
}
/** Generators of past conditions with their weights. */
const episodes: readonly (readonly [(rng: Random) => Episode, number])[] = [
  [offlineEpisode, 45],
  [() => ['no_feed_water', {}], 14],
  [() => ['leak', {}], 3],
  [() => ['pump_failure', {}], 2],
  [() => ['inlet_flow_sensor', {}], 1],
  [() => ['outlet_tds_sensor', {}], 1],
  [readingEpisode(rng => ({ pressure: rounded(rng.between(1.2, 2), 2) })), 12],
  [readingEpisode(rng => ({ pressure: rounded(rng.between(8, 9.4), 2) })), 5],
  [readingEpisode(rng => ({ temperature: rounded(rng.between(38, 41), 1) })), 4],
  [readingEpisode(rng => ({ temperature: rounded(rng.between(1.5, 4), 1) })), 5],
  [readingEpisode(rng => ({ feed_tds: rng.integer(1500, 2200) })), 5],
]

/** Returns a past condition that is not active now. */
function pastEpisode(rng: Random, device: DemoDevice): Episode {
  const [type, values] = rng.weighted(episodes)(rng)
  return currentConditions(device).some(condition => condition.type === type) ? offlineEpisode() : [type, values]
}
