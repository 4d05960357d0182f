/** Chart statistics: what they show of readings, and which days PostgreSQL stores for them. */
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { readingDays } from '../../../../server/db/schema/telemetry.ts'
import { writeRollups } from '../../../../server/telemetry/postgres/rollups.ts'
import { chartsOf, rollupAt } from '../../support/devices/charts.ts'
import { startServer } from '../../support/harness.ts'
import { minute, newDevice, readingAt, testIngest } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db } = server
const { setClock, points, feeds } = chartsOf(server)
const ingest = testIngest(server)
afterAll(() => ingest.close())

test('imported history is included also if days were stored before, and adds to existing rollups', async () => {
  setClock('2026-07-20T12:00:00Z')
  const bssid = await newDevice(db)
  const ask = { range: 'year', zone: 'Europe/Berlin' } as const
  await writeRollups(db, 'hour', [rollupAt(bssid, '2026-07-01T10:00:00Z', 3)])
  expect(await feeds(bssid, ask)).toEqual({ '2026-06-30T22:00:00.000Z': 3 })
  await writeRollups(db, 'hour', [
    rollupAt(bssid, '2026-07-01T10:00:00Z', 4),
    rollupAt(bssid, '2026-07-02T10:00:00Z', 5),
  ])
  expect(await feeds(bssid, ask)).toEqual({ '2026-06-30T22:00:00.000Z': 7, '2026-07-01T22:00:00.000Z': 5 })
})

test('recovery needs 0.25 l of permeate or 2 l of feed; less is a gap and not a spike', async () => {
  setClock('2026-07-20T12:00:00Z')
  const bssid = await newDevice(db)
  const waters = [
    // A flush, and a flush with a sip.
    [1.99, 0],
    [1.5, 0.24],
    [0.6, 0.25],
    // A membrane that lets nothing through.
    [2, 0],
  ] as const
  const start = Date.parse('2026-07-20T08:00:00Z')
  await ingest.add(
    bssid,
    waters.map(([feed, permeate], at) => readingAt(start + at * 10 * minute, { feed, permeate, permeate_flow: 0.4 })),
  )
  const read = (await points(bssid, { range: 'day', zone: 'UTC' })).filter(({ feed }) => feed !== null)
  expect(read.map(point => point.recovery_rate)).toEqual([null, null, 41.666667, 0])
  expect(read.map(point => point.instant_recovery_rate !== null)).toEqual([false, false, true, true])
  expect(read.map(point => point.rejection_rate !== null)).toEqual([true, true, true, true])
})

test('days are stored under the canonical name of a zone, and not for each spelling', async () => {
  setClock('2026-07-20T12:00:00Z')
  const bssid = await newDevice(db)
  await ingest.add(bssid, [readingAt(Date.parse('2026-07-10T12:00:00Z'))])
  for (const zone of ['Asia/Kolkata', 'Asia/Calcutta', 'europe/BERLIN', '+05:30', '+01:00', 'UTC', 'Etc/UTC'])
    await points(bssid, { range: 'year', zone })
  const kept = await db.select({ zone: readingDays.zone }).from(readingDays).where(eq(readingDays.bssid, bssid))
  expect(kept.map(({ zone }) => zone).toSorted()).toEqual(['Asia/Calcutta', 'Europe/Berlin', 'UTC'])
})

test('today and a day that has just ended are not stored, because their readings may still arrive', async () => {
  setClock('2026-07-20T00:50:00Z')
  const bssid = await newDevice(db)
  await ingest.add(
    bssid,
    ['2026-07-18T12:00:00Z', '2026-07-19T12:00:00Z'].map(at => readingAt(Date.parse(at))),
  )
  await points(bssid, { range: 'year', zone: 'UTC' })
  const kept = await db.select({ at: readingDays.at }).from(readingDays).where(eq(readingDays.bssid, bssid))
  expect(kept.map(({ at }) => at.toISOString())).toEqual(['2026-07-18T00:00:00.000Z'])
})
