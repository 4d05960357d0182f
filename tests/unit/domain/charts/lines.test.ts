import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gapText, toUnit, formatValue } from '../../../../src/domain/charts/data.ts'
import { chartModel, linesOf, nearestRow, readingsAt, tableOf } from '../../../../src/domain/charts/lines.ts'
import { readingsInWords } from '../../../../src/domain/charts/readingsInWords.ts'
import { chartKinds } from '../../../../src/domain/charts/charts.ts'
import { defaultUnits, type UnitChoice } from '../../../../src/domain/units.ts'
import { sampleDevice } from '../../support/charts.ts'

const until = Date.UTC(2026, 5, 1)
const clock = { zone: 'UTC', perDevice: false }
const none: ReadonlySet<string> = new Set()
const kindOf = (id: string) => chartKinds.find(kind => kind.id === id)!
const american: UnitChoice = {
  volume: 'gal',
  temperature: 'F',
  pressure: 'psi',
  concentration: 'gpg',
  flow: 'gal/min',
}

/** Returns a device with these pressures in the first buckets of a day; null is a missing reading. */
const withPressures = (values: readonly (number | null)[]) =>
  sampleDevice({ range: 'day', until, zone: 'UTC', valuesAt: place => ({ pressure: values[place] ?? null }) })

const readings = fc.array(fc.option(fc.double({ min: 0.1, max: 25, noNaN: true })), { maxLength: 144 })

describe('lines', () => {
  test('have a point for each bucket with a value, a gap for each without, and mark isolated points', () => {
    fc.assert(
      fc.property(readings, values => {
        const model = chartModel([withPressures(values)], clock)
        const [line] = linesOf(model, kindOf('pressure'), defaultUnits, none, false)
        expect(line!.points.map(({ y }) => y)).toEqual(Array.from({ length: 144 }, (_, place) => values[place] ?? null))
        const alone = values.flatMap((value, at) =>
          value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null ? [value] : [],
        )
        expect(line!.isolated.map(({ y }) => y)).toEqual(alone)
      }),
      { numRuns: 60 },
    )
  })

  test('of amounts are level until the end of their bucket', () => {
    const device = sampleDevice({
      range: 'day',
      until,
      zone: 'UTC',
      valuesAt: place => ({ permeate: place === 0 ? 5 : place === 143 ? 2 : null }),
    })
    const model = chartModel([device], clock)
    const [line] = linesOf(model, kindOf('production'), defaultUnits, none, false)
    const { rows, end } = model.grid
    expect(line!.points.filter(({ y }) => y !== null)).toEqual([
      { x: rows[0]!.x, y: 5 },
      { x: rows[1]!.x, y: 5 },
      { x: rows[143]!.x, y: 2 },
      { x: end, y: 2 },
    ])
    expect(line!.isolated).toEqual([])
  })

  test('are in the chosen units, and leave out hidden devices', () => {
    const model = chartModel([withPressures([1])], clock)
    expect(linesOf(model, kindOf('pressure'), american, none, false)[0]!.points[0]!.y).toBeCloseTo(14.503774)
    expect(linesOf(model, kindOf('pressure'), american, new Set(['A']), false)).toEqual([])
  })
})

test('nearestRow finds the nearest visible bucket', () => {
  const { grid } = chartModel([withPressures([])], clock)
  fc.assert(
    fc.property(fc.nat(86_400_000), fc.nat(143), fc.nat(143), (later, one, other) => {
      const x = grid.rows[0]!.x + later
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const row = nearestRow(grid, x, grid.rows[from]!.x, grid.rows[to]!.x)!
      const distances = grid.rows.slice(from, to + 1).map(there => Math.abs(there.x - x))
      expect(Math.abs(grid.rows[row]!.x - x)).toBe(Math.min(...distances))
    }),
  )
  expect(nearestRow(grid, 0, 5, 6)).toBeUndefined()
})

