/** Commands for one device, with the keyboard. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, backToDevices } from '../support/lists.ts'
import {
  confirm,
  countCalls,
  focusDevice,
  loaded,
  messages,
  openPalette,
  palette,
  panel,
  row,
  searchField,
  selectedCount,
  statusBar,
  clearList,
} from '../support/devices.ts'

/** A demo device with a valve, which no other test uses. */
const withValve = '30:AE:A4:0B:06:4A'

const confirmation = (page: Page) => page.getByRole('alertdialog')
const argument = (page: Page, name: string) => palette(page).getByRole('combobox', { name, exact: true })

test('commands for one device run by keys, with a confirmation where they interrupt it, deleting asks for a word, and . repeats the last one', async ({
  server,
  page,
  ownDevices,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('commands for one device run by keys, and . repeats the last one', async () => {
    const [id = '', next = ''] = await ownDevices(2)
    await focusDevice(page, id)
    await test.step('a reboot asks for confirmation: Esc cancels it, Enter sends it', async () => {
      const calls = countCalls(page, 'POST', /reboot$/)
      await page.keyboard.press('b')
      await expect(confirmation(page)).toHaveAccessibleName(`Reboot ${id}?`)
      await page.keyboard.press('Escape')
      await expect(confirmation(page)).toBeHidden()
      await expect(row(page, id)).toBeFocused()
      await page.keyboard.press('b')
      await confirm(page, `Reboot ${id}?`)
      await expect(messages(page)).toContainText('Rebooting 1 of 1 device')
      expect(calls).toEqual([{ body: { ids: [id] } }])
    })
    await test.step('a device is locked and unlocked by keys', async () => {
      await page.keyboard.press('l')
      await expect(messages(page)).toContainText('Locked 1 of 1 device')
      await expect.poll(() => columnValues(page, 'Vendor lock')).toEqual(['Locked'])
      await page.keyboard.press('u')
      await expect(messages(page)).toContainText('Unlocked 1 of 1 device')
      await expect.poll(() => columnValues(page, 'Vendor lock')).toEqual(['Unlocked'])
    })
    await test.step('a device is reset to default settings and to the factory state after confirmation', async () => {
      const calls = countCalls(page, 'POST', /reset$/)
      await page.keyboard.press('Shift+R')
      await confirm(page, `Reset the settings of ${id}?`)
      await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
      await page.keyboard.press('Shift+F')
      await confirm(page, `Factory-reset ${id}?`)
      await expect(messages(page)).toContainText('Reset 1 of 1 device')
      expect(calls).toEqual([{ body: { ids: [id], scope: 'settings' } }, { body: { ids: [id], scope: 'factory' } }])
    })
    await test.step('the description of a device is edited in the palette', async () => {
      await page.keyboard.press('s')
      await page.keyboard.press('d')
      await expect(argument(page, 'Description')).toBeFocused()
      await page.keyboard.insertText('Above the sink')
      await page.keyboard.press('Enter')
      await expect(messages(page)).toContainText('Description updated')
      await expect.poll(() => columnValues(page, 'Description')).toEqual(['Above the sink'])
    })
    await test.step('the key . repeats the last command on the focused device', async () => {
      const calls = countCalls(page, 'PUT', /idle-protection$/)
      await page.keyboard.press('s')
      await page.keyboard.press('i')
      await expect(argument(page, 'Duration (min)')).toBeFocused()
      await page.keyboard.type('90')
      await page.keyboard.press('Enter')
      await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
      await page.keyboard.press('Escape')
      await focusDevice(page, next)
      // The message may be that of an earlier step.
      await expect(statusBar(page)).toContainText('repeat “idle protection”')
      await page.keyboard.press('.')
      await expect
        .poll(() => calls)
        .toEqual([{ body: { ids: [id], duration: 90 } }, { body: { ids: [next], duration: 90 } }])
    })
    await test.step('the valve of a device is closed after confirmation', async () => {
      await clearList(page)
      await focusDevice(page, withValve)
      await expect(
        panel(page)
          .getByRole('definition')
          .filter({ hasText: /^Open$/ }),
      ).toBeVisible()
      await page.keyboard.press('v')
      await expect(argument(page, 'Valve')).toBeFocused()
      await page.keyboard.type('cl')
      await page.keyboard.press('Enter')
      await confirm(page, `Close the valve of ${withValve}?`)
      await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
      await expect(
        panel(page)
          .getByRole('definition')
          .filter({ hasText: /^Closed$/ }),
      ).toBeVisible()
    })
    await test.step('keys typed into a text field are text and run no commands', async () => {
      await clearList(page)
      const calls = countCalls(page, 'POST', /devices\/(flush|reboot)$/)
      await page.keyboard.press('j')
      await page.keyboard.press('/')
      await page.keyboard.type('fxbg st?')
      await expect(searchField(page)).toHaveValue('fxbg st?')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await selectedCount(page, 0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page.getByText('Nothing matches')).toBeVisible()
      expect(calls).toEqual([])
    })
    await test.step('@ in the palette finds a device from any screen and selects it', async () => {
      await clearList(page)
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await expect(page).toHaveURL(/\/settings(\?|$)/)
      await openPalette(page)
      await page.keyboard.insertText(`@${id}`)
      await expect(palette(page).getByRole('option')).toHaveCount(1)
      await expect(palette(page).getByRole('option', { name: new RegExp(id) })).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await expect(panel(page)).toHaveAccessibleName(id)
      await selectedCount(page, 1)
    })
  })
  await backToDevices(page)
  await test.step('deleting a device needs the word DELETE typed exactly', async () => {
    const [deleted = '', other = ''] = await newDevices(await callerFor(server.url, 'admin'), 2)
    await focusDevice(page, deleted)
    const calls = countCalls(page, 'DELETE', /devices$/)
    await page.keyboard.press('Delete')
    await expect(confirmation(page)).toHaveAccessibleName(`Delete ${deleted}?`)
    const word = page.getByRole('textbox', { name: 'Type DELETE to confirm' })
    await expect(word).toBeFocused()
    const button = confirmation(page).getByRole('button', { name: 'Delete 1 device' })
    for (const typed of ['delete', 'Delete', 'DELETE ']) {
      await word.fill(typed)
      await expect(button).toBeDisabled()
      await page.keyboard.press('Enter')
      await expect(confirmation(page)).toBeVisible()
    }
    expect(calls).toEqual([])
    await word.fill('')
    await page.keyboard.type('DELETE')
    await expect(button).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('Deleted 1 of 1 device')
    await expect(row(page, deleted)).toHaveCount(0)
    expect(calls).toEqual([{ body: { ids: [deleted] } }])
    await page.keyboard.press('Escape')
    await focusDevice(page, other)
  })
})
