/** Selecting devices: with keys and the mouse, across pages, and clearing the selection. */
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices } from '../support/lists.ts'
import {
  enterList,
  grid,
  loaded,
  messages,
  panel,
  rowAt,
  searchField,
  searchFor,
  selectedCount,
  selectedRows,
  shownDevices,
  statusBar,
  clearList,
} from '../support/devices.ts'

test('keys, checkboxes and Clear change the selection, all matches of a search are selected, and it is kept across pages and a reload', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('mod+a, Shift with x and arrow keys, checkboxes and Clear change the selection, and Esc clears it last', async () => {
    await test.step('mod+a selects the page, mod+shift+a selects all, and the badge shows at most 999+', async () => {
      await page.keyboard.press('Control+a')
      await selectedCount(page, 20)
      await expect(page.getByRole('checkbox', { name: 'Select the page' })).toBeChecked()
      await page.keyboard.press('Control+a')
      await selectedCount(page, 0)

      const all = Number(await grid(page).getAttribute('aria-rowcount'))
      expect(all).toBeGreaterThan(999)
      await page.keyboard.press('Control+Shift+A')
      await expect(messages(page)).toContainText(`Selected ${all.toLocaleString('en')} devices`)
      const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Devices/ })
      await expect(entry.getByText('999+')).toBeVisible()
      await expect(entry.getByTitle(`Devices selected: ${all}`)).toBeVisible()
      await expect(panel(page)).toHaveAccessibleName(`${all.toLocaleString('en')} devices`)
    })
    await clearList(page)
    await test.step('Shift with the arrow keys selects rows one by one', async () => {
      const shown = await shownDevices(page)
      await page.keyboard.press('Home')
      await page.keyboard.press('x')
      for (const _ of [1, 2, 3]) await page.keyboard.press('j')
      // Extends the selection from the row that was selected last.
      await page.keyboard.press('k')
      await page.keyboard.press('x')
      for (const _ of [1, 2, 3]) await page.keyboard.press('Shift+ArrowDown')
      await expect(rowAt(page, 6)).toBeFocused()
      await selectedCount(page, 5)
      for (const at of [0, 2, 3, 4, 5])
        await expect(page.getByRole('checkbox', { name: `Select ${shown[at]}` })).toBeChecked()
      await expect(page.getByRole('checkbox', { name: `Select ${shown[1]}` })).not.toBeChecked()
      await page.keyboard.press('Shift+ArrowUp')
      await expect(rowAt(page, 5)).toBeFocused()
    })
    await clearList(page)
    await test.step('Shift with an arrow key past the end of a page selects the first row of the next one', async () => {
      await page.keyboard.press('End')
      await page.keyboard.press('Shift+ArrowDown')
      await expect(rowAt(page, 21)).toBeFocused()
      await selectedCount(page, 2)
      await expect(rowAt(page, 21)).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('[')
      await page.keyboard.press('Escape')
    })
    await clearList(page)
    await test.step('Shift+x selects all rows from the last selected one to the focused one', async () => {
      await page.keyboard.press('Home')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      for (const _ of [1, 2, 3, 4]) await page.keyboard.press('j')
      await page.keyboard.press('Shift+X')
      await selectedCount(page, 5)
      await expect(rowAt(page, 2)).toHaveAttribute('aria-selected', 'true')
      await expect(rowAt(page, 6)).toHaveAttribute('aria-selected', 'true')
      await expect(rowAt(page, 7)).toHaveAttribute('aria-selected', 'false')
    })
    await clearList(page)
    await test.step('checkboxes, Shift+click, “Select the page” and Clear change the selection', async () => {
      const box = (position: number) => rowAt(page, position).getByRole('checkbox')
      await box(2).click()
      await selectedCount(page, 1)
      await box(5).click({ modifiers: ['Shift'] })
      await selectedCount(page, 4)
      await box(3).click()
      await selectedCount(page, 3)
      await page.getByRole('checkbox', { name: 'Select the page' }).click()
      await selectedCount(page, 20)
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await selectedCount(page, 0)
    })
    await clearList(page)
    await test.step('Esc closes the palette first, then clears the search, then the selection', async () => {
      await page.keyboard.press('Home')
      await page.keyboard.press('x')
      await selectedCount(page, 1)
      await searchFor(page, '30:AE:A4:00', 2)
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Commands' })
      await expect(palette).toBeVisible()

      await page.keyboard.press('Escape')
      await expect(palette).toBeHidden()
      await expect(searchField(page)).toHaveValue('30:AE:A4:00')
      await page.keyboard.press('Escape')
      await expect(searchField(page)).toHaveValue('')
      await selectedCount(page, 1)
      await page.keyboard.press('Escape')
      await selectedCount(page, 0)
    })
  })
  await backToDevices(page)
  await test.step('mod+shift+a selects all matches of a search and no other devices', async () => {
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Description')
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
    await page.keyboard.insertText('laboratory')
    await expect(page.getByText(/^1–20 of \d{2,3}$/)).toBeVisible()
    await loaded(page)
    await enterList(page)
    const matching = Number(await grid(page).getAttribute('aria-rowcount'))
    await page.keyboard.press('Control+Shift+A')
    await selectedCount(page, matching)
    await page.keyboard.press('Escape')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', /^\d{4}$/)
    await selectedCount(page, matching)
  })
  await backToDevices(page)
  await test.step('a selection is kept across three pages and a reload', async () => {
    const selected: string[] = []
    for (const number of [1, 2, 3]) {
      await expect(statusBar(page)).toContainText(`page ${number} of`)
      const shown = await shownDevices(page)
      await page.keyboard.press(number === 1 ? 'Home' : 'j')
      await expect(rowAt(page, number * 20 - 18 - (number === 1 ? 1 : 0))).toBeFocused()
      await page.keyboard.press('x')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      const first = number === 1 ? 0 : 1
      selected.push(...shown.slice(first, first + 2))
      await selectedCount(page, number * 2)
      await expect(selectedRows(page)).toHaveCount(2)
      if (number < 3) await page.keyboard.press(']')
    }
    await expect(panel(page)).toHaveAccessibleName('6 devices')
    await expect(page.getByText('6 selected, 4 on other pages')).toBeVisible()
    for (const id of selected) await expect(panel(page).getByRole('button', { name: id })).toBeVisible()

    await page.keyboard.press('[')
    await page.keyboard.press('[')
    await expect(statusBar(page)).toContainText('page 1 of')
    await loaded(page)
    for (const id of selected.slice(0, 2))
      await expect(page.getByRole('checkbox', { name: `Select ${id}` })).toBeChecked()
    await expect(selectedRows(page)).toHaveCount(2)
    // Devices have different colours.
    const colours = await panel(page)
      .getByRole('list', { name: 'Selected devices' })
      .locator('span')
      .evaluateAll(marks => marks.map(mark => getComputedStyle(mark).backgroundColor))
    expect(new Set(colours).size).toBeGreaterThan(3)

    await page.reload()
    await loaded(page)
    await selectedCount(page, 6)
    await expect(selectedRows(page)).toHaveCount(2)
  })
})
