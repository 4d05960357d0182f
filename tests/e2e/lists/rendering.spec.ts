/** What a page of rows shows, and what 1,000 rows cost the browser: elements, counted instead of timed. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { grid, loaded, rowAt, searchField, statusBar } from '../support/devices.ts'

const expectPage = (page: Page, number: number) => expect(statusBar(page)).toContainText(`page ${number} of`)
const rows = (page: Page) => page.getByRole('combobox', { name: 'Rows per page' })

/** The elements of the table: those of the rows on screen and of a few above and below, not of 1,000 rows. */
const maxElements = 850

const elements = (page: Page) => grid(page).evaluate(table => table.querySelectorAll('*').length)

/** Scrolls down the table by this many pixels and waits for the rows there. */
async function scrollDown(page: Page, pixels: number) {
  const first = await grid(page).evaluate((table, by) => {
    table.scrollTop += by
    return Math.ceil(table.scrollTop / table.querySelector<HTMLElement>('[data-index]')!.offsetHeight)
  }, pixels)
  await expect(page.locator(`[data-index="${first + 1}"]`)).toBeInViewport()
}

test('sideways, cells and their headers move alike, 1,000 rows have the elements of those on screen only, and beside the panel nothing is covered', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('scrolling sideways moves cells and their headers alike; pinned columns and the row menu stay', async () => {
    const places = () =>
      grid(page).evaluate(table => {
        const left = (selector: string) => Math.round(table.querySelector(selector)!.getBoundingClientRect().left)
        const row = '[data-index="0"]'
        return {
          pinned: left(`${row} [data-column="bssid"]`),
          pinnedHead: left('[role=columnheader][data-column="bssid"]'),
          cell: left(`${row} [data-column="company_name"]`),
          head: left('[role=columnheader][data-column="company_name"]'),
          menu: left(`${row} [data-act="menu"]`),
        }
      })
    const before = await places()
    await grid(page).evaluate(table => (table.scrollLeft = 90))
    await expect.poll(async () => (await places()).cell).toBe(before.cell - 90)
    expect(await places()).toEqual({ ...before, cell: before.cell - 90, head: before.head - 90 })
    await grid(page).evaluate(table => (table.scrollLeft = 0))
    await expect.poll(places).toEqual(before)
  })
  await test.step('a page of 1,000 rows has the elements of those on screen only', async () => {
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('1000')
    await expect(page.getByText(/^1–1,000 of/)).toBeVisible()
    await loaded(page)
    expect(await elements(page)).toBeLessThan(maxElements)

    await scrollDown(page, 10_000)
    expect(await elements(page)).toBeLessThan(maxElements)
  })
  await rows(page).selectOption('20')
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
