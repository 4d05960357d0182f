/** Reading and editing one device. */
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DeviceDetail, type Device } from '../../../../src/api/contract/devices.ts'
import { ranges } from '../../../../src/api/contract/statistics.ts'
import { statusCodes } from '../../../../src/domain/device.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceTwins } from '../../../../server/db/schema/telemetry.ts'
import { startServer } from '../../support/harness.ts'

const { call, clock, db, link, signIn } = await startServer()
const vendor = await signIn('vendor')
const token = vendor.access_token
const admin = (await signIn('admin')).access_token
const all = (await call('GET', '/api/v3/devices?limit=1000', { token: admin })).json<{ data: { data: Device[] } }>()
  .data.data
const mine = all.find(one => one.vendor._id === vendor.user_id && one.status === 0 && one.model.name.includes('400'))!
const foreign = all.find(one => one.vendor._id !== vendor.user_id)!

const show = (bssid: string, query = '') => call('GET', `/api/v3/devices/${bssid}${query}`, { token })
const edit = (bssid: string, body: object) => call('PUT', `/api/v3/devices/${bssid}`, { token, body })
const stored = async (bssid: string) => (await db.select().from(devices).where(eq(devices.bssid, bssid)))[0]!

test('the demo fleet has devices of every status, without readings of failed sensors', () => {
  expect(new Set(all.map(device => device.status))).toEqual(new Set(statusCodes))
  expect(all.find(device => device.status === 13)!.pressure).toBeNull()
  expect(all.find(device => device.status === 16)!.feed_tds).toBeNull()
})

describe('detail', () => {
  test('has the row, the available firmware, newest first, and statistics', async () => {
    const answer = await show(mine.bssid, '?range=day&until=2026-03-29T12:00:00Z&zone=Europe/Berlin')
    const { data } = answer.json<{ data: DeviceDetail }>()
    expect(DeviceDetail.safeParse(data).success).toBe(true)
    expect(data).toMatchObject(mine)
    expect(data.firmware_versions).toEqual(['2.2.3', '2.1.0', '2.0.1'])
    expect(data.statistics).toMatchObject({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
      bucket_seconds: 600,
    })
    expect(data.statistics.points).toHaveLength(23 * 6)
    expect(new Set(data.statistics.points.map(point => point.permeate))).toEqual(new Set([null]))
  })

  test.each([
    ['day', 144],
    ['week', 168],
    ['month', 124],
    ['year', 366],
  ])(
    'has statistics of the last buckets of a %s up to the current one if no time is requested',
    async (range, count) => {
      const before = clock.now().getTime()
      const answer = await show(mine.bssid, `?range=${range}&zone=Europe/Berlin`)
      const { to, points } = answer.json<{ data: DeviceDetail }>().data.statistics
      expect(Date.parse(points.at(-1)!.at)).toBeLessThanOrEqual(clock.now().getTime())
      expect(Date.parse(to)).toBeGreaterThan(before)
      expect(points).toHaveLength(count)
    },
  )

  test.each([
    '0002-12-31T23:59:59.999Z',
    '0003-01-01T00:00:00+00:01',
    '9999-01-01T00:00:00Z',
    '9998-12-31T23:00:00-01:00',
  ])('refuses a time too far away: %s', async until => {
    const answer = await show(mine.bssid, `?${new URLSearchParams({ until })}`)
    expect(answer.json()).toEqual({ message: 'Until must be in the years 3 to 9998' })
    expect(answer.statusCode).toBe(400)
  })

  test.each(ranges)('has statistics of a %s up to the first and last allowed time in every zone', async range => {
    for (const zone of ['Pacific/Apia', 'Pacific/Kiritimati', 'America/Juneau', 'UTC'])
      for (const until of ['0003-01-01T00:00:00Z', '9998-12-31T23:59:59.999Z']) {
        const answer = await show(mine.bssid, `?${new URLSearchParams({ range, until, zone })}`)
        expect(answer.statusCode, answer.body).toBe(200)
        const { from, to } = answer.json<{ data: DeviceDetail }>().data.statistics
        const requested = Date.parse(until)
        expect(Date.parse(from)).toBeLessThan(requested)
        expect(Date.parse(to)).toBeGreaterThanOrEqual(requested)
        expect(Date.parse(to) - requested).toBeLessThanOrEqual(366 * 86_400_000)
      }
  })

  test('has the time of the last reading, or null', async () => {
    const readAt = async (reading_at: Date | null) => {
      await db.update(deviceTwins).set({ reading_at }).where(eq(deviceTwins.bssid, mine.bssid))
      return (await show(mine.bssid)).json<{ data: DeviceDetail }>().data.reading_at
    }
    expect(await readAt(new Date('2026-11-20T10:00:00.123Z'))).toBe('2026-11-20T10:00:00.123Z')
    expect(await readAt(null)).toBeNull()
  })

  test.each(['a41c09', '00:00:00:00:00:00', '%00', 'x'.repeat(60)])('of %s is not found', async bssid => {
    expect((await show(bssid)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await show(bssid)).statusCode).toBeLessThan(500)
  })

  test('of a foreign device is answered like an absent one', async () => {
    const [other, absent] = [await show(foreign.bssid), await show('00:00:00:00:00:00')]
    expect(other.statusCode).toBe(404)
    expect(other.json()).toEqual(absent.json())
  })

  test('accepts any spelling of the id', async () => {
    expect((await show(mine.bssid.toLowerCase().replaceAll(':', ''))).statusCode).toBe(200)
  })
})

describe('edit', () => {
  test('can change only the description', async () => {
    const answer = await edit(mine.bssid, { description: '  Bürokück, 2. OG  ' })
    expect(answer.json<{ data: Device }>().data).toMatchObject({
      description: 'Bürokück, 2. OG',
      valve_closed: mine.valve_closed,
    })
  })

  test('changes the valve only if the device acknowledges', async () => {
    link.refusals.set(mine.bssid, 'Refused: stuck')
    const refused = await edit(mine.bssid, { valve_closed: true, description: 'lost?' })
    link.refusals.clear()
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toEqual({ message: 'Refused: stuck' })
    expect(await stored(mine.bssid)).toMatchObject({ valve_closed: false, description: 'Bürokück, 2. OG' })
    expect((await edit(mine.bssid, { valve_closed: true })).json<{ data: Device }>().data.valve_closed).toBe(true)
  })

  test('of a foreign device changes nothing', async () => {
    const before = await stored(foreign.bssid)
    expect((await edit(foreign.bssid, { description: 'mine now', valve_closed: true })).statusCode).toBe(404)
    expect(await stored(foreign.bssid)).toEqual(before)
  })
})
