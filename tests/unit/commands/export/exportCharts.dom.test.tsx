/** Chart exports contain the values of the charts, for devices that still exist. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import * as statistics from '../../../../src/api/statistics.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { chartTable } from '../../../../src/commands/export/chartTable.ts'
import { exportCharts } from '../../../../src/commands/export/exportCharts.ts'
import type { ChartDevice } from '../../../../src/domain/charts/data.ts'
import { chartModel, linesOf } from '../../../../src/domain/charts/lines.ts'
import { chartKinds } from '../../../../src/domain/charts/charts.ts'
import { defaultUnits, type UnitChoice } from '../../../../src/domain/units.ts'
import { charts } from '../../../../src/store/charts.ts'
import { selections } from '../../../../src/store/selection.ts'
import { sampleDevice } from '../../support/charts.ts'

const until = Date.UTC(2026, 5, 1)
const clock = { zone: 'UTC', perDevice: false }
const american: UnitChoice = { volume: 'gal', temperature: 'F', pressure: 'psi', concentration: 'gpg', flow: 'gal/min' }
const pressure = chartKinds.find(({ id }) => id === 'pressure')!
const progress = { report: () => undefined, signal: new AbortController().signal }

/** Mocks a server with only these devices. */
const mockDevices = (devices: readonly ChartDevice[]) =>
  vi.spyOn(statistics, 'readStatistics').mockImplementation(async bssids => {
    const found = devices.filter(({ bssid }) => bssids.includes(bssid))
    const texts = { description: '', company: '' }
    return new Map(found.map(one => [one.bssid, { ...one, ...texts, statistics: one.statistics as never }]))
  })

afterEach(() => {
  vi.restoreAllMocks()
  selections.devices.clear()
  charts.chosenDevices = []
})

test('the export has a row for each bucket that has begun, with the values of the charts in the chosen units', async () => {
  const readings = fc.array(fc.option(fc.double({ min: 0.1, max: 25, noNaN: true })), { maxLength: 144 })
  await fc.assert(
    fc.asyncProperty(readings, fc.boolean(), fc.nat(143), async (values, abroad, last) => {
      const units = abroad ? american : defaultUnits
      const device = sampleDevice({
        range: 'day',
        until,
        zone: 'UTC',
        valuesAt: place => ({ pressure: values[place] ?? null }),
      })
      mockDevices([device])
      const model = chartModel([device], clock)
      const [line] = linesOf(model, pressure, units, new Set(), false)
      const now = model.grid.rows[last]!.x + 1000
      const { table } = chartTable({
        devices: ['A'],
        statistics: { range: 'day', zone: 'UTC' },
        view: { units, zone: 'UTC', now },
        progress,
      })
      const column = table.columns.findIndex(({ key }) => key === 'pressure')
      expect(table.columns[column]).toMatchObject({ name: 'Pressure', unit: abroad ? 'psi' : 'bar' })
      const rows = []
      for await (const page of table.pages) rows.push(...page)
      const drawn = line!.points.slice(0, last + 1)
      expect(rows.map(([time]) => Date.parse(String(time)))).toEqual(drawn.map(({ x }) => x))
      for (const [at, { y }] of drawn.entries())
        if (y === null) expect(rows[at]![column]).toBeNull()
        else expect(rows[at]![column]).toBeCloseTo(y, 5)
    }),
    { numRuns: 40 },
  )
})

test('the message counts the exported devices and names those that no longer exist', async () => {
  const devices = ['A', 'C'].map(bssid => sampleDevice({ range: 'day', until, zone: 'UTC', bssid }))
  mockDevices(devices)
  const item = (id: string) => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
  selections.devices.add(['A', 'B', 'C'].map(item))
  const saved: string[] = []
  const services = { progress, save: (name: string) => saved.push(name) } as unknown as Services
  const message = await exportCharts({ type: 'csv' }, services)
  expect(saved).toHaveLength(1)
  expect(message).toBe(`Exported 2 devices as ${saved[0]}; B no longer exists`)
})
