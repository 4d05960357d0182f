/** The demo's history and its fleet file. */
import { readFile, rm, stat } from 'node:fs/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { deviceCartridges, devices } from '../../../server/db/schema/devices.ts'
import { forecastScores, keptForecasts, prefilterLives } from '../../../server/db/schema/forecasts.ts'
import { deviceHealth } from '../../../server/db/schema/health.ts'
import { readingDays, readingHours, readingTenMinutes } from '../../../server/db/schema/telemetry.ts'
import { deviceCredentials } from '../../../server/db/schema/wire.ts'
import { bssidAt } from '../../../server/demo/device.ts'
import { ensureFleetFile, fleetPath } from '../../../server/demo/fleetFile.ts'
import { alwaysThere } from '../../../server/db/state.ts'
import { startHistory } from '../../../server/demo/history.ts'
import { createCredentials, storeCredentials, verifySecret } from '../../../server/devices/gateway/credentials.ts'
import { FleetDevice } from '../../../server/protocol/fleetFile.ts'
import { selectDevices } from '../support/devices/deviceRows.ts'
import { startServer, temporaryFolder, type TestServer } from '../support/harness.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'

const fleet = 40
const day = 86_400_000
const seed = 1
const bssids = Array.from({ length: fleet }, (_, place) => bssidAt(seed, place))
const failed: string[] = []
const log = { info: () => undefined, error: (text: string, error: unknown) => failed.push(`${text}: ${String(error)}`) }

const writeHistory = async (server: TestServer, count = fleet) => {
  await startHistory({ ...server, database: alwaysThere, log, fleet: count, days: 365 }).done
  expect(failed).toEqual([])
}
const storedRows = async ({ db }: TestServer) => ({
  // Days of other zones are computed on request.
  days: await db.select().from(readingDays).where(eq(readingDays.zone, '')).orderBy(readingDays.bssid, readingDays.at),
  hours: await db.select().from(readingHours).orderBy(readingHours.bssid, readingHours.at),
  tenMinutes: await db.select().from(readingTenMinutes).orderBy(readingTenMinutes.bssid, readingTenMinutes.at),
})
type Rows = Awaited<ReturnType<typeof storedRows>>
type Row = Rows['hours'][number]
const litres = (rows: readonly Row[]) => rows.reduce((sum, { permeate }) => sum + permeate, 0)

