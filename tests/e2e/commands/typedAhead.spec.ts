/** Keys typed at full speed while the server is slow: commands act on what the person has chosen last. */
import type { Page } from '@playwright/test'
import { callerFor } from '../support/api.ts'
import { countCalls, grid, loaded, messages, palette, preview, selectedCount } from '../support/devices.ts'
import { connect, devicesOf, newCompany, newModel } from '../support/everydayWorld.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { intercept } from '../support/intercept.ts'
import { backToDevices } from '../support/lists.ts'

/** Delays matching requests by two seconds each, as a slow network does. */
const delay = (page: Page, matching: RegExp) =>
  intercept(page, matching, async route => {
    await new Promise(resolve => setTimeout(resolve, 2000))
    await route.continue().catch(() => undefined)
  })
const readsRows = /\/api\/v3\/(devices|vendors)\?/

/** Presses keys one after the other without waiting for anything; a text in lower case is typed. */
async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys)
    if (/^[a-z0-9:@]{2,}$/.test(key)) await page.keyboard.type(key)
    else await page.keyboard.press(key)
}

const dialog = (page: Page) => page.getByRole('alertdialog')

test('a command typed behind a narrowed selection or a new search acts on the new rows, on a slow network', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  await newModel(admin, 'Fjord', await newCompany(admin, 'of-fjord', 'Fjordline'))
  const own = await devicesOf(admin, 'A0:7B', 2, { vendor: 'of-fjord', model: 'Fjord' })
  const [first, second] = own as [(typeof own)[0], (typeof own)[0]]
  await connect({ page, server, admin }, first)
  await signIn(page, 'admin')
  await loaded(page)
  const flushed = countCalls(page, 'POST', /api\/v3\/jobs$|devices\/flush$/)
  const protectedDevices = countCalls(page, 'PUT', /idle-protection$/)

  await test.step('a selection narrowed to one vendor', async () => {
    // Its two devices are the last ones of the first page.
    await press(page, '/', 'a0:7b')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
    await press(page, 'Enter', 'x')
    // Esc would cancel a command that waits for its rows.
    await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(1)
    await press(page, 'Escape')
    await expect(page.getByRole('searchbox')).toHaveValue('')
    await loaded(page)
    await press(page, 'Control+a')
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText(/2[01] selected/)
    await delay(page, readsRows)
    await press(page, 'a', 'v', 'fjordl', 'Enter', 'keep', 'Enter', 'b')
    await expect(messages(page)).toContainText('“Reboot” waits for the selection. Press Esc to cancel.')
    // Red, so it has to be read first: an early Enter is refused.
    await press(page, 'Enter')
    await expect(dialog(page)).toHaveAccessibleName(/^Reboot A0:7B:/)
    await expect(dialog(page)).toContainText('only Company equals “Fjordline”')
    await expect(dialog(page)).toContainText('Read this first')
    await press(page, 'Escape')
    await expect(dialog(page)).toBeHidden()
    await selectedCount(page, 1)
    await press(page, 'Escape')
    await selectedCount(page, 0)
  })
  await test.step('a new search, and the arguments of a command on its first row', async () => {
    await press(page, '/', 'a0:7b', 'Enter', 's', 'i', '90', 'Enter')
    await expect.poll(() => protectedDevices).toEqual([{ body: { ids: [first.bssid], duration: 90 } }])
  })
  await test.step('all that match a new search, and Enter before the preview', async () => {
    await press(page, '/')
    await page.keyboard.press('Control+a')
    await press(page, 'a0:7b:00:00:00', 'Enter', 'Control+Shift+a', 'f', 'Enter')
    await expect(messages(page)).toContainText('Flushing 1 of 2 devices')
    const search = { search: 'a0:7b:00:00:00', operator: 'co' }
    expect(flushed).toEqual([{ body: { command: 'flush', input: {}, search, policy: {} } }])
    await selectedCount(page, 1)
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('1 that failed stays selected')
    // A flush cannot be undone, so this selects again what was selected before.
    await press(page, 'z')
    await selectedCount(page, 2)
    await press(page, 'Escape', 'Escape')
    await selectedCount(page, 0)
  })
  await test.step('Esc cancels a command that waits for rows', async () => {
    await press(page, '/', 'a0:7b:00:00:00:01', 'Enter', 'f')
    await expect(messages(page)).toContainText('“Flush” waits for the rows')
    await press(page, 'Escape')
    await expect(messages(page)).not.toContainText('waits for the rows')
    await expect(page.getByRole('searchbox')).toHaveValue('a0:7b:00:00:00:01')
    await expect(grid(page).getByRole('row').nth(1)).toContainText(second.bssid)
    await expect(grid(page).getByRole('row').nth(1)).toBeFocused()
    expect(flushed).toHaveLength(1)
  })
})

test('a device found by an early Enter is the one that the next command acts on, and undoing a command selects again its rows', async ({
  page,
  ownDevices,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('undoing a command selects again the rows that it was done with', async () => {
    const ids = await ownDevices(2)
    const admin = await callerFor(server.url, 'admin')
    const [offline] = await devicesOf(admin, 'A0:7D', 1)
    for (const id of [...ids, offline!.bssid]) {
      await press(page, '@')
      await expect(palette(page).getByRole('combobox')).toBeFocused()
      await page.keyboard.type(id)
      await page.keyboard.press('Enter')
      await expect(palette(page)).toBeHidden()
    }
    await selectedCount(page, 3)
    await press(page, 'l', 'Enter')
    await expect(messages(page)).toContainText('Locked 2 of 3 devices')
    await selectedCount(page, 1)
    const unlocked = countCalls(page, 'POST', /jobs\/[^/]+\/undo$/)
    await delay(page, /jobs\/[^/]+\/undo$/)
    // The flush waits for the undo, which restores the selection.
    await press(page, 'z', 'Enter')
    await expect(preview(page, 'Undo “Lock”: 2 devices')).toBeHidden()
    await press(page, 'f')
    await expect(preview(page, 'Flush: 3 devices')).toBeVisible()
    expect(unlocked).toHaveLength(1)
    await expect(messages(page)).toContainText('Undid “Lock” for 2 of 2 devices')
  })
  await backToDevices(page)
  await test.step('a device found in the palette by an early Enter is the one that the next command acts on', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [device] = await devicesOf(admin, 'A0:7C', 1, { description: 'Lighthouse' })
    const { bssid } = device!
    await visit(page, '/settings')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    const release = await holdRequests(page, readsRows)
    await press(page, 'Control+k')
    await expect(palette(page).getByRole('combobox')).toBeFocused()
    await press(page, '@light')
    // Results of a shorter text are not chosen.
    await expect(palette(page).getByText('Searching…').first()).toBeVisible()
    await press(page, 'house', 'Enter', 'h')
    release()
    await expect(page.getByRole('dialog', { name: `Share ${bssid}` })).toBeVisible()
    await page.keyboard.press('Escape')
    await selectedCount(page, 1)
  })
})
