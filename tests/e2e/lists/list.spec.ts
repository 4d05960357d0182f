/** The devices list: search and paging. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, backToDevices } from '../support/lists.ts'
import {
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
