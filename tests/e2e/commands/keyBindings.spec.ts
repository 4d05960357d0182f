/** Changing the keys of commands: recording, conflicts, reset, import and export. */
import type { Page } from '@playwright/test'
import { check } from '../support/axe.ts'
import { grid, loaded, messages, row, selectedCount, shownDevices, statusBar } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { closeMessages, lookUp, openPalette, palette } from '../support/lists.ts'

const recorder = (page: Page) => page.getByRole('dialog', { name: /^Keys of/ })
const field = (page: Page) => recorder(page).getByRole('textbox', { name: 'Press the new keys' })
const rowOf = (page: Page, command: string) =>
  page.getByRole('grid', { name: 'Keys of commands' }).getByRole('row', { name: new RegExp(`^${command} `) })

/** Opens the key recorder of a command from the palette. */
async function openRecorder(page: Page, command: string) {
  await openPalette(page)
  await page.keyboard.insertText('>change keys')
  await expect(palette(page).getByRole('option').first()).toContainText('Change keys of command')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Command', exact: true })).toBeFocused()
  await page.keyboard.insertText(command)
  await expect(palette(page).getByRole('option').first()).toContainText(command)
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
}

test('the keys of a command are changed and reset, and conflicts are shown, with the keyboard alone and in the settings with the mouse', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('with the keyboard alone', async () => {
    const [, id = ''] = await shownDevices(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(row(page, id)).toBeFocused()

    await openRecorder(page, 'Select or deselect row')
    await page.keyboard.press('f')
    await expect(recorder(page)).toContainText('f is assigned to “Flush”. That command will lose them.')
    // Esc changes nothing.
    await page.keyboard.press('Escape')
    await expect(recorder(page)).toBeHidden()
    await expect(row(page, id)).toBeFocused()
    await expect(statusBar(page).getByRole('button', { name: 'flush' })).toBeVisible()

    await openRecorder(page, 'Select or deselect row')
    // Keys that start other sequences are reported, Backspace removes a key, and keys of the browser are refused.
    await page.keyboard.press('g')
    await expect(recorder(page)).toContainText(
      'g d is assigned to “Devices” and starts with these keys. That command will lose them.',
    )
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+l')
    await expect(recorder(page)).toContainText('Ctrl l is reserved by the browser. Choose other keys.')
    await check(page, 'the recorder of keys', '[role=dialog]')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('q')
    await page.keyboard.press('q')
    await expect(recorder(page)).toContainText('No other command has these keys.')
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('“Select or deselect row” now uses q q')
    await expect(row(page, id)).toBeFocused()

    // The old key does nothing, and the new one works and is shown everywhere, also after a reload.
    await page.keyboard.press('x')
    await selectedCount(page, 0)
    await page.keyboard.press('q')
    await page.keyboard.press('q')
    await selectedCount(page, 1)
    await expect(statusBar(page).getByRole('button', { name: 'select' })).toHaveText('qqselect')
    await page.reload()
    await loaded(page)
    await expect(statusBar(page).getByRole('button', { name: 'range' })).toBeVisible()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'All keys' })
    await expect(sheet.getByRole('searchbox', { name: 'Search keys' })).toBeFocused()
    await page.keyboard.insertText('select or deselect row')
    await expect(sheet.getByRole('definition')).toHaveText(/q q/)
    await page.keyboard.press('Escape')

    const reset = await lookUp(page, 'Reset all keys')
    await expect(reset).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog', { name: 'Reset all keys?' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('All keys are reset to their defaults')
    await page.keyboard.press('j')
    await expect(grid(page).getByRole('row').nth(1)).toBeFocused()
  })
  await closeMessages(page)
  await test.step('in the settings, with the mouse', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click()
    const find = page.getByRole('searchbox', { name: 'Search commands and keys' })
    await find.fill('flush')
    await expect(rowOf(page, 'Auto-flush')).toContainText('s f')
    await rowOf(page, 'Flush')
      .getByRole('button', { name: /^Change/ })
      .click()
    // New keys can only be pressed.
    await field(page).press('x')
    await expect(recorder(page)).toContainText('x is assigned to “Select or deselect row”')
    await recorder(page).getByRole('button', { name: 'Reassign' }).click()
    await expect(rowOf(page, 'Flush')).toContainText('changed')
    await expect(rowOf(page, 'Flush').getByRole('button', { name: /^Change/ })).toBeFocused()
    await find.fill('select or deselect row')
    await expect(rowOf(page, 'Select or deselect row')).toContainText('–')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const path = await (await download).path()
    await rowOf(page, 'Select or deselect row')
      .getByRole('button', { name: /^Reset/ })
      .click()
    await expect(messages(page)).toContainText('“Select or deselect row” now uses x, removed from “Flush”')
    await find.fill('flush')
    await expect(rowOf(page, 'Flush')).toContainText('–')
    await rowOf(page, 'Auto-flush')
      .getByRole('button', { name: /^Remove/ })
      .click()
    await expect(rowOf(page, 'Auto-flush')).toContainText('–')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import' }).click()
    await (await chooser).setFiles(path)
    await expect(messages(page)).toContainText('Imported the keys of 2 commands')
    await expect(rowOf(page, 'Flush').getByText('x', { exact: true }).first()).toBeAttached()
    await expect(rowOf(page, 'Auto-flush')).toContainText('s f')
    await check(page, 'settings with other keys', 'html', { whole: true })
  })
})
