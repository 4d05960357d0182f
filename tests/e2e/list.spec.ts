/** The devices list: columns, order, search, pages. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'
import {
  columnValues,
  countCalls,
  grid,
  header,
  loaded,
  rowAt,
  searchField,
  searchFor,
  selectedCount,
  shownDevices,
  statusBar,
  palette,
} from './devices.ts'

/** Every field of a device in section 3, with its unit. */
const specified = [
  'Device',
  'Status',
  'Platform',
  'Model',
  'Filtration system',
  'Company',
  'Recovery %',
  'Rejection %',
  'Temperature °C',
  'Pressure bar',
  'Feed TDS ppm',
  'Permeate TDS ppm',
  'Feed l',
  'Permeate l',
  'Waste l',
  'Smart flush',
  'Flush mode',
  'Flush every',
  'Flush duration s',
  'Flush volume l',
  'Idle protection min',
  'Smart bypass',
  'Bypass valve',
  'UV',
  'Cartridges',
  'Vendor lock',
  'Valve',
  'Last active',
  'Firmware',
  'Description',
  'Power',
  'Battery %',
]

const onPage = (page: Page, number: number) => expect(statusBar(page)).toContainText(`page ${number} of`)
const rows = (page: Page) => page.getByRole('combobox', { name: 'Rows on a page' })

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('every column of the specification is switched on and off, by mouse and by keys', async ({ page }) => {
  await page.getByRole('button', { name: 'Columns' }).click()
  const items = page.getByRole('menuitemcheckbox')
  for (const name of specified) {
    const item = page.getByRole('menuitemcheckbox', { name, exact: true })
    const before = (await item.getAttribute('aria-checked')) === 'true'
    const columns = Number(await grid(page).getAttribute('aria-colcount'))
    await item.click()
    await expect(item).toHaveAttribute('aria-checked', String(!before))
    await expect(grid(page)).toHaveAttribute('aria-colcount', String(before ? columns - 1 : columns + 1))
    await item.click()
    await expect(grid(page)).toHaveAttribute('aria-colcount', String(columns))
    if (!before) await item.click()
  }
  // All of them at once, and two more that tell when a row was made and changed.
  await expect(items).toHaveCount(specified.length + 2)
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(header(page, 'Firmware')).toBeVisible()

  await page.keyboard.press('Shift+c')
  const asked = palette(page).getByRole('combobox', { name: 'Column', exact: true })
  await expect(asked).toBeFocused()
  await page.keyboard.type('firmw')
  await expect(palette(page).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(asked).toBeHidden()
  await expect(header(page, 'Firmware')).toHaveCount(0)
})

test('a header click sorts up, down, not; another column starts up', async ({ page }) => {
  const click = (name: string) => header(page, name).getByRole('button').click()
  const sorted = (name: string, how: string) => expect(header(page, name)).toHaveAttribute('aria-sort', how)
  const byKey = await shownDevices(page)
  await sorted('Recovery %', 'none')

  await click('Recovery %')
  await sorted('Recovery %', 'ascending')
  await expect.poll(async () => isRising((await columnValues(page, 'Recovery %')).map(Number))).toBe(true)
  await click('Recovery %')
  await sorted('Recovery %', 'descending')
  await expect.poll(async () => isRising((await columnValues(page, 'Recovery %')).map(Number).toReversed())).toBe(true)
  await click('Recovery %')
  await sorted('Recovery %', 'none')
  await expect.poll(() => shownDevices(page)).toEqual(byKey)

  await click('Recovery %')
  await click('Recovery %')
  await sorted('Recovery %', 'descending')
  await click('Company')
  await sorted('Company', 'ascending')
  await sorted('Recovery %', 'none')
  await click('Recovery %')
  await sorted('Recovery %', 'ascending')
  await sorted('Company', 'none')
})

const isRising = (values: readonly number[]) => values.every((value, at) => at === 0 || values[at - 1]! <= value)

test('sorts by keys alone', async ({ page }) => {
  await page.keyboard.press('Shift+s')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type('device')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Direction', exact: true })).toBeFocused()
  await page.keyboard.type('desc')
  await page.keyboard.press('Enter')
  await expect(header(page, 'Device')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => shownDevices(page)).toEqual((await shownDevices(page)).toSorted((a, b) => (a < b ? 1 : -1)))
  expect((await shownDevices(page))[0]).toMatch(/^A4:1C:09/)

  await page.keyboard.press('Shift+s')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type('device')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Direction', exact: true })).toBeFocused()
  await page.keyboard.type('none')
  await page.keyboard.press('Enter')
  await expect(header(page, 'Device')).toHaveAttribute('aria-sort', 'none')
  await expect.poll(async () => (await shownDevices(page))[0]).toMatch(/^30:AE:A4/)
})

test('searches by column and operator; what starts anew on page 1 and what does not', async ({ page }) => {
  const lists = countCalls(page, 'GET', /^\/api\/v3\/devices$/)
  const column = page.getByRole('combobox', { name: 'Search column' })
  const operator = page.getByRole('combobox', { name: 'Search operator' })
  await expect(column).toHaveValue('bssid')
  await expect(operator).toHaveValue('co')

  // Without a search text neither column nor operator changes anything.
  await page.keyboard.press(']')
  await onPage(page, 2)
  const second = await shownDevices(page)
  await column.selectOption('Model')
  await operator.selectOption('starts with')
  await onPage(page, 2)
  expect(await shownDevices(page)).toEqual(second)

  // The text starts on page 1.
  await page.keyboard.press('/')
  await page.keyboard.type('RO-')
  await onPage(page, 1)
  await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '0')
  await loaded(page)
  await page.keyboard.press('Enter')
  await page.keyboard.press(']')
  await onPage(page, 2)
  await loaded(page)

  // With a text, another operator and another column do.
  await operator.selectOption('ends with')
  await onPage(page, 1)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '0')
  await operator.selectOption('contains')
  await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '0')
  await loaded(page)
  await column.focus()
  await grid(page).getByRole('row').nth(1).click()
  await page.keyboard.press(']')
  await onPage(page, 2)
  await loaded(page)
  await column.selectOption('Filtration system')
  await onPage(page, 1)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '0')
  expect(lists.length).toBeGreaterThan(0)
})

