/** The list of events: all that overlap a time span, for vendors only those of their own devices. */
import { inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOf } from '../../../../src/domain/zone.ts'
import { newId } from '../../../../server/db/id.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { events } from '../../../../server/db/schema/events.ts'
import { openCalendar } from '../../support/calls/eventCalls.ts'
import { startServer } from '../../support/harness.ts'
import { newEvent } from '../../support/subjects.ts'

const server = await startServer()
const { call, db } = server
const { token, own, mine, theirs, create, list, manyDevices } = await openCalendar(server)

describe('the list', () => {
  test('law: has the events that overlap the time span, earliest first', async () => {
    await db.delete(events)
    const hour = 3_600_000
    const begin = Date.UTC(2030, 0, 1)
    // Few distinct times, so that many events touch.
    const made = Array.from({ length: 120 }, (_, at) => {
      const start = begin + ((at * 7) % 40) * hour
      return { id: newId(), start, end: start + ((at * 5) % 4) * hour * (at % 9 === 0 ? 20 : 1), of: own[at % 4]! }
    })
    for (const { id, start, end, of } of made)
      await newEvent(db, [of], { id, starts_at: new Date(start), ends_at: new Date(end) })
    const place = fc.integer({ min: -2, max: 130 })
    await fc.assert(
      fc.asyncProperty(
        place,
        fc.nat(60),
        fc.option(fc.subarray(own.slice(0, 4)), { nil: undefined }),
        async (at, length, of) => {
          const [from, to] = [begin + at * hour, begin + (at + length) * hour]
          const expected = made
            .filter(({ start, end }) => from < to && start < to && (end > from || start >= from))
            .filter(event => of?.includes(event.of) ?? true)
            .toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
          const { data } = await list('vendor', new Date(from).toISOString(), new Date(to).toISOString(), of)
          expect(data.map(({ _id }) => _id)).toEqual(expected.map(({ id }) => id))
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
    'has the right events on days with a clock change in %s',
    async zone => {
      const day = 86_400_000
      for (const date of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
        await db.delete(events)
        const wall = Date.parse(date)
        const [from, to] = [instantOf(zone, wall), instantOf(zone, wall + day)]
        const whole = await newEvent(db, [mine], { starts_at: new Date(from), ends_at: new Date(to) })
        const last = await newEvent(db, [mine], { starts_at: new Date(to - 1), ends_at: new Date(to - 1) })
        await newEvent(db, [mine], { starts_at: new Date(to), ends_at: new Date(to) })
        await newEvent(db, [mine], { starts_at: new Date(from - day), ends_at: new Date(from) })
        const { data } = await list('admin', new Date(from).toISOString(), new Date(to).toISOString())
        expect(data.map(({ _id }) => _id)).toEqual([whole, last])
        expect(Date.parse(data[0]!.end) - Date.parse(data[0]!.start)).toBe(to - from)
      }
    },
  )

  test.each([
    ['2031-01-01T00:00:00Z', '2030-12-31T23:59:59Z', 'To must not be before from'],
    ['2031-01-01T00:00:00Z', '2032-02-05T00:00:00.001Z', 'From and to must be at most 400 days apart'],
    ['0000-01-01T00:00:00Z', '2031-01-01T00:00:00Z', 'From must be in the years 1 to 9999'],
    ['tomorrow', '2031-01-01T00:00:00Z', 'From must be an ISO 8601 time, such as 2026-01-31T12:00:00Z'],
  ])('refuses the span from %s to %s: %s', async (from, to, message) => {
    expect(await list('admin', from, to)).toMatchObject({ status: 400, message })
  })

  test('accepts 400 days, and requires both ends', async () => {
    expect((await list('admin', '2031-01-01T00:00:00Z', '2032-02-05T00:00:00Z')).status).toBe(200)
    const answer = await call('GET', '/api/v3/events?from=2031-01-01T00:00:00Z', { token: token.admin })
    expect(answer.json()).toEqual({ message: 'To is required' })
  })

  test('lists the first hundred devices of each event and counts them all, however many events there are', async () => {
    const made = await manyDevices('FE:E2:00:01', 1000)
    const at = new Date('2032-03-01T08:00:00Z')
    const all = Array.from({ length: 51 }, () => newId())
    for (const id of all) await newEvent(db, [...made, theirs], { id, starts_at: at, ends_at: at })
    const window = ['2032-03-01T00:00:00Z', '2032-03-02T00:00:00Z'] as const
    const { status, data } = await list('admin', ...window)
    expect(status).toBe(200)
    expect(data).toHaveLength(51)
    expect(data[0]).toMatchObject({ devices: [theirs, ...made].slice(0, 100), device_count: 1001 })
    expect((await list('vendor', ...window)).data[0]).toMatchObject({ device_count: 1000 })
    expect((await list('vendor2', ...window)).data[0]).toMatchObject({ devices: [theirs], device_count: 1 })
    await db.delete(events).where(inArray(events.id, all))
    await db.delete(devices).where(inArray(devices.bssid, made))
  })

  test('comes in pages, which go on after an event', async () => {
    const hours = [8, 8, 9, 10, 11]
    for (const hour of hours) {
      const at = new Date(Date.UTC(2032, 4, 1, hour))
      await newEvent(db, [mine], { starts_at: at, ends_at: at })
    }
    const page = async (more: string) => {
      const span = 'from=2032-05-01T00:00:00Z&to=2032-05-02T00:00:00Z'
      const answer = await call('GET', `/api/v3/events?${span}${more}`, { token: token.vendor })
      return answer.json<{ data?: { _id: string; start: string }[]; message?: string }>()
    }
    const expected = (await page('')).data!
    expect(expected).toHaveLength(5)
    const found = []
    for (let more = '&limit=2'; ;) {
      const data = (await page(more)).data!
      found.push(...data)
      if (data.length < 2) break
      more = `&limit=2&after=${data[1]!.start},${data[1]!._id}`
    }
    expect(found).toEqual(expected)
    expect((await page('&after=nothing')).message).toContain('After must be the start and the _id of an event')
    expect((await page('&after=tomorrow,x')).message).toContain('After must be in the years')
  })

  test('can be filtered by devices in any spelling, with each event once', async () => {
    const { id } = await create('vendor', { devices: own.slice(0, 3) })
    const window = ['2031-05-05T00:00:00Z', '2031-05-06T00:00:00Z'] as const
    const found = async (of: readonly string[]) =>
      (await list('vendor', ...window, of)).data.filter(({ _id }) => _id === id)
    const spelled = own.slice(0, 2).map(bssid => bssid.toLowerCase().replaceAll(':', ''))
    expect(await found([...spelled, own[2]!])).toMatchObject([{ devices: own.slice(0, 3) }])
    expect(await found([own[3]!, theirs, 'nonsense'])).toEqual([])
    expect((await list('vendor', ...window, [])).data).toEqual([])
  })
})
