/** The plan of replacements: whose devices, when, and what is planned already. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { maxPerCall } from '../../../../src/api/contract/endpoint.ts'
import type { DueDevice, Plan } from '../../../../src/api/contract/health/plan.ts'
import { nextVisitStart } from '../../../../src/domain/calendar/visits.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { events } from '../../../../server/db/schema/events.ts'
import { cartridgeForecasts } from '../../../../server/db/schema/forecasts.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const devicesOf = async (login: string) =>
  (
    await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .innerJoin(deviceCartridges, and(eq(deviceCartridges.bssid, devices.bssid), eq(deviceCartridges.position, 0)))
      .where(eq(devices.vendor_id, demoId(`account ${login}`)))
      .orderBy(asc(devices.bssid))
  ).map(({ bssid }) => bssid)
const [first, second, third] = (await devicesOf('vendor')) as [string, string, string]
const [foreign] = (await devicesOf('vendor2')) as [string]
const now = () => clock.now().getTime()
const iso = (time: number) => new Date(time).toISOString()
/** A Wednesday at noon UTC, at least ten days ahead. */
const wednesday = Math.ceil((now() / msPerDay + 10 - 6) / 7) * 7 * msPerDay + 6 * msPerDay + msPerDay / 2

/** Stores the only forecasts: of the first cartridge of each device, with five days before and after. */
async function storeForecasts(dues: Readonly<Record<string, number>>): Promise<void> {
  await db.delete(cartridgeForecasts)
  await db.insert(cartridgeForecasts).values(
    Object.entries(dues).map(([bssid, due]) => ({
      bssid,
      position: 0,
      made_at: clock.now(),
      due_at: new Date(due),
      early_at: new Date(due - 5 * msPerDay),
      late_at: new Date(due + 5 * msPerDay),
      basis: 'litres' as const,
      typical: true,
    })),
  )
}
const get = async <Data>(by: By, path: string) => {
  const answer = await call('GET', path, { token: tokens[by] })
  return { status: answer.statusCode, ...answer.json<{ data: Data; message: string }>() }
}
const planned = (by: By, from = now() - msPerDay, to = now() + 90 * msPerDay, zone = 'UTC') =>
  get<Plan>(by, `/api/v3/health/plan?from=${iso(from)}&to=${iso(to)}&zone=${zone}`)
const visits = async (by: By, from?: number, to?: number) => (await planned(by, from, to)).data.visits
const due = (by: By, ...bssids: readonly string[]) =>
  get<DueDevice[]>(by, `/api/v3/health/plan/devices?devices=${bssids.join(',')}`)
async function createEvent(start: number, ...bssids: readonly string[]) {
  const body = {
    title: 'Replace',
    description: '',
    start: iso(start),
    end: iso(start + msPerDay / 24),
    devices: bssids,
  }
  const answer = await call('POST', '/api/v3/events', { token: tokens.admin, body })
  return answer.json<{ data: { _id: string } }>().data._id
}
const deleteEvent = (id: string) => call('DELETE', `/api/v3/events/${id}`, { token: tokens.admin })

beforeEach(async () => {
  await db.delete(events)
  await db.update(devices).set({ water_supply: 'Harbour main' })
  await storeForecasts({ [first]: wednesday, [second]: wednesday + msPerDay, [foreign]: wednesday })
})

