/** What each list has of its own; and on one of them the features that all lists share, with the keyboard alone. */
import type { Page } from '@playwright/test'
import { callerFor, newVendor, unique, type Caller } from '../support/api.ts'
import { newFindings } from '../support/findings.ts'
import { expect, logOut, signIn, test } from '../support/fixtures.ts'
import {
  answer,
  find,
  go,
  columnHeader,
  palette,
  panel,
  selectedTableRows,
  ready,
  screens,
  searchField,
  total,
  columnValues,
  type Screen,
} from '../support/lists.ts'

const many = Array.from({ length: 22 }, (_, index) => index)
/** Adds rows: one administrator, more than a page of vendors, and some history. */
const fill = {
  admins: (caller: Caller) => {
    const body = { login: unique('admin'), password: 'an-admins-own-password', first_name: 'Test', last_name: 'Test' }
    return caller.call('POST', '/api/v3/admins', body)
  },
  vendors: (caller: Caller) => Promise.all(many.slice(0, 16).map(() => newVendor(caller))),
  audit: (caller: Caller) =>
    Promise.all(many.map(() => caller.status('DELETE', '/api/v3/devices/models', { ids: ['never there'] }))),
}

const columns = {
  admins: ['Login', 'Status', 'First name', 'Last name', 'Created', 'Updated'],
  vendors: ['Login', 'Company', 'Status', 'First name', 'Last name', 'Address', 'Description', 'Created', 'Updated'],
  users: ['Email', 'Email confirmed', 'Status', 'First name', 'Last name', 'Created', 'Updated'],
  models: ['Name', 'Platform', 'Company', 'Capabilities', 'Vendors', 'Created', 'Updated'],
  filtrationSystems: ['Model', 'Group', 'Cartridges', 'Vendor', 'Flushing', 'Smart flush', 'Created', 'Updated'],
  groups: ['Name', 'Created', 'Updated'],
  cartridgeTypes: ['Model', 'Name', 'Type', 'Description', 'Purchase link', 'Image link', 'Created', 'Updated'],
  findings: [
    'Device',
    'Finding',
    'Description',
    'Confidence (%)',
    'Severity',
    'Began',
    'Found',
    'Company',
    'State',
    'Confirmed cause',
    'Reason',
  ],
  audit: ['Time', 'Account', 'Role', 'Action', 'Result', 'Message', 'Targets', 'IP address'],
} as const satisfies Record<Screen, readonly string[]>

/** Sorts texts as the lists do: by code point, ignoring case. */
const sortTexts = (texts: readonly string[], sign: 1 | -1) =>
  texts.toSorted((a, b) => sign * (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0))

async function sort(page: Page, column: string, direction: string) {
  await page.keyboard.press('Shift+S')
  await answer(page, 'Column', column)
  await answer(page, 'Direction', direction)
  await expect(palette(page)).toBeHidden()
  await ready(page)
}

/** Checks the columns, the search by the default column, and the order by a click on a header. */
async function expectList(page: Page, screen: Screen) {
  const { searches } = screens[screen]
  await ready(page)
  const all = await total(page)
  for (const name of columns[screen]) await expect(columnHeader(page, name)).toHaveCount(1)

  // The default search column is the specification's. It finds any part of the text, ignoring case.
  await expect(page.getByRole('combobox', { name: 'Search column' }).locator(':checked')).toHaveText(searches)
  await expect(page.getByRole('combobox', { name: 'Search operator' }).locator(':checked')).toHaveText('contains')
  const [some] = (await columnValues(page, searches)).toSorted((a, b) => b.length - a.length)
  const part = searched(some!).slice(1)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.insertText(part.toUpperCase())
  const allMatch = async () => {
    const texts = await columnValues(page, searches)
    return texts.length > 0 && texts.every(text => text.toLowerCase().includes(part.toLowerCase()))
  }
  await expect.poll(allMatch).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => total(page)).toBeGreaterThanOrEqual(all)
  await page.keyboard.press('Escape')

  await columnHeader(page, searches).getByRole('button').click()
  await expectSorted(page, searches, 'ascending')
}

