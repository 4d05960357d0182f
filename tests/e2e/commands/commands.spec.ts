/** Commanding many devices by keys, and their settings page by page. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  confirm,
  countCalls,
  focusDevice,
  loaded,
  messages,
  openPalette,
  palette,
  panel,
  preview,
  selectedCount,
  selectedRows,
  statusBar,
} from '../support/devices.ts'

/** It is offline. */
const away = '30:AE:A4:09:0B:21'

/** It does what it is told, and no other file uses it. */
const ready = { pages: '30:AE:A4:20:EC:3B' }

const asked = (page: Page, name: string) => palette(page).getByRole('combobox', { name, exact: true })

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('flushes forty devices, says which failed and why, and retries just those', async ({ page }) => {
  await page.keyboard.press('Control+a')
  await selectedCount(page, 20)
  await page.keyboard.press(']')
  await expect(statusBar(page)).toContainText('page 2 of')
  await loaded(page)
  await page.keyboard.press('Control+a')
  await selectedCount(page, 40)

  const first = page.waitForRequest('**/api/v3/devices/flush')
  await page.keyboard.press('f')
  await confirm(page, 'Flush: 40 devices')
  const sent = ((await first).postDataJSON() as { ids: string[] }).ids
  expect(new Set(sent).size).toBe(sent.length)
  expect(sent).not.toContain(away)
  const answer = await (await first).response()
  const { data } = (await answer!.json()) as {
    data: { count: number; total: number; failed: { id: string; message: string }[] }
  }
  const failing = 40 - data.count
  expect(data.total).toBe(sent.length)
  expect(failing).toBeGreaterThan(2)

  await expect(messages(page)).toContainText(`Flushing ${data.count} of 40 devices`)
  // While it is pointed at, the message stays.
  await messages(page).getByRole('button', { name: 'View failures' }).hover()
  await selectedCount(page, failing)
  await messages(page).getByRole('button', { name: 'View failures' }).click()
  const which = page.getByRole('dialog', { name: `Flushing ${data.count} of 40 devices` })
  await expect(which.getByRole('listitem')).toHaveCount(failing)
  for (const { id, message } of data.failed)
    await expect(which.getByRole('listitem').filter({ hasText: id })).toContainText(message)
  await expect(which.getByRole('listitem').filter({ hasText: away })).toContainText(/offline/i)
  await page.keyboard.press('Escape')
  await expect(which).toBeHidden()

  // The retry is previewed too: of all that failed, those that still cannot be reached are skipped again.
  const second = page.waitForRequest('**/api/v3/devices/flush?preview=true')
  await page.keyboard.press('r')
  const retried = ((await second).postDataJSON() as { ids: string[] }).ids
  expect(retried).toHaveLength(failing)
  expect(retried).toEqual(expect.arrayContaining([away, ...data.failed.map(({ id }) => id)]))
  await expect(preview(page, `Flush: ${failing} devices`)).toContainText('Skipped: Device is offline')
})

test('a setting for many, of which some cannot', async ({ page }) => {
  await page.keyboard.press('Control+a')
  await selectedCount(page, 20)
  await page.keyboard.press('s')
  await page.keyboard.press('u')
  await expect(asked(page, 'UV mode')).toBeFocused()
  await page.keyboard.type('on')
  const request = page.waitForRequest('**/api/v3/devices/settings/uv')
  await page.keyboard.press('Enter')
  await confirm(page, 'UV module: 20 devices')
  const sent = await request
  expect(sent.postDataJSON()).toMatchObject({ mode: 1 })
  const { data } = (await (await sent.response())!.json()) as { data: { count: number } }
  expect(data.count).toBeGreaterThan(0)
  expect(data.count).toBeLessThan(20)
  await expect(messages(page)).toContainText(`Settings updated for ${data.count} out of 20 devices`)
  await selectedCount(page, 20 - data.count)
  await expect(selectedRows(page)).toHaveCount(20 - data.count)
})

test('settings page by page: typing narrows, Backspace and Esc go back to what was typed', async ({ page }) => {
  await focusDevice(page, ready.pages)
  const calls = countCalls(page, 'PUT', /settings\/flush$/)
  await openPalette(page)
  await page.keyboard.type('smart fl')
  await expect(palette(page).getByRole('option', { name: /^Auto-flush/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')

  await expect(asked(page, 'Smart flush')).toBeFocused()
  await expect(palette(page).getByRole('option')).toHaveText([
    'Keep as it is',
    'Save water',
    'Balanced',
    'Save membrane',
    'Disabled',
  ])
  await page.keyboard.type('save')
  await expect(palette(page).getByRole('option')).toHaveText(['Save water', 'Save membrane'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Mode')).toBeFocused()
  await expect(palette(page)).toContainText('Smart flush: Save membrane')

  // Back: what had been typed is there again, selected, so that typing replaces it.
  await page.keyboard.press('Backspace')
  await expect(asked(page, 'Smart flush')).toHaveValue('save')
  await page.keyboard.type('bal')
  await expect(asked(page, 'Smart flush')).toHaveValue('bal')
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Mode')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(asked(page, 'Smart flush')).toHaveValue('bal')
  await page.keyboard.press('Escape')
  await expect(palette(page).getByRole('combobox')).toHaveValue('smart fl')
  expect(calls).toEqual([])

  await page.keyboard.press('Enter')
  await page.keyboard.type('bal')
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Mode')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Frequency, every')).toBeFocused()
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Duration, s')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Volume')).toBeFocused()
  await page.keyboard.type('500')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('alert')).toHaveText('Volume must be less than or equal to 100')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2.5')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
  expect(calls).toEqual([{ body: { ids: [ready.pages], smart: 'balanced', frequency: 20, volume: 2.5 } }])
})

test('what cannot be done now says why, in the search and in the panel', async ({ page }) => {
  const calls = countCalls(page, 'POST', /flush$/)
  await openPalette(page)
  // Browsing does not offer it; searching tells why.
  await expect(palette(page).getByRole('option', { name: /^Flush/ })).toHaveCount(0)
  await page.keyboard.type('>flush')
  const option = palette(page).getByRole('option', { name: /^Flush At least one device must be selected/ })
  await expect(option).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  // The library's own click is not held back by aria-disabled.
  await option.dispatchEvent('click')
  await expect(palette(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await panel(page).getByRole('tab', { name: 'Control' }).click()
  const button = panel(page).getByRole('button', { name: /^Flush/ })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(panel(page).getByText('At least one device must be selected').first()).toBeVisible()
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('At least one device must be selected')
  // With two selected, what takes one says so.
  await page.keyboard.press('Control+a')
  await selectedCount(page, 20)
  await page.keyboard.press('h')
  await expect(messages(page)).toContainText('Please select one entity')
  expect(calls).toEqual([])
})
