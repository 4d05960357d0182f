/** Exported charts: every file type contains the numbers of the statistics, also as read by other programs. */
import type { Page } from '@playwright/test'
import type { ManyStatistics } from '../../../src/api/contract/statistics.ts'
import { openCharts } from '../support/charts.ts'
import { loaded, selectedCount } from '../support/devices.ts'
import { expect, signInAt, test, visit } from '../support/fixtures.ts'
import { exportByKeys, exportByMouse, jsonOf, near, separatedRows, sheetRows, textOf } from '../support/exports.ts'
import { intercept } from '../support/intercept.ts'
import { expectMessage } from '../support/lists.ts'

test.use({ timezoneId: 'Europe/Berlin' })

type Point = Readonly<Record<string, number | null>>

/** The measures in the order of the charts, with their column headings. */
const series = [
  ['permeate', 'Permeate (gal)'],
  ['waste', 'Waste (gal)'],
  ['recovery_rate', 'Recovery (%)'],
  ['feed_tds', 'Feed TDS (ppm)'],
  ['permeate_tds', 'Permeate TDS (ppm)'],
  ['rejection_rate', 'Rejection (%)'],
  ['production_rate', 'Production rate (gal/min)'],
  ['instant_recovery_rate', 'Instant recovery (%)'],
  ['pressure', 'Pressure (bar)'],
  ['temperature', 'Temperature (°C)'],
] as const
const inGallons = new Set<string>(['permeate', 'waste', 'production_rate'])

/** Replaces weekly statistics by computed values with gaps; returns the answered points by device and time. */
async function answerWeeks(page: Page) {
  const answered = new Map<string, Point>()
  await intercept(page, /\/api\/v3\/devices\/statistics\?.*range=week/, async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: ManyStatistics }
    for (const { bssid, grid, series: values } of body.data.devices)
      for (const [at, start] of body.data.grids[grid]!.at.entries()) {
        for (const [place, [measure]] of series.entries())
          values[measure][at] =
            (at + place) % 9 === 0 ? null : Math.sin(at * 10 + place) * 40 + bssid.charCodeAt(16) / 7
        const point = Object.fromEntries(series.map(([measure]) => [measure, values[measure][at] ?? null]))
        answered.set(`${bssid} ${Date.parse(start)}`, point)
      }
    await route.fulfill({ response, json: body })
  })
  return answered
}

/** Returns the values expected in the row of a device and time. */
const expected = (point: Point) =>
  series.map(([measure]) => {
    const value = point[measure]
    if (typeof value !== 'number') return null
    return inGallons.has(measure) ? value / 3.785411784 : value
  })

/** Whether the values of a row equal those of a point. */
const matches = (cells: readonly (number | null)[], point: Point | undefined): boolean =>
  point !== undefined && expected(point).every((value, place) => near(cells[place], value))

const numbers = (cells: readonly string[]) => cells.map(cell => (cell === '' ? null : Number(cell)))

test('every file type contains the charted values', async ({ page }) => {
  test.slow()
  const answered = await answerWeeks(page)
  await signInAt(page, 'admin', '/settings')
  await page.getByRole('radio', { name: 'gal', exact: true }).click()
  await visit(page, '/devices')
  await loaded(page)
  for (const count of [1, 2]) {
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await selectedCount(page, count)
  }
  await openCharts(page, [])
  await page.getByRole('radio', { name: 'Week' }).click()
  await expect.poll(() => new Set([...answered.keys()].map(key => key.slice(0, 17))).size).toBe(2)
  // A past week, since the current one might grow by an hour between two files.
  await page.keyboard.press('[')

  const csv = await exportByKeys(page, 'csv')
  expect(csv.suggestedFilename()).toMatch(/^permeate-charts-week-\d{4}-\d\d-\d\d\.csv$/)
  await expectMessage(page, 'Exported 2 devices as permeate-charts-week-')
  const [headings, ...rows] = await separatedRows(csv)
  expect(headings).toEqual(['Time (Europe/Berlin)', 'Device', ...series.map(([, heading]) => heading)])
  // A week in which clocks change has an hour more or less.
  expect(Math.abs(rows.length - 2 * 7 * 24)).toBeLessThanOrEqual(2)
  const pointOf = (bssid: string, time: string) => answered.get(`${bssid} ${Date.parse(time)}`)
  expect(rows.filter(([time]) => !/^\d{4}-\d\d-\d\dT\d\d:00:00\+0[12]:00$/.test(time!))).toEqual([])
  expect(rows.filter(([time, bssid, ...cells]) => !matches(numbers(cells), pointOf(bssid!, time!)))).toEqual([])

  const txt = await exportByMouse(page, 'All charted data', 'Text')
  expect(await separatedRows(txt)).toEqual([headings, ...rows])
  expect(await textOf(txt)).toMatch(/\r\nWeek: \S+T00:00:00\+0[12]:00 to \S+, by the hour\r\n2 devices\r\n/)

  const json = await jsonOf(await exportByKeys(page, 'json'))
  expect(json.zone).toBe('Europe/Berlin')
  expect(json.columns).toContainEqual({ key: 'permeate', name: 'Permeate', unit: 'gal' })
  expect(json.rows.map(row => [row.at, row.bssid])).toEqual(rows.map(([time, bssid]) => [time, bssid]))
  const values = (row: (typeof json.rows)[number]) => series.map(([measure]) => row[measure] as number | null)
  expect(json.rows.filter(row => !matches(values(row), pointOf(String(row.bssid), String(row.at))))).toEqual([])

  const xls = await exportByMouse(page, 'All charted data', 'Excel')
  const sheet = await sheetRows(xls, 'Charts')
  expect(sheet[0]).toEqual(headings)
  expect(sheet.length).toBe(rows.length + 1)
  const sheetCells = sheet.slice(1)
  expect(sheetCells.map(([time, bssid]) => `${time} ${bssid}`)).toEqual(
    rows.map(([time, bssid]) => `${time!.slice(0, 19).replace('T', ' ')} ${bssid}`),
  )
  expect(
    sheetCells.filter(([, bssid, ...cells], at) => !matches(numbers(cells), pointOf(bssid!, rows[at]![0]!))),
  ).toEqual([])
})
