/** The columns of the devices list, and sorting by them. */
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, grid, header, loaded, palette, shownDevices } from '../support/devices.ts'

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

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('every column of the specification is switched on and off, by mouse and by keys', async ({ page }) => {
  test.slow()
  await page.getByRole('button', { name: 'Columns' }).click()
  const items = page.getByRole('menuitemcheckbox')
  const count = (columns: number) => expect(grid(page)).toHaveAttribute('aria-colcount', String(columns))
  const toggle = async (name: string) => {
    const item = page.getByRole('menuitemcheckbox', { name, exact: true })
    const before = (await item.getAttribute('aria-checked')) === 'true'
    const columns = Number(await grid(page).getAttribute('aria-colcount'))
    await item.click()
    await expect(item).toHaveAttribute('aria-checked', String(!before))
    await count(before ? columns - 1 : columns + 1)
    return !before
  }
  // Each is switched over and, where that has hidden it, back.
  for (const name of specified) if (!(await toggle(name))) await toggle(name)
  // All of them at once, and three more: where a device stands, and when its row was made and changed.
  await expect(items).toHaveCount(specified.length + 3)
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
  // Behind those of the demo there may be those of other tests.
  await expect.poll(async () => (await shownDevices(page))[0]).toMatch(/^(A4:1C:09|FE:E2)/)
  const shown = await shownDevices(page)
  expect(shown).toEqual(shown.toSorted((a, b) => (a < b ? 1 : -1)))

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