describe('the history', () => {
  let server: TestServer
  let rows: Rows
  beforeAll(async () => {
    server = await startServer()
    await writeHistory(server)
    rows = await storedRows(server)
  })

  test('has UTC days, hours of the last month, and ten minutes of two days', async () => {
    const found = await selectDevices(server.db).where(inArray(devices.bssid, bssids))
    const now = Date.now()
    const old = found.filter(({ created_at, status }) => status !== 3 && now - created_at.getTime() > 366 * day)
    expect(old.length).toBeGreaterThan(5)
    for (const { bssid } of old) {
      const its = (from: readonly (Row & { bssid: string })[]) => from.filter(row => row.bssid === bssid)
      // Some days without power are missing.
      expect(its(rows.days).length).toBeGreaterThan(250)
      expect(its(rows.days).length).toBeLessThanOrEqual(366 - 31)
      expect(its(rows.hours).length).toBeLessThanOrEqual(32 * 24)
      expect(its(rows.tenMinutes).length).toBeLessThanOrEqual(49 * 6)
    }
    expect(rows.hours.length).toBeGreaterThan(old.length * 24 * 24)
    for (const { at, zone } of rows.days) expect([at.getTime() % day, zone]).toEqual([0, ''])
    for (const { at } of rows.hours) expect(at.getTime() % 3_600_000).toBe(0)
    for (const { at } of rows.tenMinutes) expect(at.getTime() % 600_000).toBe(0)
  })

  test('has forecasts whose simulated cartridges have ended since, and those of the cartridges of today', async () => {
    const { db } = server
    // The server judges forecasts meanwhile.
    const { forecasts, scores } = await db.transaction(
      async tx => ({
        forecasts: await tx.select().from(keptForecasts),
        scores: await tx.select().from(forecastScores),
      }),
      { isolationLevel: 'repeatable read' },
    )
    const ended = forecasts.filter(({ ended_at }) => ended_at !== null)
    expect(ended.length).toBeGreaterThan(10)
    for (const { made_at, ended_at, installed_at } of ended) {
      expect(made_at.getTime()).toBeGreaterThan(installed_at.getTime() - day)
      expect(ended_at!.getTime()).toBeGreaterThan(made_at.getTime())
    }
    const known = ended.filter(({ inside }) => inside !== null)
    const sum = (name: 'outcomes' | 'inside') => scores.reduce((total, row) => total + row[name], 0)
    expect(sum('outcomes')).toBe(known.length)
    expect(sum('inside')).toBe(known.filter(({ inside }) => inside).length)
    const fitted = new Set(
      (await db.select().from(deviceCartridges)).map(
        ({ bssid, position, installed_at }) => `${bssid} ${position} ${installed_at.getTime()}`,
      ),
    )
    const pending = forecasts.filter(({ ended_at }) => ended_at === null)
    expect(pending.length).toBeGreaterThan(10)
    for (const { bssid, position, installed_at } of pending)
      expect(fitted).toContain(`${bssid} ${position} ${installed_at.getTime()}`)
  })

  test('has lives of pre-filters: sediment clogged some, and a life that goes on is that of a fitted pre-filter', async () => {
    const { db } = server
    const lives = await db.select().from(prefilterLives)
    const fitted = new Map(
      (await db.select().from(deviceCartridges)).map(({ bssid, installed_at, volume_before }) => [
        `${bssid} ${installed_at.getTime()}`,
        volume_before,
      ]),
    )
    expect(lives.filter(({ clogged }) => clogged).length).toBeGreaterThan(3)
    expect(lives.filter(({ litres, clogged }) => litres !== null && !clogged).length).toBeGreaterThan(10)
    const going = lives.filter(({ ended_at }) => ended_at === null)
    expect(going.length).toBeGreaterThan(5)
    for (const { bssid, installed_at, volume_before } of going)
      expect(fitted.get(`${bssid} ${installed_at.getTime()}`), bssid).toBe(volume_before)
    for (const { installed_at, ended_at, litres } of lives) {
      expect(ended_at === null || ended_at > installed_at).toBe(true)
      expect(litres ?? 0).toBeGreaterThanOrEqual(0)
    }
  })

  test('has the litres of the last weeks, which lead to those of now', async () => {
    const found = await selectDevices(server.db).where(inArray(devices.bssid, bssids))
    const health = await server.db.select().from(deviceHealth).where(inArray(deviceHealth.bssid, bssids))
    const volumes = new Map(health.map(({ bssid, volumes }) => [bssid, volumes]))
    const inUse = found.filter(
      ({ created_at, status }) => status !== 3 && Date.now() - created_at.getTime() > 100 * day,
    )
    expect(inUse.length).toBeGreaterThan(5)
    for (const { bssid, permeate, feed } of inUse) {
      const weeks = volumes.get(bssid)!
      expect(weeks.length, bssid).toBeGreaterThan(4)
      for (const [at, week] of weeks.entries()) {
        expect(week.permeate).toBeLessThanOrEqual(permeate)
        expect(week.feed).toBeLessThanOrEqual(feed)
        if (at > 0) expect(week.permeate).toBeGreaterThanOrEqual(weeks[at - 1]!.permeate)
      }
    }
  })

  test('has days and hours that do not overlap', () => {
    const firstHour = new Map<string, number>()
    for (const { bssid, at } of rows.hours) if (!firstHour.has(bssid)) firstHour.set(bssid, at.getTime())
    for (const { bssid, at } of rows.days)
      expect(at.getTime() + day).toBeLessThanOrEqual(firstHour.get(bssid) ?? Number.POSITIVE_INFINITY)
  })

  test('has hours that are the sum of their ten minutes', () => {
    const parts = Map.groupBy(rows.tenMinutes, ({ bssid, at }) => `${bssid} ${Math.floor(at.getTime() / 3_600_000)}`)
    const hours = new Map(rows.hours.map(row => [`${row.bssid} ${row.at.getTime() / 3_600_000}`, row]))
    expect(parts.size).toBeGreaterThan(fleet * 24)
    for (const [key, its] of parts) {
      const hour = hours.get(key)!
      const sum = (name: 'readings' | 'feed' | 'permeate' | 'feed_tds_sum' | 'pressure_count' | 'production_count') =>
        its.reduce((before, row) => before + row[name], 0)
      expect(hour.readings, key).toBe(sum('readings'))
      expect(hour.production_count, key).toBe(sum('production_count'))
      expect(hour.pressure_count, key).toBe(sum('pressure_count'))
      expect(hour.feed, key).toBeCloseTo(sum('feed'), 4)
      expect(hour.permeate, key).toBeCloseTo(sum('permeate'), 4)
      expect(hour.feed_tds_sum, key).toBeCloseTo(sum('feed_tds_sum'), 3)
    }
  })

  test('ends at the devices’ current values', async () => {
    const found = await selectDevices(server.db).where(inArray(devices.bssid, bssids))
    const now = Date.now()
    let compared = 0
    for (const device of found) {
      const { bssid, status } = device
      const its = (from: readonly (Row & { bssid: string })[]) => from.filter(row => row.bssid === bssid)
      const past = [...its(rows.days), ...its(rows.hours)]
      // About as much water as its lifetime litres at most, because random draws differ.
      expect(litres(past), bssid).toBeLessThan(device.permeate * 1.5)
      for (const { permeate, feed, readings } of past) {
        expect(permeate).toBeLessThanOrEqual(feed)
        expect(readings).toBeGreaterThan(0)
      }
      const end = status === 3 ? device.last_active!.getTime() : now
      for (const { at } of past) expect(at.getTime()).toBeLessThanOrEqual(end)

      const last = its(rows.tenMinutes).findLast(row => row.pressure_count > 0 && row.feed_tds_count > 0)
      if (status > 1 || last === undefined) continue
      compared++
      expect(last.feed_tds_sum / last.feed_tds_count / device.feed_tds!, bssid).toBeCloseTo(1, 1)
      expect(last.temperature_sum / last.temperature_count, bssid).toBeCloseTo(device.temperature!, 0)
      expect(Math.abs(last.pressure_sum / last.pressure_count - device.pressure!), bssid).toBeLessThan(0.5)
      // Flushing lowers the recovery; the season and the pressure of tanks change it, by how much depends on today's date.
      const month = its(rows.hours)
      const recovery = (litres(month) / month.reduce((sum, { feed }) => sum + feed, 0)) * 100
      expect(recovery / device.recovery_rate!, bssid).toBeGreaterThan(0.6)
      expect(recovery / device.recovery_rate!, bssid).toBeLessThan(1.5)
    }
    expect(compared).toBeGreaterThan(10)
  })

  test('has no values of a failed sensor', async () => {
    const [device] = await server.db
      .select({ bssid: devices.bssid })
      .from(devices)
      .innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))
      .where(sql`${deviceValues.status} = 13 and ${devices.bssid} = any(${sql.param(bssids)}::text[])`)
    const its = rows.tenMinutes.filter(({ bssid }) => bssid === device!.bssid)
    expect(its.at(-1)).toMatchObject({ pressure_count: 0, pressure_sum: 0 })
    expect(its.at(-1)!.temperature_count).toBeGreaterThan(0)
  })

  test('is in the chart of a year', async () => {
    const { access_token } = await server.signIn('admin')
    const [oldest] = await server.db
      .select({ bssid: devices.bssid })
      .from(devices)
      .innerJoin(deviceValues, eq(deviceValues.bssid, devices.bssid))
      .where(sql`${deviceValues.status} = 0 and ${devices.bssid} = any(${sql.param(bssids)}::text[])`)
      .orderBy(devices.created_at)
      .limit(1)
    const answer = await server.call('GET', `/api/v3/devices/${oldest!.bssid}?range=year&zone=Europe/Berlin`, {
      token: access_token,
    })
    const { data } = answer.json<{ data: { statistics: { points: { permeate: number | null }[] } } }>()
    const read = data.statistics.points.filter(({ permeate }) => permeate !== null)
    expect(data.statistics.points.length).toBeGreaterThanOrEqual(365)
    expect(read.length).toBeGreaterThan(300)
  })

  test('is not written again', async () => {
    await writeHistory(server)
    expect(await storedRows(server)).toEqual(rows)
  })
})