describe('the table', () => {
  test('has the values of the charts, newest first, and no future rows', () => {
    fc.assert(
      fc.property(readings, fc.nat(143), (values, last) => {
        const kind = kindOf('pressure')
        const model = chartModel([withPressures(values)], clock)
        const { columns, rows } = tableOf(model, kind, none, model.grid.rows[last]!.x + 1000)
        expect(rows).toHaveLength(last + 1)
        const [line] = linesOf(model, kind, american, none, false)
        const drawn = line!.points.slice(0, last + 1).toReversed()
        expect(rows.map(({ row }) => row.x)).toEqual(drawn.map(({ x }) => x))
        const numbers = rows.map(({ at }) => columns[0]!.values[at] ?? null)
        expect(numbers.map(value => (value === null ? null : toUnit(kind, value, american)))).toEqual(
          drawn.map(({ y }) => y),
        )
      }),
      { numRuns: 40 },
    )
  })

  test('has a column for each series of each visible device', () => {
    const devices = ['A', 'B', 'C'].map(bssid => sampleDevice({ range: 'day', until, zone: 'UTC', bssid }))
    const { columns } = tableOf(chartModel(devices, clock), kindOf('production'), new Set(['B']), until)
    expect(columns.map(({ device, series }) => `${device.name} ${series.name}`)).toEqual([
      'A Permeate',
      'A Waste',
      'C Permeate',
      'C Waste',
    ])
  })
})

describe('readings in words', () => {
  test('list a few devices one by one, with units', () => {
    const model = chartModel([withPressures([4.2, null])], clock)
    const wordsAt = (row: number) =>
      readingsInWords(kindOf('pressure'), readingsAt(model, kindOf('pressure'), row, none), defaultUnits)
    expect(wordsAt(0)).toBe('A 4.20 bar.')
    expect(wordsAt(1)).toBe('A no reading.')
    const water = sampleDevice({ range: 'day', until, zone: 'UTC', valuesAt: () => ({ permeate: 3, waste: 6.25 }) })
    const kind = kindOf('production')
    expect(readingsInWords(kind, readingsAt(chartModel([water], clock), kind, 0, none), american)).toBe(
      'A Permeate: 0.8 gallons. A Waste: 1.7 gallons.',
    )
  })

  test('say that there was too little water for a recovery', () => {
    const flushed = sampleDevice({
      range: 'day',
      until,
      zone: 'UTC',
      // A flush; a bucket without readings; a draw while a sensor of flows sent nothing; one while a sensor sent zeros.
      valuesAt: place =>
        [{ feed: 1.8, permeate: 0 }, {}, { feed: 40, permeate: 20 }, { feed: 0, permeate: 20 }][place] ?? {},
    })
    const wordsAt = (row: number) =>
      ['usage_efficiency', 'instant_recovery'].map(id =>
        readingsInWords(kindOf(id), readingsAt(chartModel([flushed], clock), kindOf(id), row, none), defaultUnits),
      )
    expect(wordsAt(0)).toEqual(['A too little water.', 'A too little water.'])
    for (const row of [1, 2, 3]) expect(wordsAt(row), `${row}`).toEqual(['A no reading.', 'A no reading.'])
    expect(gapText(defaultUnits)).toBe(
      'Recovery has a gap where less than 0.25 l of permeate came from less than 2 l of feed water',
    )
    expect(gapText(american)).toContain('less than 0.066 gal of permeate came from less than 0.53 gal')
  })

  test('summarize many devices', () => {
    const devices = Array.from({ length: 7 }, (_, at) =>
      sampleDevice({
        range: 'day',
        until,
        zone: 'UTC',
        bssid: `D${at}`,
        valuesAt: () => ({ temperature: at === 0 ? null : 10 + at }),
      }),
    )
    const kind = kindOf('temperature')
    const model = chartModel(devices, clock)
    expect(readingsInWords(kind, readingsAt(model, kind, 0, none), defaultUnits)).toBe(
      'Temperature of 6 devices: from 11.0 degrees Celsius, D1, to 16.0 degrees Celsius, D6.',
    )
  })

  test('show a missing value as a dash', () => {
    expect(formatValue(kindOf('pressure'), null, defaultUnits)).toBe('–')
    expect(formatValue(kindOf('usage_efficiency'), 42.04, defaultUnits)).toBe('42.0 %')
  })
})
