/** Leaks are found while the day goes on, hours after they began. */
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { deviceHealth, healthFindings } from '../../../../server/db/schema/health.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays } from '../../support/health/healthSamples.ts'
import { day, hour, newDevice, readingAt, testIngest } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const ingest = testIngest(server)
afterAll(() => ingest.close())

/** Midnight UTC of tomorrow, from which on the tests' days are counted. */
const midnight = Math.ceil(clock.now().getTime() / day) * day
const today = midnight / day
const at = (hours: number) => new Date(midnight + hours * hour)
const setClock = (hours: number) => clock.advance(at(hours).getTime() - clock.now().getTime())

/** Adds the readings of feed without permeate from one hour of today to another: `flow` in l/h. */
async function leak(bssid: string, from: number, to: number, flow: number): Promise<void> {
  const readings = []
  for (let time = midnight + from * hour; time <= midnight + to * hour; time += 60_000)
    readings.push(readingAt(time, { feed: flow / 60, permeate: 0, feed_flow: flow / 60, permeate_flow: 0 }))
  setClock(to)
  await ingest.add(bssid, readings)
}

/** Returns a device that has been stepped to the end of yesterday, with nothing due. */
async function soundDevice(values = {}): Promise<string> {
  const bssid = await newDevice(db, values)
  await storeDays(db, bssid, { days: 30, today })
  await stepDevices(db, [bssid], at(2))
  await db.update(deviceHealth).set({ due_at: new Date(midnight + 30 * day) })
  return bssid
}

const findingsOf = (bssid: string) => db.select().from(healthFindings).where(eq(healthFindings.bssid, bssid))
const stepAll = async (now: Date) => {
  while ((await stepSlice(db, now)).hasMore);
}

test('a leak is found after three hours, without waiting for the end of the day', async () => {
  const bssid = await soundDevice()
  await leak(bssid, 3, 5.5, 1.2)
  await stepAll(at(5.6))
  expect(await findingsOf(bssid)).toEqual([])
  await leak(bssid, 5.6, 7.1, 1.2)
  await stepAll(at(7.2))
  const [finding] = await findingsOf(bssid)
  expect(finding).toMatchObject({ cause: 'leak', state: 'open', severity: 'act', detected_at: at(0), told_at: at(7.2) })
  expect(finding!.evidence[0]).toMatchObject({ channel: 'rest', unit: 'l/h' })
  expect(finding!.evidence[0]!.value).toBeCloseTo(1.2, 1)
  const [row] = await db.select().from(devices).where(eq(devices.bssid, bssid))
  expect(row).toMatchObject({ health_state: 'act', health_cause: 'leak' })

  // The end of the day makes no second finding of it, and the first day without it ends it.
  await stepAll(at(26))
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'leak', state: 'open' }])
  await storeDays(db, bssid, { days: 1, today: today + 2 })
  await stepAll(at(50))
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'leak', state: 'resolved' }])
})

test('glasses that are drawn between two readings are neither a leak nor a valve that stays open', async () => {
  const bssid = await soundDevice()
  const readings = Array.from({ length: 62 }, (_, index) =>
    readingAt(midnight + 3 * hour + index * 300_000, { feed: 0.9, permeate: 0.3, feed_flow: 0, permeate_flow: 0 }),
  )
  setClock(8.2)
  await ingest.add(bssid, readings)
  await stepAll(at(8.3))
  await stepDevices(db, [bssid], at(26))
  expect(await findingsOf(bssid)).toEqual([])
})

test('a valve that stays open is not called a leak', async () => {
  const bssid = await soundDevice()
  await leak(bssid, 3, 7.1, 30)
  await stepAll(at(7.2))
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'valve_stuck' }])
})

test('less than a leak makes no device due', async () => {
  const bssid = await soundDevice()
  await leak(bssid, 3, 9.1, 0.2)
  const [health] = await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, bssid))
  expect(health!.due_at).toEqual(new Date(midnight + 30 * day))
})

test.each(['Pacific/Auckland', 'America/Los_Angeles'])('a leak counts for the local day in %s', async time_zone => {
  const bssid = await soundDevice({ time_zone })
  // Morning in the one, evening of the day before in the other.
  await leak(bssid, 1, 5.1, 1.2)
  await stepAll(at(5.2))
  expect(await findingsOf(bssid)).toMatchObject([{ cause: 'leak' }])
})