describe('the plan', () => {
  test('has a visit for each vendor, supply and week, at 09:00 in the zone, and only of own devices', async () => {
    const own = await visits('vendor')
    expect(own).toMatchObject([
      {
        vendor: { _id: demoId('account vendor') },
        water_supply: 'Harbour main',
        at: iso(wednesday - msPerDay / 8),
        count: 2,
        part: 1,
        parts: 1,
      },
    ])
    expect(own[0]!.cartridges.map(({ bssid }) => bssid)).toEqual([first, second])
    expect((await visits('other')).flatMap(({ cartridges }) => cartridges.map(({ bssid }) => bssid))).toEqual([foreign])
    expect(await visits('admin')).toHaveLength(2)
    await db.update(devices).set({ water_supply: 'Hill' }).where(eq(devices.bssid, second))
    expect(await visits('vendor')).toHaveLength(2)
  })

  test('has overdue cartridges at the next time at which a visit can begin, in no other range', async () => {
    await storeForecasts({ [first]: now() - 50 * msPerDay, [second]: now() - msPerDay })
    const next = nextVisitStart('UTC', now())
    expect(await visits('vendor')).toMatchObject([{ at: iso(next), count: 2 }])
    expect(await visits('vendor', now() - 80 * msPerDay, now() - msPerDay)).toEqual([])
    expect(await visits('vendor', next + 7 * msPerDay, next + 30 * msPerDay)).toEqual([])
  })

  test('leaves out devices with an event around the time, until that is deleted', async () => {
    const bssidsOf = async () =>
      (await visits('vendor')).flatMap(({ cartridges }) => cartridges.map(({ bssid }) => bssid))
    const long = await createEvent(wednesday - 30 * msPerDay, first)
    const after = await createEvent(wednesday + 30 * msPerDay, first)
    expect(await bssidsOf()).toEqual([first, second])
    const event = await createEvent(wednesday, first, foreign)
    expect(await bssidsOf()).toEqual([second])
    expect(await visits('other')).toEqual([])
    await deleteEvent(event)
    expect(await bssidsOf()).toEqual([first, second])
    for (const id of [long, after]) await deleteEvent(id)
  })

  test('leaves out what is overdue once it has an event that has not ended', async () => {
    await storeForecasts({ [first]: now() - 50 * msPerDay })
    const event = await createEvent(now() + 2 * msPerDay, first)
    expect(await visits('vendor')).toEqual([])
    await deleteEvent(event)
    const past = await createEvent(now() - 3 * msPerDay, first)
    expect(await visits('vendor')).toHaveLength(1)
    await deleteEvent(past)
  })

  test('divides a visit of more devices than an event can have, and has at most 10,000 cartridges', async () => {
    const addDevices = (from: number, to: number) =>
      db.transaction(async tx => {
        const bssid = sql`'FE:ED:' || regexp_replace(lpad(to_hex(number), 8, '0'), '(..)(..)(..)(..)', '\\1:\\2:\\3:\\4')`
        const [row] = await tx.select().from(devices).where(eq(devices.bssid, first))
        await tx.execute(sql`
          insert into devices (bssid, vendor_id, model_id, platform, water_supply)
          select upper(${bssid}), ${row!.vendor_id}, ${row!.model_id}, ${row!.platform}, 'Harbour main'
          from generate_series(${from}::int, ${to}::int) as number`)
        await tx.execute(sql`
          insert into device_cartridges (bssid, position, cartridge_type_id, installed_at)
          select upper(${bssid}), 0, (select cartridge_type_id from device_cartridges where bssid = ${first} and position = 0), now()
          from generate_series(${from}::int, ${to}::int) as number`)
        await tx.execute(sql`
          insert into cartridge_forecasts (bssid, position, made_at, due_at, early_at, late_at, basis, typical)
          select upper(${bssid}), 0, made_at, due_at, early_at, late_at, basis, typical
          from cartridge_forecasts, generate_series(${from}::int, ${to}::int) as number
          where cartridge_forecasts.bssid = ${first}`)
      })
    await addDevices(1, maxPerCall)
    try {
      const parts = await visits('vendor')
      expect(parts.map(({ count, part, parts: all }) => [count, part, all])).toEqual([
        [501, 1, 2],
        [501, 2, 2],
      ])
      expect(new Set(parts.flatMap(({ cartridges }) => cartridges.map(({ bssid }) => bssid))).size).toBe(1002)
      await addDevices(maxPerCall + 1, 10_000)
      // The two devices of the other tests, which are due later, and 9,998 of these.
      await addDevices(10_001, 10_500)
      const { data } = await planned('vendor')
      expect(data.more).toBe(502)
      expect(data.visits.flatMap(({ cartridges }) => cartridges)).toHaveLength(10_000)
    } finally {
      await db.delete(devices).where(sql`bssid like 'FE:ED:%'`)
    }
  })

  test('refuses ranges that are too long or end before they begin', async () => {
    expect((await planned('vendor', now(), now() + 101 * msPerDay)).status).toBe(400)
    expect((await planned('vendor', now(), now() - msPerDay)).status).toBe(400)
    expect((await planned('vendor', undefined, undefined, 'Nowhere')).status).toBe(400)
  })
})

describe('the plan of devices', () => {
  test('has when their cartridges are due and the event of that time; foreign devices look like absent ones', async () => {
    const event = await createEvent(wednesday, second)
    const { data } = await due('vendor', second, third, foreign, first, '00:00:00:00:00:00')
    expect(data.map(({ bssid }) => bssid)).toEqual([first, second, third].toSorted())
    const byId = new Map(data.map(device => [device.bssid, device]))
    expect(byId.get(first)!.cartridges).toMatchObject([
      { bssid: first, position: 0, due_at: iso(wednesday), planned_at: null },
    ])
    expect(byId.get(second)!.cartridges).toMatchObject([{ planned_at: iso(wednesday) }])
    expect(byId.get(third)!.cartridges).toEqual([])
    expect((await due('admin', foreign)).data).toHaveLength(1)
    await deleteEvent(event)
  })

  test('refuses no device and more than 500, and finds nothing by what is no id', async () => {
    expect((await due('vendor')).status).toBe(400)
    expect((await due('vendor', 'nonsense')).data).toEqual([])
    expect((await due('vendor', 'x'.repeat(65))).status).toBe(400)
    const many = Array.from(
      { length: 501 },
      (_, index) => `00:00:00:00:${String(index).padStart(4, '0').replace(/(..)/, '$1:')}`,
    )
    expect((await due('vendor', ...many)).status).toBe(400)
    expect((await due('vendor', ...many.slice(1))).data).toEqual([])
  })
})
