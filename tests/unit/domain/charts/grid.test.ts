import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chartGrid, type GridRow } from '../../../../src/domain/charts/grid.ts'
import { chartModel, positionOnAxis } from '../../../../src/domain/charts/lines.ts'
import { dayOf, instantOf, wallTime } from '../../../../src/domain/zone.ts'
import { sampleDevice } from '../../support/charts.ts'

/** The local time of a row. */
const localTime = ({ wall }: GridRow) => new Date(wall).toISOString().slice(0, 19)

const hour = 3_600_000
const day = 24 * hour
const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
]
const ranges = ['day', 'week', 'month', 'year'] as const
const anyUntil = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })

/** The end of a date in a zone. */
const endOf = (zone: string, wall: number) => instantOf(zone, dayOf(wall) + day)

test('in the viewer’s zone a position is an instant, and a row is a bucket', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ranges), fc.constantFrom(...zones), anyUntil, (range, zone, until) => {
      const device = sampleDevice({ range, until, zone, deviceZone: 'Asia/Tokyo' })
      const { rows, end, deviceRows } = chartGrid([device, device], { zone, perDevice: false })
      expect(rows.map(({ x }) => x)).toEqual(device.statistics.points.map(({ at }) => Date.parse(at)))
      expect(end).toBe(Date.parse(device.statistics.to))
      expect(deviceRows[1]).toEqual(rows.map((_, row) => row))
      for (const { wall, x } of rows.slice(0, 30)) expect(wall).toBe(wallTime(zone, x))
    }),
    { numRuns: 60 },
  )
})

test('in the devices’ own zones rows stay in order, and equal local times share one position', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('day', 'week', 'month'),
      fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 4 }),
      anyUntil,
      (range, owns, until) => {
        const devices = owns.map((own, at) =>
          sampleDevice({ range, until: endOf(own, until), zone: own, deviceZone: own, bssid: String(at) }),
        )
        const { rows, end, deviceRows } = chartGrid(devices, { zone: 'UTC', perDevice: true })
        for (const [at, row] of rows.entries()) if (at > 0) expect(row.x).toBeGreaterThan(rows[at - 1]!.x)
        expect(end).toBeGreaterThan(rows.at(-1)!.x)
        for (const [at, device] of devices.entries()) {
          const theirs = deviceRows[at]!
          expect(theirs).toHaveLength(device.statistics.points.length)
          for (const [place, row] of theirs.entries()) {
            if (place > 0) expect(row).toBeGreaterThan(theirs[place - 1]!)
            expect(rows[row]!.wall).toBe(wallTime(owns[at]!, Date.parse(device.statistics.points[place]!.at)))
          }
        }
        // A local time occurs once, or twice at a clock change, but never three times.
        const shown = new Set(rows.map(({ wall, isRepeated }) => `${wall} ${isRepeated}`))
        expect(shown.size).toBe(rows.length)
      },
    ),
    { numRuns: 30 },
  )
})

describe('clock changes', () => {
  const autumn = Date.UTC(2026, 9, 25, 12)
  const spring = Date.UTC(2026, 2, 29, 12)
  const both = (wall: number) => [
    sampleDevice({
      range: 'day',
      until: endOf('Europe/Berlin', wall),
      zone: 'Europe/Berlin',
      deviceZone: 'Europe/Berlin',
    }),
    sampleDevice({
      range: 'day',
      until: endOf('Asia/Tokyo', wall),
      zone: 'Asia/Tokyo',
      deviceZone: 'Asia/Tokyo',
      bssid: 'B',
    }),
  ]

  test('a day of 25 hours has one hour twice, which other devices skip', () => {
    const { rows, deviceRows } = chartGrid(both(autumn), { zone: 'UTC', perDevice: true })
    expect(rows).toHaveLength(150)
    const twice = rows.filter(({ isRepeated }) => isRepeated)
    expect(twice.map(row => localTime(row).slice(11, 16))).toEqual([
      '02:00',
      '02:10',
      '02:20',
      '02:30',
      '02:40',
      '02:50',
    ])
    expect(deviceRows[0]).toHaveLength(150)
    // Noon has the same position for both devices.
    const noon = (place: number) => deviceRows[place]!.find(row => localTime(rows[row]!) === '2026-10-25T12:00:00')
    expect(noon(0)).toBeDefined()
    expect(noon(0)).toBe(noon(1))
    expect(deviceRows[1]!.some(row => rows[row]!.isRepeated)).toBe(false)
  })

  test('a day of 23 hours lacks an hour that other devices have', () => {
    const { rows, deviceRows } = chartGrid(both(spring), { zone: 'UTC', perDevice: true })
    expect(rows).toHaveLength(144)
    expect(deviceRows[0]).toHaveLength(138)
    const walls = deviceRows[0]!.map(row => localTime(rows[row]!).slice(11, 13))
    expect(walls).not.toContain('02')
    expect(new Set(walls).size).toBe(23)
  })

  test('in the viewer’s zone the day has 23 or 25 hours, and each bucket its own instant', () => {
    for (const [wall, hours, changed] of [
      [autumn, 25, '2026-10-25T02:00:00'],
      [spring, 23, '2026-03-29T03:00:00'],
    ] as const) {
      const [device] = both(wall)
      const { rows, end } = chartGrid([device!], { zone: 'Europe/Berlin', perDevice: false })
      expect((end - rows[0]!.x) / hour).toBe(hours)
      expect(rows.filter(({ isRepeated }) => isRepeated)).toHaveLength(hours === 25 ? 6 : 0)
      // Clocks change at 01:00 UTC.
      const after = rows.find(({ x }) => x === Date.parse(`${changed.slice(0, 10)}T01:00:00Z`))!
      expect([localTime(after), after.isRepeated]).toEqual([changed, hours === 25])
    }
  })

  test('two devices whose clocks are put back in the same night, an hour apart, each have their repeated hour', () => {
    const owns = ['Europe/London', 'Europe/Berlin']
    const devices = owns.map(own =>
      sampleDevice({ range: 'day', until: endOf(own, autumn), zone: own, deviceZone: own, bssid: own }),
    )
    const { rows, deviceRows } = chartGrid(devices, { zone: 'UTC', perDevice: true })
    expect(rows.filter(({ isRepeated }) => isRepeated).map(row => localTime(row).slice(11, 13))).toEqual([
      ...Array<string>(6).fill('01'),
      ...Array<string>(6).fill('02'),
    ])
    expect(rows[deviceRows[0]!.at(-1)!]).toBe(rows[deviceRows[1]!.at(-1)!])
  })
})

test('an instant is placed in the bucket that contains it, in either zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), anyUntil, fc.boolean(), fc.nat(day - 1), (zone, until, own, later) => {
      const device = sampleDevice({ range: 'day', until, zone, deviceZone: zone })
      const model = chartModel([device], { zone: own ? 'UTC' : zone, perDevice: own })
      const instant = Date.parse(device.statistics.from) + later
      const found = positionOnAxis(model, 0, instant)
      if (instant >= Date.parse(device.statistics.to)) {
        // Not returned directly, because a property that returns a value fails.
        expect(found).toBeUndefined()
        return
      }
      const row = model.grid.rows[found!.row]!
      expect(row.x).toBeLessThanOrEqual(found!.x)
      expect(found!.x).toBeLessThan(model.grid.rows[found!.row + 1]?.x ?? model.grid.end)
    }),
    { numRuns: 80 },
  )
})