async function expectSorted(page: Page, column: string, direction: 'ascending' | 'descending') {
  await expect(columnHeader(page, column)).toHaveAttribute('aria-sort', direction)
  const sign = direction === 'ascending' ? 1 : -1
  await expect.poll(async () => isSorted(await columnValues(page, column), sign)).toBe(true)
}

test('every list has its columns, searches its default column and is sorted; columns, paging and selection work by keys in other lists than the devices', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('every list has its columns, searches its default column for any part of the text, and is sorted', async () => {
    await fill.admins(await callerFor(server.url, 'superadmin'))
    await fill.vendors(await callerFor(server.url, 'admin'))
    await fill.audit(await callerFor(server.url, 'admin'))
    await newFindings(server, 2)
    await signIn(page, 'superadmin')
    await expectList(page, 'admins')
    await logOut(page)
    await signIn(page, 'admin')
    for (const screen of Object.keys(screens) as Screen[]) {
      if (screen === 'admins') continue
      await test.step(screen, async () => {
        await go(page, screen)
        await expectList(page, screen)
      })
    }
  })
  await test.step('columns, sort, paging and selection work by keys in a list other than the devices', async () => {
    const { searches } = screens.vendors
    await go(page, 'vendors')
    await sort(page, searches, 'None')
    const all = await total(page)

    const last = columns.vendors.at(-1)!
    await page.keyboard.press('Shift+C')
    await answer(page, 'Column', last)
    await expect(columnHeader(page, last)).toHaveCount(0)
    await page.keyboard.press('Shift+C')
    await answer(page, 'Column', last)
    await expect(columnHeader(page, last)).toHaveCount(1)

    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(selectedTableRows(page)).toHaveCount(1)

    await sort(page, searches, 'Ascending')
    await expectSorted(page, searches, 'ascending')
    await sort(page, searches, 'Descending')
    await expectSorted(page, searches, 'descending')
    await sort(page, searches, 'None')
    await expect(columnHeader(page, searches)).toHaveAttribute('aria-sort', 'none')

    expect(all).toBeGreaterThan(20)
    await expect(page.getByText(/^1–20 of /)).toBeVisible()
    await page.keyboard.press(']')
    await expect(page.getByText(/^page 2 of /)).toBeVisible()
    await ready(page)
    await expect(selectedTableRows(page)).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await expect(panel(page)).toHaveAccessibleName(/^2 /)
    await page.keyboard.press('Shift+L')
    await answer(page, 'Rows', '1000')
    await expect(page.getByRole('combobox', { name: 'Rows per page' }).locator(':checked')).toHaveText('1000')
    await expect(page.getByText(/^1–([\d,]+) of \1$/)).toBeVisible()
    expect(await total(page)).toBe(all)
    await expect(page.getByText(/^page 1 of 1$/)).toBeVisible()
    await expect(panel(page)).toHaveAccessibleName(/^2 /)

    const selected = await panel(page).getByRole('heading', { level: 2 }).textContent()
    await page.reload()
    await ready(page)
    await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText(selected!)
    await go(page, 'groups')
    await expect(selectedTableRows(page)).toHaveCount(0)
    await go(page, 'vendors')
    await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText(selected!)
    await find(page, 'nothing is called that', 0)
    await expect(page.getByText(/^Nothing matches nothing is called that in /)).toBeVisible()
    await expect(searchField(page)).not.toBeFocused()
  })
})

/** Returns the searched text of a cell. In the history it is the call, which is last in its cell. */
const searched = (cell: string) => cell.split(/ (?=[A-Z]+ \/api)/).at(-1)!

const isSorted = (cells: readonly string[], sign: 1 | -1) => {
  const texts = cells.map(searched)
  return texts.length > 0 && JSON.stringify(texts) === JSON.stringify(sortTexts(texts, sign))
}
