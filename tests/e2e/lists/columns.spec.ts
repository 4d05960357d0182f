/** The columns of the devices list, and sorting by them. */
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, grid, header, loaded, palette, shownDevices } from '../support/devices.ts'

/** Every field of a device in the specification's section 3, with its unit. */
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

test('every column of the specification can be shown and hidden, with the mouse and with keys', async ({ page }) => {
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
  // Toggles each column, twice if the first time hides it.
  for (const name of specified) if (!(await toggle(name))) await toggle(name)
  // All of them, and three more: the location, and when the row was created and updated.
  await expect(items).toHaveCount(specified.length + 3)
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  await expect(header(page, 'Firmware')).toBeVisible()

  await page.keyboard.press('Shift+c')
  const field = palette(page).getByRole('combobox', { name: 'Column', exact: true })
  await expect(field).toBeFocused()
  await page.keyboard.type('firmw')
  await expect(palette(page).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(field).toBeHidden()
  await expect(header(page, 'Firmware')).toHaveCount(0)
})

test('clicks on a header sort ascending, descending and not at all; another column starts ascending', async ({
  page,
}) => {
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

test('a column can be sorted with the keyboard alone', async ({ page }) => {
  await page.keyboard.press('Shift+s')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type('device')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Direction', exact: true })).toBeFocused()
  await page.keyboard.type('desc')
  await page.keyboard.press('Enter')
  await expect(header(page, 'Device')).toHaveAttribute('aria-sort', 'descending')
  // Devices of other tests may be sorted after those of the demo.
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
