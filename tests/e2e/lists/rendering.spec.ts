/** What a page of 1,000 rows costs the browser: elements, counted instead of timed. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { grid, loaded } from '../support/devices.ts'

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

test('sideways, cells and their headers move alike, and a page of 1,000 rows has the elements of those on screen only', async ({
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
})