test('an interrupted history is continued with the same result', async () => {
  const [broken, whole] = [await startServer(), await startServer()]
  const some = 12
  const history = startHistory({ ...broken, database: alwaysThere, log, fleet: some, days: 365 })
  await vi.waitFor(async () => expect(await broken.db.$count(readingHours)).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 10,
  })
  await history.close()
  const hoursBefore = await broken.db.$count(readingHours)
  await writeHistory(broken, some)
  await writeHistory(whole, some)
  expect(await storedRows(broken)).toEqual(await storedRows(whole))
  expect(hoursBefore).toBeLessThan(await whole.db.$count(readingHours))
})

describe('the fleet file', () => {
  const secretsOf = async (path: string) => {
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    return new Map(
      lines.map(line => [z.parse(FleetDevice, JSON.parse(line)).bssid, z.parse(FleetDevice, JSON.parse(line)).secret]),
    )
  }

  test('has the demo devices’ secrets, is written once, and is readable only by its owner', async () => {
    const { db } = await startServer()
    const dataDir = await temporaryFolder()
    await ensureFleetFile({ db, dataDir, fleet, now: new Date() })
    const path = fleetPath(dataDir)
    const secrets = await secretsOf(path)
    expect([...secrets.keys()].toSorted()).toEqual(bssids.toSorted())
    const hashes = await db.select().from(deviceCredentials)
    expect(hashes).toHaveLength(fleet)
    for (const { bssid, hash } of hashes.slice(0, 5)) expect(await verifySecret(secrets.get(bssid)!, hash)).toBe(true)
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)

    await ensureFleetFile({ db, dataDir, fleet, now: new Date() })
    expect(await secretsOf(path)).toEqual(secrets)
  })

  test('has the supplies of the devices, and the slow faults that the database does not know', async () => {
    const { db } = await startServer()
    const dataDir = await temporaryFolder()
    await ensureFleetFile({ db, dataDir, fleet, now: new Date() })
    const lines = (await readFile(fleetPath(dataDir), 'utf8')).trim().split('\n')
    const described = lines.map(line => z.parse(FleetDevice, JSON.parse(line)))
    const stored = new Map((await selectDevices(db)).map(device => [device.bssid, device]))
    for (const { bssid, water_supply } of described) expect(water_supply).toBe(stored.get(bssid)!.water_supply)
    const faulty = described.filter(({ slow_faults }) => slow_faults !== undefined)
    expect(faulty.length).toBeGreaterThan(6)
    for (const { slow_faults } of faulty)
      for (const { began } of slow_faults!) expect(Date.parse(began)).toBeLessThan(Date.now())
  })

  test('is recreated with new secrets if it is missing, and other devices keep theirs', async () => {
    const { db } = await startServer()
    const dataDir = await temporaryFolder()
    const options = { db, dataDir, fleet, now: new Date() }
    await ensureFleetFile(options)
    const before = await secretsOf(fleetPath(dataDir))
    const other = bssidAt(seed, fleet)
    const [added] = await createCredentials([other])
    await storeCredentials(db, [added!], new Date())
    const deleted = bssids[3]!
    await db.delete(devices).where(eq(devices.bssid, deleted))

    await rm(fleetPath(dataDir))
    await ensureFleetFile(options)
    const after = await secretsOf(fleetPath(dataDir))
    expect([...after.keys()].toSorted()).toEqual(bssids.filter(bssid => bssid !== deleted).toSorted())
    const one = bssids[0]!
    const [{ hash } = { hash: '' }] = await db.select().from(deviceCredentials).where(eq(deviceCredentials.bssid, one))
    expect(await verifySecret(after.get(one)!, hash)).toBe(true)
    expect(await verifySecret(before.get(one)!, hash)).toBe(false)
    const [kept] = await db.select().from(deviceCredentials).where(eq(deviceCredentials.bssid, other))
    expect(await verifySecret(added!.secret, kept!.hash)).toBe(true)
  })
})
