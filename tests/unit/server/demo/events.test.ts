import { describe, expect, test } from 'vitest'
import { wallTime } from '../../../../src/domain/zone.ts'
import { bssidAt, demoDevice } from '../../../../server/demo/device.ts'
import { demoEvents } from '../../../../server/demo/events.ts'
import { idOf } from '../../../../server/demo/random.ts'

const now = new Date('2026-10-20T12:00:00Z')
const day = 86_400_000

describe('the demo’s calendar', () => {
  const made = demoEvents(1, 120, now)
  const rows = new Map(Array.from({ length: 120 }, (_, place) => [bssidAt(1, place), demoDevice(1, place, now).row]))

  test('is the same every time, and of devices that there are, each once', () => {
    expect(demoEvents(1, 120, now)).toEqual(made)
    for (const { bssids } of made) {
      expect(bssids.every(bssid => rows.has(bssid))).toBe(true)
      expect(new Set(bssids).size).toBe(bssids.length)
    }
    expect(demoEvents(1, 0, now)).toEqual([])
  })

  test('has some forty events in the two months before and after, many of each vendor that one signs in as', () => {
    expect(made.length).toBe(40)
    const ahead = made.filter(({ row }) => row.starts_at > now).length
    expect(ahead).toBeGreaterThan(15)
    expect(made.length - ahead).toBeGreaterThan(15)
    for (const login of ['vendor', 'vendor2']) {
      const own = made.filter(({ row }) => row.created_by === idOf(`account ${login}`))
      expect(own.length).toBeGreaterThan(6)
      for (const { bssids } of own)
        for (const bssid of bssids) expect(rows.get(bssid)!.vendor_id).toBe(idOf(`account ${login}`))
    }
  })

  test('begins when people work, by the clock where the devices stand', () => {
    for (const { row, bssids } of made) {
      const zone = rows.get(bssids[0]!)!.time_zone
      if (zone === null) continue
      const wall = new Date(wallTime(zone, row.starts_at.getTime()))
      expect([0, 6]).not.toContain(wall.getUTCDay())
      expect(wall.getUTCHours()).toBeGreaterThanOrEqual(7)
      expect(row.ends_at.getTime() - row.starts_at.getTime()).toBeLessThan(3 * day)
      expect(row.created_at < row.starts_at && row.created_at < now).toBe(true)
    }
  })
})

test('the demo’s devices stand in several zones; of a few nobody has said where', () => {
  const zones = Array.from({ length: 120 }, (_, place) => demoDevice(1, place, now).row.time_zone)
  expect(new Set(zones).size).toBeGreaterThan(4)
  const unknown = zones.filter(zone => zone === null).length
  expect(unknown).toBeGreaterThan(0)
  expect(unknown).toBeLessThan(30)
})
