/** The columns of the devices list, and sorting by them. */
import type { Page } from '@playwright/test'
import { deviceColumns } from '../../../src/domain/columns/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, backToDevices } from '../support/lists.ts'
import { grid, header, loaded, palette, panel, rowAt, shownDevices } from '../support/devices.ts'

/** Every field of a device in the specification's section 3, with its unit. */
const specified = [
  'Device',
  'Status',
  'Platform',
  'Model',
  'Filtration system',
  'Company',
  'Recovery (%)',
  'Rejection (%)',
  'Temperature (°C)',
  'Pressure (bar)',
  'Feed TDS (ppm)',
  'Permeate TDS (ppm)',
  'Feed (l)',
  'Permeate (l)',
  'Waste (l)',
  'Smart flush',
  'Flush mode',
  'Flush every',
  'Flush duration (s)',
  'Flush volume (l)',
  'Idle protection (min)',
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
  'Battery (%)',
]

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

/** Sorts the list by keys alone: the column and the direction are typed into the palette. */
async function sortByKeys(page: Page, column: string, direction: string) {
  await page.keyboard.press('Shift+s')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type(column)
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Direction', exact: true })).toBeFocused()
  await page.keyboard.type(direction)
  await page.keyboard.press('Enter')
}

test('every column of the specification can be shown and hidden, and sorted by clicks and by keys', async ({
  page,
}) => {
  test.slow()
  await test.step('clicks on a header sort ascending, descending and not at all, another column starts ascending, and keys sort too', async () => {
    await test.step('clicks on a header sort ascending, descending and not at all; another column starts ascending', async () => {
      const click = (name: string) => header(page, name).getByRole('button').click()
      const sorted = (name: string, how: string) => expect(header(page, name)).toHaveAttribute('aria-sort', how)
      const byKey = await shownDevices(page)
      await sorted('Recovery (%)', 'none')

      await click('Recovery (%)')
      await sorted('Recovery (%)', 'ascending')
      await expect.poll(async () => isRising((await columnValues(page, 'Recovery (%)')).map(Number))).toBe(true)
      await click('Recovery (%)')
      await sorted('Recovery (%)', 'descending')
      await expect
        .poll(async () => isRising((await columnValues(page, 'Recovery (%)')).map(Number).toReversed()))
        .toBe(true)
      await click('Recovery (%)')
      await sorted('Recovery (%)', 'none')
      await expect.poll(() => shownDevices(page)).toEqual(byKey)

      await click('Recovery (%)')
      await click('Recovery (%)')
      await sorted('Recovery (%)', 'descending')
      await click('Company')
      await sorted('Company', 'ascending')
      await sorted('Recovery (%)', 'none')
      await click('Recovery (%)')
      await sorted('Recovery (%)', 'ascending')
      await sorted('Company', 'none')
    })
    await page.keyboard.press('Home')
    await test.step('a column can be sorted with the keyboard alone', async () => {
      await sortByKeys(page, 'device', 'desc')
      await expect(header(page, 'Device')).toHaveAttribute('aria-sort', 'descending')
      // Devices of other tests may be sorted after those of the demo.
      await expect.poll(async () => (await shownDevices(page))[0]).toMatch(/^(A4:1C:09|FE:E2)/)
      const shown = await shownDevices(page)
      expect(shown).toEqual(shown.toSorted((a, b) => (a < b ? 1 : -1)))

      await sortByKeys(page, 'device', 'none')
      await expect(header(page, 'Device')).toHaveAttribute('aria-sort', 'none')
      await expect.poll(async () => (await shownDevices(page))[0]).toMatch(/^30:AE:A4/)
    })
  })
  await backToDevices(page)
  await test.step('every column of the specification can be shown and hidden, with the mouse and with keys', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    const items = page.getByRole('menuitemcheckbox')
    const count = (columns: number) => expect(grid(page)).toHaveAttribute('aria-colcount', String(columns))
    const itemOf = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })
    const isShown = async (name: string) => (await itemOf(name).getAttribute('aria-checked')) === 'true'
    const toggle = async (name: string) => {
      const item = itemOf(name)
      const before = await isShown(name)
      const columns = Number(await grid(page).getAttribute('aria-colcount'))
      await item.click()
      await expect(item).toHaveAttribute('aria-checked', String(!before))
      await count(before ? columns - 1 : columns + 1)
    }
    // Hides and shows one of the columns that are shown, and shows all others.
    for (let times = 0; times < 2; times++) await toggle('Company')
    for (const name of specified) if (!(await isShown(name))) await toggle(name)
    // Those of the specification and the others, such as the water supply.
    await expect(items).toHaveCount(Object.keys(deviceColumns).length)
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
})

