/** The demo's notifications include all active alarms, so that the first start creates none. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { selectDevices } from '../support/devices/deviceRows.ts'
import { deviceAlarms, notifications } from '../../../server/db/schema/notifications.ts'
import { demoId } from '../../../server/demo/random.ts'
import { startServer } from '../support/harness.ts'

const { alarms, db } = await startServer()
const [admin] = await db
  .select({ at: accounts.created_at })
  .from(accounts)
  .where(eq(accounts.id, demoId('account admin')))
const madeAt = admin!.at
const fleet = await selectDevices(db)
const stored = await db.select().from(notifications)

test('the first states of the demo’s devices neither begin nor end an alarm', async () => {
  const before = await db.select().from(deviceAlarms)
  expect(before.length).toBeGreaterThan(fleet.length / 2)
  await alarms.sweep(madeAt)
  await alarms.states(
    fleet.map(({ bssid, status, battery_level }) => ({
      bssid,
      state: status === 3 ? { offline: true } : { at: madeAt.toISOString(), status, battery_level },
    })),
  )
  expect(await db.$count(notifications)).toBe(stored.length)
  expect(new Set(await db.select().from(deviceAlarms))).toEqual(new Set(before))
})

test('the demo’s notifications are in the past, after their device was created', () => {
  const created = new Map(fleet.map(({ bssid, created_at }) => [bssid, created_at]))
  for (const { bssid, created_at } of stored) {
    expect(created_at.getTime()).toBeLessThanOrEqual(madeAt.getTime())
    expect(created_at.getTime()).toBeGreaterThanOrEqual(created.get(bssid)!.getTime())
  }
  const lastDay = stored.filter(({ created_at }) => madeAt.getTime() - created_at.getTime() < 86_400_000)
  expect(lastDay.length).toBeGreaterThan(0)
  expect(lastDay.length).toBeLessThan(stored.length / 5)
  expect(new Set(stored.map(({ type }) => type)).size).toBeGreaterThan(12)
})
