/** The devices list: search and paging. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices } from '../support/lists.ts'
import {
  columnValues,
  countCalls,
  enterList,
  grid,
  loaded,
  palette,
  rowAt,
  searchField,
  searchFor,
  shownDevices,
  statusBar,
  clearList,
} from '../support/devices.ts'

const expectPage = (page: Page, number: number) => expect(statusBar(page)).toContainText(`page ${number} of`)
const rows = (page: Page) => page.getByRole('combobox', { name: 'Rows per page' })

test('the rows per page lead to page 1, the search field fits an id at every width, and beside the panel menus, rows and values are not covered', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('changing the rows per page leads to page 1 and shows that many rows', async () => {
    const all = Number(await grid(page).getAttribute('aria-rowcount'))
    expect(all).toBeGreaterThan(1000)
    for (const limit of [50, 1000]) {
      await page.keyboard.press(']')
      await expectPage(page, 2)
      await rows(page).selectOption('20')
      await expectPage(page, 1)
      await rows(page).selectOption(String(limit))
      await expectPage(page, 1)
      await loaded(page)
      const range = `1–${limit.toLocaleString('en')} of ${all.toLocaleString('en')}`
      await expect(page.getByText(range, { exact: true })).toBeVisible()
    }
    // The last of a thousand rows can be reached.
    await grid(page).getByRole('row').nth(1).click()
    await page.keyboard.press('End')
    await expect(rowAt(page, 1000)).toBeFocused()
    await expect(rowAt(page, 1000)).toBeInViewport()
  })
  await rows(page).selectOption('20')
  await loaded(page)
  await test.step('the search field fits an id at every width, and beside the panel menus, rows and values are not covered', async () => {
    await test.step('beside the panel the menus keep their names, a clicked row is fully visible, and the actions cover no value', async () => {
      await page.setViewportSize({ width: 1440, height: 789 })
      for (const name of ['Columns', 'Export'])
        // The menus load after the rows, and replace their placeholders.
        await expect
          .poll(async () => (await page.getByText(name, { exact: true }).boundingBox())?.width, name)
          .toBeGreaterThan(30)

      const table = (await grid(page).boundingBox())!
      const bottom = table.y + table.height
      // The pointer is on the row that the lower edge of the table cuts.
      const { x, y } = { x: table.x + 80, y: bottom - 4 }
      const cut = await page.evaluate(
        at => document.elementFromPoint(at.x, at.y)?.closest('[role=row]')?.getAttribute('aria-rowindex'),
        { x, y },
      )
      await page.mouse.click(x, y)
      const clicked = rowAt(page, Number(cut))
      await expect(clicked).toBeFocused()
      await expect
        .poll(async () => {
          const box = (await clicked.boundingBox())!
          return box.y + box.height
        })
        .toBeLessThanOrEqual(bottom + 0.5)

      await grid(page).evaluate(element => element.scrollTo({ left: element.scrollWidth }))
      const cells = clicked.getByRole('gridcell')
      await expect(cells.last().getByRole('button', { name: /^Actions for/ })).toBeVisible()
      const columns = Number(await grid(page).getAttribute('aria-colcount'))
      const value = (await clicked.locator(`[aria-colindex="${columns - 1}"]`).boundingBox())!
      const actions = (await cells.last().boundingBox())!
      expect(value.x + value.width).toBeLessThanOrEqual(actions.x + 0.5)
    })
    await test.step('the search field is wide enough for a device id at every width', async () => {
      const id = '30:AE:A4:0B:8B:C6'
      for (const width of [1440, 1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await searchField(page).fill(id)
        const room = await searchField(page).evaluate(field => {
          const { paddingLeft, paddingRight } = getComputedStyle(field)
          return field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
        })
        expect(room, `at ${width} px`).toBeGreaterThanOrEqual(190)
      }
    })
  })
})

test('keys move through rows and pages, a search starts on page 1 and can be cleared, and numbers are compared as numbers', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a search by column and operator starts on page 1, and “less than” compares numbers as numbers', async () => {
    await test.step('a search by column and operator starts on page 1, and without a text the page stays', async () => {
      const lists = countCalls(page, 'GET', /^\/api\/v3\/devices$/)
      const column = page.getByRole('combobox', { name: 'Search column' })
      const operator = page.getByRole('combobox', { name: 'Search operator' })
      await expect(column).toHaveValue('bssid')
      await expect(operator).toHaveValue('co')

      // Without a search text neither column nor operator changes anything.
      await page.keyboard.press(']')
      await expectPage(page, 2)
      const second = await shownDevices(page)
      await column.selectOption('Model')
      await operator.selectOption('starts with')
      await expectPage(page, 2)
      expect(await shownDevices(page)).toEqual(second)

      // A search text leads to page 1.
      await page.keyboard.press('/')
      await page.keyboard.type('RO-')
      await expectPage(page, 1)
      await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '0')
      await loaded(page)
      await enterList(page)
      await page.keyboard.press(']')
      await expectPage(page, 2)
      await loaded(page)

      // With a text, another operator or another column leads to page 1.
      await operator.selectOption('ends with')
      await expectPage(page, 1)
      await expect(grid(page)).toHaveAttribute('aria-rowcount', '0')
      await operator.selectOption('contains')
      await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '0')
      await loaded(page)
      await column.focus()
      await grid(page).getByRole('row').nth(1).click()
      await page.keyboard.press(']')
      await expectPage(page, 2)
      await loaded(page)
      await column.selectOption('Filtration system')
      await expectPage(page, 1)
      await expect(grid(page)).toHaveAttribute('aria-rowcount', '0')
      expect(lists.length).toBeGreaterThan(0)
    })
    await clearList(page)
    await test.step('a search with “less than” compares numbers as numbers', async () => {
      await page.getByRole('combobox', { name: 'Search column' }).selectOption('Temperature')
      await page.getByRole('combobox', { name: 'Search operator' }).selectOption('less than')
      await page.keyboard.press('/')
      await page.keyboard.type('9')
      await expect
        .poll(async () => (await columnValues(page, 'Temp. (°C)')).every(value => Number(value) < 9))
        .toBe(true)
      expect((await columnValues(page, 'Temp. (°C)')).length).toBeGreaterThan(5)
    })
  })
  await backToDevices(page)
  await page.getByRole('combobox', { name: 'Search operator' }).selectOption('contains')
  await test.step('keys move through rows and pages, from the first to the last, and a search without results can be cleared', async () => {
    await test.step('j on the last row leads to the next page, and k on its first row back', async () => {
      await page.keyboard.press('Home')
      await expect(rowAt(page, 1)).toBeFocused()
      await page.keyboard.press('End')
      await expect(rowAt(page, 20)).toBeFocused()
      await page.keyboard.press('j')
      await expectPage(page, 2)
      await expect(rowAt(page, 21)).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(rowAt(page, 22)).toBeFocused()
      await page.keyboard.press('k')
      await page.keyboard.press('ArrowUp')
      await expectPage(page, 1)
      await expect(rowAt(page, 20)).toBeFocused()
      await page.keyboard.press('PageUp')
      await expect(rowAt(page, 10)).toBeFocused()
      await page.keyboard.press('PageDown')
      await expect(rowAt(page, 20)).toBeFocused()
      await page.keyboard.press('Home')
      await expect(rowAt(page, 1)).toBeFocused()
    })
    await test.step('a search without results says so and offers to clear the search', async () => {
      await searchFor(page, 'no such device', 0)
      await expect(page.getByText('Nothing matches no such device in Device.')).toBeVisible()
      await page.getByRole('button', { name: 'Clear search' }).click()
      await expect(searchField(page)).toHaveValue('')
      await expect(grid(page)).toHaveAttribute('aria-rowcount', /^\d{4}$/)
    })
    await test.step('keys turn the pages, from the first to the last and no further', async () => {
      const first = await shownDevices(page)
      await page.keyboard.press('[')
      await expect(page.getByRole('region', { name: 'Messages' })).toContainText('This is the first page')
      await expectPage(page, 1)
      await page.keyboard.press(']')
      await expectPage(page, 2)
      const second = await shownDevices(page)
      expect(second.filter(id => first.includes(id))).toEqual([])
      await page.keyboard.press('[')
      await expectPage(page, 1)
      expect(await shownDevices(page)).toEqual(first)

      await page.keyboard.press('Shift+g')
      await expect(palette(page).getByRole('combobox', { name: 'Page', exact: true })).toBeFocused()
      await page.keyboard.type('9999')
      await page.keyboard.press('Enter')
      await expect(statusBar(page)).toContainText(/page (\d+) of \1$/)
      await loaded(page)
      await expect(page.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
    })
  })
})
