/** Devices for the tests of alarms, with what is told of them and what holds. */
import { asc, eq } from 'drizzle-orm'
import { deviceCartridges, devices } from '../../../server/db/schema/devices.ts'
import { deviceAlarms, notifications } from '../../../server/db/schema/notifications.ts'
import type { AlarmEvaluator } from '../../../server/devices/alarms/alarmEvaluator.ts'
import type { Reading, State } from '../../../server/protocol/messages.ts'
import { idOf } from '../../../server/demo/random.ts'
import type { TestServer } from './harness.ts'

export const day = 86_400_000
/** The platform of all of them, which the demo has not. */
export const platform = 'alarm-test'
export const membrane = idOf('cartridge TFC-75')
/** Where the membrane is. */
export const place = 2
const permeate = 5_000

/** Of a unit with which all is well. */
export const calm: Omit<Reading, 'at'> = {
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 15,
  pressure: 4,
  temperature: 15,
}

export type Act = (bssid: string) => Promise<void>

export function alarmDevices({ alarms, clock, db }: Pick<TestServer, 'alarms' | 'clock' | 'db'>) {
  let made = 0
  const iso = () => clock.now().toISOString()
  const insert = async (bssid: string, values: Partial<typeof devices.$inferInsert> = {}) => {
    const [vendor_id, model_id] = [idOf('account vendor'), idOf('model RO-400 Home')]
    await db.insert(devices).values({ bssid, platform, vendor_id, model_id, ...values })
    return bssid
  }
  /** A device that was never heard of. */
  const newDevice = (values?: Partial<typeof devices.$inferInsert>) =>
    insert(`C0:00:00:00:00:${(made++).toString(16).padStart(2, '0').toUpperCase()}`, values)
  /** One that has filtered its share, and then got a new membrane. */
  async function fittedDevice(values: Partial<typeof devices.$inferInsert> = {}): Promise<string> {
    const bssid = await newDevice({ feed: 9_000, permeate, waste: 4_000, ...values })
    const fresh = { installed_at: clock.now(), volume_before: permeate }
    await db.insert(deviceCartridges).values({ bssid, position: place, cartridge_type_id: membrane, ...fresh })
    return bssid
  }
  return {
    iso,
    insert,
    newDevice,
    fittedDevice,
    told: (bssid: string) =>
      db
        .select({ type: notifications.type, values: notifications.values })
        .from(notifications)
        .where(eq(notifications.bssid, bssid))
        .orderBy(asc(notifications.created_at), asc(notifications.id)),
    /** Types, with their subjects where they have one. */
    held: async (bssid: string) =>
      (
        await db
          .select({ type: deviceAlarms.type, subject: deviceAlarms.subject })
          .from(deviceAlarms)
          .where(eq(deviceAlarms.bssid, bssid))
          .orderBy(asc(deviceAlarms.type), asc(deviceAlarms.subject))
      ).map(({ type, subject }) => (subject === '' ? type : `${type} ${subject}`)),
    read: (bssid: string, values: Partial<Reading>, judge: AlarmEvaluator = alarms) =>
      judge.readings([{ bssid, reading: { at: iso(), ...calm, ...values } }]),
    report: (bssid: string, values: Partial<State>, judge: AlarmEvaluator = alarms) =>
      judge.states([{ bssid, state: { at: iso(), ...values } }]),
    lose: (bssid: string) => alarms.states([{ bssid, state: { offline: true } }]),
    /** Lets the cartridges be so many days old, and have filtered so many litres. */
    wear:
      (days: number, litres: number): Act =>
      async bssid => {
        const installed_at = new Date(clock.now().getTime() - days * day)
        await db
          .update(deviceCartridges)
          .set({ installed_at, volume_before: permeate - litres })
          .where(eq(deviceCartridges.bssid, bssid))
        await alarms.sweep(clock.now())
      },
    install:
      (firmware: string): Act =>
      async bssid => {
        await db.update(devices).set({ firmware }).where(eq(devices.bssid, bssid))
        await alarms.sweep(clock.now())
      },
  }
}
