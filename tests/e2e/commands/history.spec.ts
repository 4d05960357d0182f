/** The history of changes, with the keyboard alone. */
import type { Page } from '@playwright/test'
import { callerFor, newVendor } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  find,
  go,
  lookUp,
  panel,
  searchField,
  screens,
  table,
  tabTo,
  total,
  typeInto,
  clearList,
  columnValues,
  signInAtList,
} from '../support/lists.ts'

/** Chooses the search column by typing its name, and searches. */
async function searchIn(page: Page, column: string, text: string) {
  const columns = page.getByRole('combobox', { name: 'Search column' })
  await tabTo(page, columns)
  await page.keyboard.type(column)
  await expect(columns.locator(':checked')).toHaveText(column)
  await typeInto(page, searchField(page), text)
}

test('a change made in the console is in the history at once, which shows who changed what, on which target, from where and with what outcome', async ({
  page,
  server,
}) => {
  test.slow()
  await signInAtList(page, 'admin', 'audit')
  await test.step('a change made in the console appears in the history at once', async () => {
    const { login } = await newVendor(await callerFor(server.url, 'admin'))
    await find(page, 'change-status', await statusChanges(server.url))
    const before = await total(page)
    await go(page, 'vendors')
    await find(page, login, 1)
    const blocked = page.waitForResponse(/change-status$/)
    await page.keyboard.press('l')
    expect((await blocked).ok()).toBe(true)
    await go(page, 'audit')
    await expect(searchField(page)).toHaveValue('change-status')
    await expect.poll(() => total(page)).toBe(before + 1)
    expect((await columnValues(page, 'Action'))[0]).toBe('Blocked or unblocked accounts')
  })
  await clearList(page)
  await test.step('the history shows who changed what, on which target, from where and with what outcome', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { login, id } = await newVendor(admin)
    const vendor = await callerFor(server.url, login, 'a-vendors-own-password')
    await admin.call('PATCH', `/api/v3/vendors/${id}/change-status`, { status: false })
    expect(await vendor.status('DELETE', '/api/v3/vendors', { ids: [id] })).toBe(403)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /History/ })).toHaveCount(1)
    await expect(await lookUp(page, 'History')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`${screens.audit.path}$`))
    await expect(table(page)).toHaveAccessibleName('History')
    expect(await total(page)).toBeGreaterThan(2)
    await expect(page.getByRole('combobox', { name: 'Search column' }).locator(':checked')).toHaveText('Action')

    await searchIn(page, 'Targets', id)
    await expect(table(page)).toHaveAttribute('aria-rowcount', '2')
    // The newest entry is first.
    await expect.poll(() => columnValues(page, 'Action')).toEqual(['Blocked or unblocked accounts', 'Created vendor'])
    expect(await columnValues(page, 'Account')).toEqual(['admin', 'admin'])
    expect(await columnValues(page, 'Role')).toEqual(['Admin', 'Admin'])
    expect(await columnValues(page, 'Result')).toEqual(['Done', 'Done'])
    expect(await columnValues(page, 'IP address')).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(await columnValues(page, 'Targets')).toEqual([id, id])
    for (const when of await columnValues(page, 'Time')) expect(when).toMatch(/\d{1,2}:\d{2}/)
    // Refused calls are listed too, under the login of their caller.
    await searchIn(page, 'Account', login)
    await expect.poll(async () => (await columnValues(page, 'Action'))[0]).toBe('Deleted vendors')
    expect((await columnValues(page, 'Result'))[0]).toBe('Refused')
    expect((await columnValues(page, 'Role'))[0]).toBe('Vendor')
    // No command changes or deletes an entry.
    await page.keyboard.press('Enter')
    await expect(table(page).getByRole('row').nth(1)).toBeFocused()
    await page.keyboard.press('x')
    await expect(panel(page).getByRole('tab')).toHaveText(['Info'])
    for (const key of ['c', 'Shift+E', 'Delete']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })
})

/** Returns the number of entries about status changes. */
async function statusChanges(url: string): Promise<number> {
  const admin = await callerFor(url, 'admin')
  const { count } = (await admin.call('GET', '/api/v3/audit?search=change-status&limit=1')) as { count: number }
  return count
}