test('numbers are compared as numbers', async ({ page }) => {
  await page.getByRole('combobox', { name: 'Search column' }).selectOption('Temperature')
  await page.getByRole('combobox', { name: 'Search operator' }).selectOption('less than')
  await page.keyboard.press('/')
  await page.keyboard.type('9')
  await expect.poll(async () => (await columnValues(page, 'Temp. °C')).every(value => Number(value) < 9)).toBe(true)
  expect((await columnValues(page, 'Temp. °C')).length).toBeGreaterThan(5)
})

test('another limit starts on page 1 and shows as many rows', async ({ page }) => {
  for (const limit of [20, 50, 100, 200, 500, 1000]) {
    await page.keyboard.press(']')
    await onPage(page, 2)
    await rows(page).selectOption(String(limit === 20 ? 50 : 20))
    await onPage(page, 1)
    await rows(page).selectOption(String(limit))
    await onPage(page, 1)
    await loaded(page)
    await expect(page.getByText(new RegExp(`^1–${limit.toLocaleString('en')} of 1,2`))).toBeVisible()
  }
  // The last of a thousand rows is there to be reached.
  await grid(page).getByRole('row').nth(1).click()
  await page.keyboard.press('End')
  await expect(rowAt(page, 1000)).toBeFocused()
  await expect(rowAt(page, 1000)).toBeInViewport()
})

test('turns pages by keys, to the ends and no further', async ({ page }) => {
  const first = await shownDevices(page)
  await page.keyboard.press('[')
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('This is the first page')
  await onPage(page, 1)
  await page.keyboard.press(']')
  await onPage(page, 2)
  const second = await shownDevices(page)
  expect(second.filter(id => first.includes(id))).toEqual([])
  await page.keyboard.press('[')
  await onPage(page, 1)
  expect(await shownDevices(page)).toEqual(first)

  await page.keyboard.press('Shift+g')
  await expect(palette(page).getByRole('combobox', { name: 'Page', exact: true })).toBeFocused()
  await page.keyboard.type('9999')
  await page.keyboard.press('Enter')
  await expect(statusBar(page)).toContainText(/page (\d+) of \1$/)
  await loaded(page)
  await expect(page.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
})

test('j goes through the end of the page into the next, k back', async ({ page }) => {
  await page.keyboard.press('j')
  await expect(rowAt(page, 1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(rowAt(page, 20)).toBeFocused()
  await page.keyboard.press('j')
  await onPage(page, 2)
  await expect(rowAt(page, 21)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rowAt(page, 22)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  await onPage(page, 1)
  await expect(rowAt(page, 20)).toBeFocused()
  await page.keyboard.press('PageUp')
  await expect(rowAt(page, 10)).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect(rowAt(page, 20)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(rowAt(page, 1)).toBeFocused()
})

test('a search that finds nothing says so and is cleared from there', async ({ page }) => {
  await searchFor(page, 'no such device', 0)
  await expect(page.getByText('Nothing matches no such device.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(searchField(page)).toHaveValue('')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', /^\d{4}$/)
})

test('the server goes away: it shows, and all goes on by itself once it is back', async ({ page, server }) => {
  test.setTimeout(60_000)
  const before = await shownDevices(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await server.stop()
  await page.keyboard.press(']')
  const connection = page.getByRole('banner').getByRole('status')
  await expect(connection).toHaveText('offline, trying again')
  // A command meanwhile says why it fails, and loses nothing.
  await page.keyboard.press('l')
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('The server cannot be reached')
  await selectedCount(page, 1)
  await server.restart()
  await expect(connection).toHaveText('online', { timeout: 30_000 })
  await loaded(page)
  await onPage(page, 2)
  const after = await shownDevices(page)
  expect(after).toHaveLength(20)
  expect(after.filter(id => before.includes(id))).toEqual([])
})
