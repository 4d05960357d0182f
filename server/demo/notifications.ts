/**
 * Makes the conditions that hold for the demo's devices and the notifications of the weeks before, by the rules that
 * judge real devices. The first start then has a history, and old conditions make no new notifications.
 */
import { random, type Random } from '../../simulator/model/random.ts'
import { expiringShare } from '../../src/domain/filterLife.ts'
import {
  availableFirmware,
  cartridgeCondition,
  dueAt,
  judgeReading,
  judgeState,
  noticeAt,
  type CartridgeWear,
  type Released,
} from '../devices/alarms/rules.ts'
import { noConditions, type Condition } from '../devices/alarms/conditions.ts'
import type { deviceAlarms, notifications, NotificationValues } from '../db/schema/notifications.ts'
import type { Reading } from '../protocol/messages.ts'
import { cartridges } from './catalogue.ts'
import type { demoDevice } from './device.ts'
import { idOf, seedOf } from './random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** How far back the notifications of conditions that have ended go. */
const past = 42 * day

type Alarm = typeof deviceAlarms.$inferInsert
type Notification = typeof notifications.$inferInsert
type DemoDevice = ReturnType<typeof demoDevice>

export interface Told {
  readonly alarms: readonly Alarm[]
  readonly notifications: readonly Notification[]
}

/** Returns the conditions and notifications of one device. `released`: the firmware versions of its platform. */
export function toldOf(device: DemoDevice, seed: number, released: readonly Released[], now: Date): Told {
  const { bssid, vendor_id, created_at } = device.row
  const dice = random(seedOf(`${seed} notifications ${bssid}`))
  const alarms: Alarm[] = []
  const told: Notification[] = []
  const tell = (type: Notification['type'], at: number, values: NotificationValues) => {
    const when = new Date(Math.round(Math.min(at, now.getTime())))
    if (when < created_at) return
    const id = idOf(`notification ${bssid} ${type} ${told.length}`)
    told.push({ id, bssid, vendor_id, type, created_at: when, values })
  }
  const hold = ({ type, subject }: Condition, at: number) => {
    const since = Math.round(Math.min(now.getTime(), Math.max(at, created_at.getTime())))
    alarms.push({ bssid, type, subject, since: new Date(since) })
    return since
  }

  const lastHeard = device.row.status === 3 ? device.row.last_active.getTime() : now.getTime()
  for (const { type, subject, values } of broken(device)) {
    const ago = type === 'device_offline' ? -1.5 * minute : dice.between(0.1, 3) * day
    const since = hold({ type, subject }, lastHeard - ago)
    if (values) tell(type, since, values)
  }
  for (const one of device.cartridges) tellCartridge(device, one, now, { hold, tell })
  const newest = availableFirmware(released, device.row.firmware)
  const out = released.find(({ version }) => version === (newest ?? device.row.firmware))!.released_at.getTime()
  if (newest !== undefined)
    tell('firmware_available', hold({ type: 'firmware_available', subject: newest }, out), { version: newest })
  else if (created_at.getTime() < out)
    tell('firmware_updated', out + dice.next() ** 2 * (now.getTime() - out), { version: device.row.firmware })
  const over = { from: Math.max(created_at.getTime(), now.getTime() - past), to: lastHeard - 4 * day }
  for (let left = dice.weighted(episodeCounts); left > 0 && over.from < over.to; left--) {
    const [type, values] = episode(dice, device)
    tell(type, dice.between(over.from, over.to), values)
  }
  return { alarms, notifications: told }
}

/** Returns the conditions that follow from the device's status and battery. */
function broken({ row: { status, battery_level } }: DemoDevice) {
  const at = new Date(0).toISOString()
  const charged = judgeState(noConditions, { at, battery_level })
  return [...charged, ...judgeState(noConditions, status === 3 ? { offline: true } : { at, status })]
}

interface Telling {
  readonly hold: (condition: Condition, at: number) => number
  readonly tell: (type: Notification['type'], at: number, values: NotificationValues) => void
}

function tellCartridge(
  device: DemoDevice,
  fitted: DemoDevice['cartridges'][number],
  now: Date,
  { hold, tell }: Telling,
) {
  const kind = cartridges.find(({ model }) => idOf(`cartridge ${model}`) === fitted.cartridge_type_id)!
  const installedAt = fitted.installed_at.getTime()
  const used = (kind.type === 0 ? device.row.feed : device.row.permeate) - fitted.volume_before
  const wear: CartridgeWear = { installedAt, ttl: kind.ttl, resource: kind.resource, used }
  /** Returns when so many litres had passed, at an even rate. */
  const passed = (litres: number) =>
    used < litres ? Infinity : installedAt + (litres / used) * (now.getTime() - installedAt)

  const values = { cartridge: kind.model, position: fitted.position }
  const dated = { ...values, replace_at: dueAt(wear).toISOString() }
  const noticed = Math.min(noticeAt(wear).getTime(), passed((1 - expiringShare) * kind.resource))
  // A device comes with its first cartridges: they make no notification.
  if (installedAt > Math.max(device.row.created_at.getTime() + day, now.getTime() - past))
    tell('cartridge_replaced', installedAt, values)
  const type = cartridgeCondition(wear, now.getTime())
  if (type === undefined) return
  tell('cartridge_expiring', noticed, dated)
  const expired = Math.min(dueAt(wear).getTime(), passed(kind.resource))
  const since = hold({ type, subject: String(fitted.position) }, type === 'cartridge_expired' ? expired : noticed)
  if (type === 'cartridge_expired') tell(type, since, dated)
}

/** How many past conditions a device has, each with its weight: most have none. */
const episodeCounts: readonly (readonly [number, number])[] = [
  [0, 55],
  [1, 25],
  [2, 13],
  [3, 7],
]

const calm: Reading = {
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
const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

type Episode = readonly [Notification['type'], NotificationValues]
const lost = (): Episode => ['device_offline', {}]
const reads = (values: (dice: Random) => Partial<Reading>) => (dice: Random) => {
  const [begun] = judgeReading(noConditions, { ...calm, ...values(dice) }, 0)
  return [begun!.type, begun!.values!] as const
}
/** Conditions that begin and end, each with its weight. */
const episodes: readonly (readonly [(dice: Random) => Episode, number])[] = [
  [lost, 45],
  [() => ['no_feed_water', {}], 14],
  [() => ['leak', {}], 3],
  [() => ['pump_failure', {}], 2],
  [() => ['inlet_flow_sensor', {}], 1],
  [() => ['outlet_tds_sensor', {}], 1],
  [reads(dice => ({ pressure: rounded(dice.between(1.2, 2), 2) })), 12],
  [reads(dice => ({ pressure: rounded(dice.between(8, 9.4), 2) })), 5],
  [reads(dice => ({ temperature: rounded(dice.between(38, 41), 1) })), 4],
  [reads(dice => ({ temperature: rounded(dice.between(1.5, 4), 1) })), 5],
  [reads(dice => ({ feed_tds: dice.whole(1500, 2200) })), 5],
]

/** Returns a condition that has ended and does not hold at present. */
function episode(dice: Random, device: DemoDevice): Episode {
  const [type, values] = dice.weighted(episodes)(dice)
  return broken(device).some(holding => holding.type === type) ? lost() : [type, values]
}
