/** The demo's past: what holds in it is told already, so that the first start tells nothing that was there before. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceAlarms, notifications } from '../../../server/db/schema/notifications.ts'
import { idOf } from '../../../server/demo/random.ts'
import { startServer } from '../support/harness.ts'

const { alarms, db } = await startServer()
const [admin] = await db
  .select({ at: accounts.created_at })
  .from(accounts)
  .where(eq(accounts.id, idOf('account admin')))
const madeAt = admin!.at
const fleet = await db.select().from(devices)
const told = await db.select().from(notifications)

test('what devices are when the demo begins is neither new nor over', async () => {
  const before = await db.select().from(deviceAlarms)
  expect(before.length).toBeGreaterThan(fleet.length / 2)
  await alarms.sweep(madeAt)
  await alarms.states(
    fleet.map(({ bssid, status, battery_level }) => ({
      bssid,
      state: status === 3 ? { offline: true } : { at: madeAt.toISOString(), status, battery_level },
    })),
  )
  expect(await db.$count(notifications)).toBe(told.length)
  expect(new Set(await db.select().from(deviceAlarms))).toEqual(new Set(before))
})

test('what was told lies in the past, and after the device was there', () => {
  const created = new Map(fleet.map(({ bssid, created_at }) => [bssid, created_at]))
  for (const { bssid, created_at } of told) {
    expect(created_at.getTime()).toBeLessThanOrEqual(madeAt.getTime())
    expect(created_at.getTime()).toBeGreaterThanOrEqual(created.get(bssid)!.getTime())
  }
  const lastDay = told.filter(({ created_at }) => madeAt.getTime() - created_at.getTime() < 86_400_000)
  expect(lastDay.length).toBeGreaterThan(0)
  expect(lastDay.length).toBeLessThan(told.length / 5)
  expect(new Set(told.map(({ type }) => type)).size).toBeGreaterThan(12)
})
