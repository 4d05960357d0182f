/** Devices for the tests of alarms, with their notifications and active alarms. */
import { asc, eq } from 'drizzle-orm'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { newId } from '../../../../server/db/id.ts'
import { deviceAlarms, notifications } from '../../../../server/db/schema/notifications.ts'
import { unevaluatedReadings } from '../../../../server/db/schema/telemetry.ts'
import type { AlarmEvaluator } from '../../../../server/devices/alarms/alarmEvaluator.ts'
import type { Reading, State } from '../../../../server/protocol/messages.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { insertDevice, type NewDeviceRow } from './deviceRows.ts'
import type { TestServer } from '../harness.ts'

export const day = 86_400_000
/** The platform of these devices, which the demo does not use. */
export const platform = 'alarm-test'
export const membrane = demoId('cartridge TFC-75')
/** The position of the membrane. */
export const place = 2
const permeate = 5_000

/** The reading of a unit without any alarm. */
export const normalReading: Omit<Reading, 'at'> = {
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 15,
  pressure: 4,
  temperature: 15,
}

/** Returns a function that finds these devices to have gone offline. */
export const marking =
  (...bssids: readonly string[]) =>
  async () => ({ bssids })

export type Action = (bssid: string) => Promise<void>

export function alarmDevices({ alarms, clock, db }: Pick<TestServer, 'alarms' | 'clock' | 'db'>) {
  let deviceCount = 0
  const iso = () => clock.now().toISOString()
  const insert = async (bssid: string, values: Partial<NewDeviceRow> = {}) => {
    const [vendor_id, model_id] = [demoId('account vendor'), demoId('model RO-400 Home')]
    await insertDevice(db, { bssid, platform, vendor_id, model_id, ...values })
    return bssid
  }
  /** Creates a device without any message so far. */
  const newDevice = (values?: Partial<NewDeviceRow>) =>
    insert(`C0:00:00:00:00:${(deviceCount++).toString(16).padStart(2, '0').toUpperCase()}`, values)
  /** Creates a device with lifetime litres and a new membrane. */
  async function fittedDevice(values: Partial<NewDeviceRow> = {}): Promise<string> {
    const bssid = await newDevice({ feed: 9_000, permeate, waste: 4_000, ...values })
    const fresh = { installed_at: clock.now(), volume_before: permeate }
    await db.insert(deviceCartridges).values({ bssid, position: place, cartridge_type_id: membrane, ...fresh })
    return bssid
  }
  /** Evaluates readings as those of a batch that has just been stored. */
  async function evaluateReadings(bssid: string, readings: readonly Reading[], evaluator = alarms): Promise<void> {
    const id = newId()
    await db.insert(unevaluatedReadings).values({ id, stored_at: clock.now(), bssids: [], ats: [] })
    await evaluator.readings(
      readings.map(reading => ({ bssid, reading })),
      id,
    )
  }
  return {
    iso,
    insert,
    newDevice,
    fittedDevice,
    notificationsOf: (bssid: string) =>
      db
        .select({ type: notifications.type, values: notifications.values })
        .from(notifications)
        .where(eq(notifications.bssid, bssid))
        .orderBy(asc(notifications.created_at), asc(notifications.id)),
    /** The active alarms of a device: their types, each with its subject if it has one. */
    activeAlarms: async (bssid: string) =>
      (
        await db
          .select({ type: deviceAlarms.type, subject: deviceAlarms.subject })
          .from(deviceAlarms)
          .where(eq(deviceAlarms.bssid, bssid))
          .orderBy(asc(deviceAlarms.type), asc(deviceAlarms.subject))
      ).map(({ type, subject }) => (subject === '' ? type : `${type} ${subject}`)),
    read: (bssid: string, values: Partial<Reading>, evaluator: AlarmEvaluator = alarms) =>
      evaluateReadings(bssid, [{ at: iso(), ...normalReading, ...values }], evaluator),
    evaluateReadings,
    report: (bssid: string, values: Partial<State>, evaluator: AlarmEvaluator = alarms) =>
      evaluator.states([{ bssid, state: { at: iso(), ...values } }]),
    goOffline: (bssid: string) => alarms.states([{ bssid, state: { offline: true } }]),
    /** Sets age and litres of a device's cartridges, and sweeps the alarms. */
    wear:
      (days: number, litres: number): Action =>
      async bssid => {
        const installed_at = new Date(clock.now().getTime() - days * day)
        await db
          .update(deviceCartridges)
          .set({ installed_at, volume_before: permeate - litres })
          .where(eq(deviceCartridges.bssid, bssid))
        await alarms.sweep(clock.now())
      },
    install:
      (firmware: string): Action =>
      async bssid => {
        await db.update(devices).set({ firmware }).where(eq(devices.bssid, bssid))
        await alarms.sweep(clock.now())
      },
  }
}
