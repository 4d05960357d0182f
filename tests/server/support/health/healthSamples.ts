/** Stored days of devices' health, as ingest leaves them. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../../server/db/database.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { observedChannels, type ObservedChannel } from '../../../../src/domain/health/types/channels.ts'

/** Values of a healthy device, as natural logarithms. */
const healthy: Readonly<Record<ObservedChannel, number>> = {
  a: Math.log(0.2),
  b: Math.log(0.05),
  brief: Math.log(0.06),
  r: Math.log(0.3),
  h: Math.log(0.95),
  f: Math.log(320),
  p: Math.log(4.2),
}
/** Observations of a day, and their standard deviation. */
const observations = 40
const scatter = 0.015

/** Returns noon UTC of an instant's day. */
export const noonOf = (at: Date): Date => new Date(utcDay(at) * msPerDay + msPerDay / 2)

/** Returns the number of an instant's UTC day, counted from 1970. */
export const utcDay = (at: Date): number => Math.floor(at.getTime() / msPerDay)

/** Changes of the channels on a day, as natural logarithms. `day`: counted from the first one. */
export type Course = (day: number) => Partial<Record<ObservedChannel, number>>

/** Stores a device's days, which end yesterday (UTC). */
export async function storeDays(
  db: Database,
  bssid: string,
  {
    days,
    today,
    course = () => ({}),
    temperature = () => 15,
    flow = () => 0.5,
  }: {
    readonly days: number
    readonly today: number
    readonly course?: Course
    /** °C */
    readonly temperature?: (day: number) => number
    /** l/min, as measured. */
    readonly flow?: (day: number) => number
  },
): Promise<void> {
  const rows = Array.from({ length: days }, (_, index) => {
    const change = course(index)
    const row: Record<string, unknown> = {
      bssid,
      day: today - days + index,
      n: observations,
      temperature: temperature(index) * observations,
      flows: observations,
      flow: flow(index) * observations,
    }
    for (const channel of observedChannels) {
      // The same small wander in each device, so that nothing depends on chance.
      const value =
        healthy[channel] + (change[channel] ?? 0) + 0.004 * Math.sin(index * (2 + observedChannels.indexOf(channel)))
      Object.assign(row, {
        [`${channel}_n`]: observations,
        [`${channel}_sum`]: observations * value,
        [`${channel}_squares`]: observations * (value * value + scatter * scatter),
      })
    }
    return {
      ...row,
      feed: 30,
      permeate: 12,
      max_run: 300,
      metered: 10,
      integrated: 10,
      passages: 30,
      passage: 30 * 0.05,
    }
  })
  await db.insert(healthDays).values(rows as (typeof healthDays.$inferInsert)[])
}

/** Runs the daily step of these devices, whatever their next one is due. */
export async function stepDevices(db: Database, bssids: readonly string[], now: Date): Promise<void> {
  await db.update(deviceHealth).set({ due_at: new Date(now.getTime() + 1e10) })
  await db
    .update(deviceHealth)
    .set({ due_at: sql`${new Date(now.getTime() - 1).toISOString()}::timestamptz` })
    .where(inArray(deviceHealth.bssid, [...bssids]))
  while ((await stepSlice(db, now)).hasMore);
}

/** A membrane in a device. */
interface FittedMembrane {
  readonly typeId: string
  readonly bssid: string
  readonly position: number
}

/** Returns the only membrane of a device of the demo fleet, after skipping some devices. */
export async function fittedMembrane(db: Database, skip = 0): Promise<FittedMembrane> {
  const [fitted] = await db
    .select({
      bssid: deviceCartridges.bssid,
      position: deviceCartridges.position,
      typeId: deviceCartridges.cartridge_type_id,
    })
    .from(deviceCartridges)
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(
      and(
        eq(cartridgeTypes.type, 2),
        sql`not exists (select from device_cartridges as second join cartridge_types as type
          on type.id = second.cartridge_type_id and type.type = 2
          where second.bssid = ${deviceCartridges.bssid} and second.position <> ${deviceCartridges.position})`,
      ),
    )
    .orderBy(deviceCartridges.bssid)
    .offset(skip)
    .limit(1)
  return fitted!
}

/** Sets when a membrane was installed. */
export async function installMembrane(db: Database, { bssid, position }: FittedMembrane, at: Date): Promise<void> {
  await db
    .update(deviceCartridges)
    .set({ installed_at: at })
    .where(and(eq(deviceCartridges.bssid, bssid), eq(deviceCartridges.position, position)))
}
