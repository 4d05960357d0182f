/** A device whose step of health fails does not keep others from theirs. */
import { eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Log } from '../../../../server/core/log.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { stepDue } from '../../../../server/devices/health/stepDue.ts'
import { breakingDatabase } from '../../support/database/breakingDatabase.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, storeDays, utcDay } from '../../support/health/healthSamples.ts'
import { hour, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)
const later = new Date(now.getTime() + hour)

const lines: string[] = []
const log: Log = { info: () => undefined, error: text => void lines.push(text) }
const healthOf = async (bssid: string) =>
  (await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid)))[0]!

/** Makes devices due, and no others; they are neighbours. */
async function dueDevices(count: number): Promise<string[]> {
  const bssids: string[] = []
  for (let index = 0; index < count; index++) bssids.push(await newDevice(db, { water_supply: `Well of ${count}` }))
  for (const bssid of bssids) await storeDays(db, bssid, { days: 5, today })
  await db.update(deviceHealth).set({ due_at: new Date(now.getTime() + 100 * hour) })
  await db.update(deviceHealth).set({ due_at: now }).where(inArray(deviceHealth.bssid, bssids))
  return bssids
}
/** Stores a state that cannot be read. */
const damage = (bssid: string) =>
  db.execute(sql`update device_health set state = '\\xc1'::bytea where bssid = ${bssid}`)

test('it is logged and tried again in an hour, and all others are stepped', async () => {
  const bssids = await dueDevices(12)
  const damaged = bssids[7]!
  await damage(damaged)
  const sound = bssids.filter(bssid => bssid !== damaged)
  expect(await stepDue(db, log, now)).toMatchObject({ hasMore: true })
  expect(await stepDue(db, log, now)).toEqual({ hasMore: false, changed: [] })
  expect(lines).toEqual([`Could not compute the health of devices, trying again in an hour: ${damaged}`])
  for (const bssid of sound) expect((await healthOf(bssid)).state!.days).toBe(5)
  const { rows } = await db.execute<{ due_at: Date }>(
    sql`select due_at::text from device_health where bssid = ${damaged}`,
  )
  expect(new Date(rows[0]!.due_at)).toEqual(later)
  // Once its state can be read, it is stepped.
  await db.update(deviceHealth).set({ state: null }).where(eq(deviceHealth.bssid, damaged))
  await stepDue(db, log, later)
  expect((await healthOf(damaged)).state!.days).toBe(5)
  expect(lines).toHaveLength(1)
})

test('a failure of the database postpones no device', async () => {
  const [bssid] = await dueDevices(1)
  const { db: broken } = Object.assign(breakingDatabase(db), { isBroken: true })
  await expect(stepDue(broken, log, now)).rejects.toThrow('connection refused')
  expect((await healthOf(bssid!)).due_at).toEqual(now)
})
