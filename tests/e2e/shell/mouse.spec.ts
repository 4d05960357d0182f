/** Devices, navigation and settings with the mouse alone; only text is typed. */
import type { Page } from '@playwright/test'
import { demoPassword } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  countCalls,
  header,
  loaded,
  messages,
  panel,
  panelReady,
  row,
  searchField,
  selectedCount,
  palette,
} from '../support/devices.ts'
import { columnValues, backToDevices } from '../support/lists.ts'
import { intercept } from '../support/intercept.ts'

/** A demo device with a flush mode, which no other test uses. */
const withFlush = '30:AE:A4:3A:E3:45'

/** Searches for a device so that only its row is shown. */
async function show(page: Page, bssid: string) {
  await searchField(page).click()
  await searchField(page).fill(bssid)
  await expect(row(page, bssid)).toBeVisible()
  await expect(page.getByText('1–1 of 1')).toBeVisible()
}

test('commands run with the mouse from the menu of a row and from the panel, whose forms send only changed fields, and keep them when a call fails', async ({
  page,
  ownDevices,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('from the menu of a row, opened by its button or a right click, and from the panel', async () => {
    const [id = ''] = await ownDevices(1)
    await test.step('commands in the menu of a row run from its button and by a right click', async () => {
      const calls = countCalls(page, 'POST', /devices\/(flush|reboot)$/)
      await show(page, id)
      await row(page, id).hover()
      await page.getByRole('button', { name: `Actions for ${id}` }).click()
      await page.getByRole('menuitem', { name: /^Flush/ }).click()
      await expect(messages(page)).toContainText('Flushing 1 of 1 device')
      await row(page, id).click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Reboot/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      expect(calls).toEqual([{ body: { ids: [id] } }])
    })
    await test.step('the buttons of the panel run their commands', async () => {
      const calls = countCalls(page, 'POST', /reboot$/)
      await show(page, id)
      await page.getByRole('checkbox', { name: `Select ${id}` }).click()
      await selectedCount(page, 1)
      await panelReady(page, id)
      await panel(page).getByRole('tab', { name: 'Control' }).click()
      await panel(page).getByRole('button', { name: /^Lock/ }).click()
      await expect(messages(page)).toContainText('Locked 1 of 1 device')
      await expect.poll(() => columnValues(page, 'Vendor lock')).toEqual(['Locked'])
      await panel(page)
        .getByRole('button', { name: /^Reboot/ })
        .click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Reboot 1 device' }).click()
      await expect(messages(page)).toContainText('Rebooting 1 of 1 device')
      expect(calls).toEqual([{ body: { ids: [id] } }])
    })
  })
  await backToDevices(page)
  await test.step('the forms of the panel send only changed fields, and keep them when a call fails', async () => {
    const calls = countCalls(page, 'PUT', /settings\/flush$/)
    await show(page, withFlush)
    await row(page, withFlush).click()
    await panelReady(page, withFlush)
    await panel(page).getByRole('tab', { name: 'Settings' }).click()
    const flush = panel(page).getByRole('form', { name: /^Auto-flush/ })
    const before = await flush
      .getByRole('radiogroup', { name: 'Mode' })
      .getByRole('radio', { checked: true })
      .innerText()
    const other = before === 'Off' ? 'After' : 'Off'
    await flush.getByRole('radio', { name: other, exact: true }).click()
    const volume = flush.getByRole('textbox', { name: 'Volume (l)' })
    await volume.fill('101')
    await panel(page).getByRole('button', { name: 'Apply to 1 device' }).click()
    await expect(flush.getByRole('alert')).toHaveText('Volume must be less than or equal to 100')
    await expect(volume).toBeFocused()
    expect(calls).toEqual([])

    await volume.fill('3.25')
    await intercept(page, '**/settings/flush', route => route.abort(), { times: 1 })
    await panel(page).getByRole('button', { name: 'Apply to 1 device' }).click()
    await expect(messages(page)).toContainText('The server cannot be reached')
    await expect(volume).toHaveValue('3.25')
    await expect(flush.getByRole('radio', { name: other, exact: true })).toBeChecked()

    await panel(page).getByRole('button', { name: 'Apply to 1 device' }).click()
    await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
    const body = { ids: [withFlush], mode: other === 'Off' ? 0 : 1, volume: 3.25 }
    expect(calls).toEqual([{ body }, { body }])
    await expect(volume).toHaveValue('3.25')

    const text = panel(page).getByRole('textbox', { name: 'Description' })
    await text.fill('Behind the bar')
    await panel(page).getByRole('button', { name: 'Apply to 1 device' }).click()
    await expect(messages(page)).toContainText('Description updated')
    await expect.poll(() => columnValues(page, 'Description')).toEqual(['Behind the bar'])
  })
})

test('login, paging, theme, units and navigation work with the mouse alone', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Login' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await loaded(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^21–40 of/)).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText(/^1–20 of/)).toBeVisible()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect(page.getByRole('button', { name: 'Light theme' })).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings(\?|$)/)
  await page.getByRole('radio', { name: 'psi' }).click()
  await page.getByRole('radio', { name: '°F' }).click()
  await page.getByRole('link', { name: /^Devices/ }).click()
  await expect(header(page, 'Press. (psi)')).toBeVisible()
  await expect(header(page, 'Temp. (°F)')).toBeVisible()
  await page.getByRole('button', { name: 'Search devices or run commands' }).click()
  await palette(page)
    .getByRole('option', { name: /^Notifications/ })
    .click()
  await expect(page).toHaveURL(/\/notifications(\?|$)/)
})
