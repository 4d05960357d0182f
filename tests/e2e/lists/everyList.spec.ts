/** The features that all lists share, on each list, with the keyboard alone. */
import type { Page } from '@playwright/test'
import { callerFor, idOf, newModel, newVendor, unique, type Caller } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
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
const lines = (header: string, line: (name: string) => string, word: string) =>
  [header, ...many.map(() => line(unique(word)))].join('\n')

/** The lists that are filled to more than one page. */
const paged: readonly Screen[] = ['vendors', 'models', 'filtrationSystems', 'groups', 'cartridgeTypes', 'audit']
const fill: Partial<Record<Screen, (caller: Caller) => Promise<unknown>>> = {
  admins: caller =>
    caller.call('POST', '/api/v3/admins', {
      login: unique('admin'),
      password: 'an-admins-own-password',
      first_name: '',
      last_name: '',
    }),
  vendors: caller => Promise.all(many.slice(0, 16).map(() => newVendor(caller))),
  async models(caller) {
    const vendor = await idOf(caller, '/api/v3/vendors', 'login', 'vendor')
    await Promise.all(many.map(() => newModel(caller, [vendor])))
  },
  filtrationSystems: caller =>
    caller.upload(
      '/api/v3/filtration-systems/file',
      lines('model', name => name, 'System'),
    ),
  groups: caller =>
    caller.upload(
      '/api/v4/filtration-system-groups/file',
      lines('name', name => name, 'Group'),
    ),
  cartridgeTypes: caller =>
    caller.upload(
      '/api/v3/cartridge-types/file',
      lines(
        'model,type,resource,ttl,name,description,purchase_url,image_url',
        name => `${name},membrane,9,9,N,,,`,
        'CT',
      ),
    ),
  audit: caller =>
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
  audit: ['When', 'Who', 'Role', 'What', 'Outcome', 'Message', 'On', 'From'],
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

for (const screen of Object.keys(screens) as Screen[]) {
  const { title, searches } = screens[screen]
  test(`columns, search, sort, paging and selection work in the list ${title}`, async ({ page, server }) => {
    test.slow()
    const login = screen === 'admins' ? 'superadmin' : 'admin'
    const caller = await callerFor(server.url, login)
    await fill[screen]?.(caller)
    await signIn(page, login)
    if (screen !== 'admins') await go(page, screen)
    else await ready(page)
    const all = await total(page)

    for (const name of columns[screen]) await expect(columnHeader(page, name)).toHaveCount(1)
    const last = columns[screen].at(-1)!
    await page.keyboard.press('Shift+C')
    await answer(page, 'Column', last)
    await expect(columnHeader(page, last)).toHaveCount(0)
    await page.keyboard.press('Shift+C')
    await answer(page, 'Column', last)
    await expect(columnHeader(page, last)).toHaveCount(1)

    // The default search column is the specification's. It finds any part of the text, ignoring case.
    await expect(page.getByRole('combobox', { name: 'Search column' }).locator(':checked')).toHaveText(searches)
    await expect(page.getByRole('combobox', { name: 'Search operator' }).locator(':checked')).toHaveText('contains')
    const [some] = (await columnValues(page, searches)).toSorted((a, b) => b.length - a.length)
    // In the history, the searched text is the call, which is last in its cell.
    const part = some!
      .split(/ (?=[A-Z]+ \/api)/)
      .at(-1)!
      .slice(1)
    await page.keyboard.press('/')
    await page.keyboard.type(part.toUpperCase())
    const allMatch = async () => {
      const texts = await columnValues(page, searches)
      return texts.length > 0 && texts.every(text => text.toLowerCase().includes(part.toLowerCase()))
    }
    await expect.poll(allMatch).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => total(page)).toBeGreaterThanOrEqual(all)
    await page.keyboard.press('Escape')

    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(selectedTableRows(page)).toHaveCount(1)

    await sort(page, searches, 'Ascending')
    await expect(columnHeader(page, searches)).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(async () => isSorted(await columnValues(page, searches), 1)).toBe(true)
    await sort(page, searches, 'Descending')
    await expect(columnHeader(page, searches)).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(async () => isSorted(await columnValues(page, searches), -1)).toBe(true)
    await sort(page, searches, 'None')
    await expect(columnHeader(page, searches)).toHaveAttribute('aria-sort', 'none')

    if (paged.includes(screen)) {
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
      await expect(page.getByRole('combobox', { name: 'Rows on a page' }).locator(':checked')).toHaveText('1000')
      // The history may have grown: a call of an earlier test is recorded when it is answered.
      await expect(page.getByText(/^1–([\d,]+) of \1$/)).toBeVisible()
      expect(await total(page)).toBeGreaterThanOrEqual(all)
      await expect(page.getByText(/^page 1 of 1$/)).toBeVisible()
      await expect(panel(page)).toHaveAccessibleName(/^2 /)
    }
    const selected = await panel(page).getByRole('heading', { level: 2 }).textContent()
    await page.reload()
    await ready(page)
    await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText(selected!)
    if (screen !== 'admins') {
      const other = screen === 'groups' ? 'users' : 'groups'
      await go(page, other)
      await expect(selectedTableRows(page)).toHaveCount(0)
      await go(page, screen)
      await expect(panel(page).getByRole('heading', { level: 2 })).toHaveText(selected!)
    }
    await find(page, 'nothing is called that', 0)
    await expect(page.getByText('Nothing matches nothing is called that.')).toBeVisible()
    await expect(searchField(page)).not.toBeFocused()
  })
}

/** Whether cells are sorted. The history is sorted by its calls, which are last in their cells. */
const isSorted = (cells: readonly string[], sign: 1 | -1) => {
  const texts = cells.map(text => text.split(/ (?=[A-Z]+ \/api)/).at(-1)!)
  return texts.length > 1 && JSON.stringify(texts) === JSON.stringify(sortTexts(texts, sign))
}
