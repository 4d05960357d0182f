import { describe, expect, test } from 'vitest'
import { wallTime } from '../../../../src/domain/zone.ts'
import { bssidAt, demoDevice } from '../../../../server/demo/device.ts'
import { demoEvents } from '../../../../server/demo/events.ts'
import { demoId } from '../../../../server/demo/random.ts'

const now = new Date('2026-10-20T12:00:00Z')
const day = 86_400_000

describe('the demo calendar', () => {
  const events = demoEvents(1, 120, now)
  const rows = new Map(Array.from({ length: 120 }, (_, place) => [bssidAt(1, place), demoDevice(1, place, now).row]))

  test('is deterministic, and each event lists existing devices without duplicates', () => {
    expect(demoEvents(1, 120, now)).toEqual(events)
    for (const { bssids } of events) {
      expect(bssids.every(bssid => rows.has(bssid))).toBe(true)
      expect(new Set(bssids).size).toBe(bssids.length)
    }
    expect(demoEvents(1, 0, now)).toEqual([])
  })

  test('has 40 events in the past and the future, several for each vendor with a demo login', () => {
    expect(events.length).toBe(40)
    const future = events.filter(({ row }) => row.starts_at > now).length
    expect(future).toBeGreaterThan(15)
    expect(events.length - future).toBeGreaterThan(15)
    for (const login of ['vendor', 'vendor2']) {
      const own = events.filter(({ row }) => row.created_by === demoId(`account ${login}`))
      expect(own.length).toBeGreaterThan(6)
      for (const { bssids } of own)
        for (const bssid of bssids) expect(rows.get(bssid)!.vendor_id).toBe(demoId(`account ${login}`))
    }
  })

  test('starts its events in working hours of the devices’ time zones', () => {
    for (const { row, bssids } of events) {
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

test('demo devices are in several time zones, and a few have none', () => {
  const zones = Array.from({ length: 120 }, (_, place) => demoDevice(1, place, now).row.time_zone)
  expect(new Set(zones).size).toBeGreaterThan(4)
  const unknown = zones.filter(zone => zone === null).length
  expect(unknown).toBeGreaterThan(0)
  expect(unknown).toBeLessThan(30)
})