const isRising = (values: readonly number[]) => values.every((value, at) => at === 0 || values[at - 1]! <= value)

test('columns are resized, fitted, moved and pinned with the mouse and with keys, and stay so after a reload', async ({
  page,
}) => {
  const box = async (name: string) => (await header(page, name).boundingBox())!
  const edge = (name: string) => grid(page).getByRole('separator', { name: `Width of ${name}` })
  const titles = async () => (await grid(page).getByRole('columnheader').allTextContents()).slice(1, 5)
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 3 })
    await page.mouse.move(to.x, to.y, { steps: 3 })
    await page.mouse.up()
  }
  // The code of the gestures loads with the selection bar.
  await expect(
    page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Select', exact: true }),
  ).toBeVisible()

  // Without the panel there is room for the columns that are dragged.
  await page.keyboard.press('i')
  await expect(panel(page)).toHaveCount(0)

  const before = await box('Model')
  const handle = (await edge('Model').boundingBox())!
  const at = { x: handle.x + handle.width / 2, y: handle.y + handle.height / 2 }
  await drag(at, { x: at.x + 70, y: at.y })
  await expect.poll(async () => Math.round((await box('Model')).width)).toBe(Math.round(before.width) + 70)
  expect(await edge('Model').getAttribute('aria-valuenow')).toBe(String(Math.round(before.width) + 70))

  // A fitted column cuts no value and leaves little space.
  await edge('Model').dblclick()
  await expect.poll(async () => (await box('Model')).width).toBeLessThan(before.width + 60)
  const cut = await grid(page)
    .locator('[role=gridcell][data-column=model]')
    .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length)
  expect(cut).toBe(0)

  const company = await box('Company')
  const status = await box('Status')
  await drag({ x: company.x + 20, y: company.y + 10 }, { x: status.x + 10, y: company.y + 10 })
  await expect.poll(titles).toEqual(['Device', 'Company', 'Status', 'Health'])
  // The drag did not sort.
  await expect(header(page, 'Company')).toHaveAttribute('aria-sort', 'none')

  await page.keyboard.press('Shift+p')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type('model')
  await page.keyboard.press('Enter')
  await expect.poll(titles).toEqual(['Device', 'Model', 'Company', 'Status'])

  await page.keyboard.press('Shift+w')
  await expect(palette(page).getByRole('combobox', { name: 'Column', exact: true })).toBeFocused()
  await page.keyboard.type('company')
  await page.keyboard.press('Enter')
  await expect(edge('Company')).toBeFocused()
  const width = Number(await edge('Company').getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowRight')
  await expect(edge('Company')).toHaveAttribute('aria-valuenow', String(width + 40))
  await page.keyboard.press('Shift+d')
  await expect.poll(() => rowHeight(page)).toBe(26)

  await page.reload()
  await loaded(page)
  expect(await titles()).toEqual(['Device', 'Model', 'Company', 'Status'])
  expect(await edge('Company').getAttribute('aria-valuenow')).toBe(String(width + 40))
  expect(await rowHeight(page)).toBe(26)

  const pinned = await box('Model')
  const scrolled = await box('Company')
  await grid(page).evaluate(element => element.scrollTo({ left: 150 }))
  await expect.poll(async () => Math.round((await box('Company')).x)).toBe(Math.round(scrolled.x) - 150)
  expect((await box('Model')).x).toBeCloseTo(pinned.x, 0)

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: 'Reset columns' }).click()
  await expect.poll(titles).toEqual(['Device', 'Status', 'Health', 'Due'])
  expect(Math.round((await box('Model')).width)).toBe(Math.round(before.width))
})

const rowHeight = async (page: Page) => Math.round((await rowAt(page, 1).boundingBox())!.height)
