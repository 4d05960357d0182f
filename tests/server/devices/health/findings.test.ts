/** What the daily step does with the stored findings of a device. */
import { and, eq, gte } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { healthFindings } from '../../../../server/db/schema/health.ts'
import { healthDays } from '../../../../server/db/schema/healthDays.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)
const after = (days: number) => new Date(now.getTime() + days * day)

const findingsOf = (bssid: string) => db.select().from(healthFindings).where(eq(healthFindings.bssid, bssid))

/** A device whose concentrate has been restricted for 20 days. */
async function restrictedDevice(): Promise<string> {
  const bssid = await newDevice(db)
  await storeDays(db, bssid, { days: 80, today, course: index => (index < 60 ? {} : { r: 0.4 }) })
  await stepDevices(db, [bssid], now)
  return bssid
}

/** Stores days on which water flowed at rest only. */
async function storeRest(bssid: string, days: number): Promise<void> {
  await storeDays(db, bssid, { days, today: today + days })
  await db
    .update(healthDays)
    .set({ n: 0, flows: 0, rest_hours: 5, rest_litres: 0.1 })
    .where(and(eq(healthDays.bssid, bssid), gte(healthDays.day, today)))
}

test('a shelved finding stays on its shelf over days on which water flowed at rest only', async () => {
  const bssid = await restrictedDevice()
  const shelf = { state: 'shelved', shelved_until: after(60), shelved_size: 1 } as const
  await db.update(healthFindings).set(shelf).where(eq(healthFindings.bssid, bssid))
  const [before] = await findingsOf(bssid)
  await storeRest(bssid, 12)
  await stepDevices(db, [bssid], after(12))
  const { state, cause, evidence, ended_at } = before!
  expect(await findingsOf(bssid)).toMatchObject([{ state, cause, evidence, ended_at }])
  await storeDays(db, bssid, { days: 3, today: today + 15, course: () => ({ r: 0.4 }) })
  await stepDevices(db, [bssid], after(15))
  expect(await findingsOf(bssid)).toMatchObject([{ state: 'shelved', ended_at: null }])
})
