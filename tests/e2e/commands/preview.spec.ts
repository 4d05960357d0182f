/** The preview of a command on many targets, its outcome, and undo and redo. */
import type { JobPreview } from '../../../src/api/contract/jobs.ts'
import type { Page } from '@playwright/test'
import { callerFor, newCredential, newModel, newVendor, idOf, online } from '../support/api.ts'
import { check } from '../support/axe.ts'
import {
  confirm,
  countCalls,
  focusDevice,
  loaded,
  messages,
  preview,
  selectedCount,
  clearList,
} from '../support/devices.ts'
import { expect, signIn, test, type WorkerServer } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { closeMessages, find, go, rowOf, select } from '../support/lists.ts'
import { connectDevice, type WireDevice } from '../support/wireDevice.ts'

/** Creates three devices that no other test uses: two connected ones and an offline one. */
async function newThreeDevices(server: WorkerServer, model?: string) {
  const admin = await callerFor(server.url, 'admin')
  const created = [
    await newCredential(admin, model ? { model } : {}),
    await newCredential(admin),
    await newCredential(admin),
  ]
  const [first, second, offline] = created as [(typeof created)[0], (typeof created)[0], (typeof created)[0]]
  const devices = [await connectDevice(server.mqttPort(), first), await connectDevice(server.mqttPort(), second)]
  return { admin, ids: created.map(({ bssid }) => bssid), first, second, offline, devices }
}

const disconnect = (devices: readonly WireDevice[]) => Promise.all(devices.map(device => device.leave()))
const targets = (page: Page) => page.getByRole('list', { name: 'Affected and skipped targets' })

test('a preview lists affected and skipped devices and vendors with reasons, and nothing is sent before Enter', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a preview lists affected and skipped devices with reasons', async () => {
    const admin = await callerFor(server.url, 'admin')
    const model = await newModel(admin, [await idOf(admin, '/api/v3/vendors', 'login', 'vendor')])
    const { first, second, offline, ids, devices } = await newThreeDevices(server, model)
    await online(admin, [first.bssid, second.bssid])
    const calls = countCalls(page, 'POST', /api\/v3\/jobs$/)
    await select(page, ...ids)
    await page.keyboard.press('l')
    const dialog = preview(page, 'Lock: 3 devices')
    await expect(dialog.getByRole('status')).toContainText('1 will lock')
    await expect(dialog.getByRole('status')).toContainText('2 skipped')
    await expect(targets(page).getByRole('listitem')).toHaveText([
      /^Skipped: .+1$/,
      /./,
      /^Skipped: .+1$/,
      /./,
      /^Will lock1$/,
      new RegExp(`^${second.bssid}`),
    ])
    await expect(targets(page)).toContainText('Skipped: Device is offline')
    await expect(targets(page)).toContainText(offline.bssid)
    await expect(dialog).toContainText('Undo with z')
    await check(page, 'a preview', '[role=alertdialog]')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(calls).toEqual([])

    await page.keyboard.press('l')
    await confirm(page, 'Lock: 3 devices')
    await expect(messages(page)).toContainText('Locked 1 of 3 devices')
    expect(calls).toEqual([{ body: { command: 'lock', input: { locked: true }, ids, policy: {} } }])
    expect(devices.map(({ commands }) => commands)).toEqual([[], [{ type: 'lock', locked: true }]])
    // Skipped devices stay selected and can be retried.
    await selectedCount(page, 2)
    await disconnect(devices)
  })
  await closeMessages(page)
  await test.step('a preview skips deleted vendors too, and blocking vendors can be undone', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [remaining, deletedFirst, deletedLater] = [
      await newVendor(admin),
      await newVendor(admin),
      await newVendor(admin),
    ]
    const remove = (id: string) => admin.call('DELETE', '/api/v3/vendors', { ids: [id] })
    await go(page, 'vendors')
    const calls = countCalls(page, 'PUT', /vendors\/change-status$/)
    await select(page, remaining.login, deletedFirst.login, deletedLater.login)
    await remove(deletedFirst.id)
    await page.keyboard.press('l')
    const dialog = preview(page, 'Block: 3 vendors')
    await expect(dialog.getByRole('status')).toContainText('2 will be blocked')
    await expect(targets(page)).toContainText('Skipped: Vendor not found')
    await expect(targets(page)).toContainText(deletedFirst.login)
    await remove(deletedLater.id)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('1 is skipped now: Vendor not found')
    expect(calls).toEqual([])
    await confirm(page, 'Block: 3 vendors')
    await expect(messages(page)).toContainText('Blocked 1 of 3 vendors')
    expect(calls).toEqual([{ body: { ids: [remaining.id], status: true } }])
    await find(page, remaining.login, 1)
    await expect(rowOf(page, remaining.login)).toContainText('Blocked')

    await page.keyboard.press('z')
    await expect(messages(page)).toContainText('Undid “Block” for 1 of 1 vendor')
    await expect(rowOf(page, remaining.login)).toContainText('Active')
  })
})

test('previews show changes and failures, and z, Shift+Z and a message’s button undo and redo settings and edits', async ({
  page,
  server,
}) => {
  test.slow()
  const { admin, ids, first, second, devices } = await newThreeDevices(server)
  await online(admin, [first.bssid, second.bssid])
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a change between the preview and Enter is shown and has to be confirmed again', async () => {
    const calls = countCalls(page, 'POST', /api\/v3\/jobs$/)
    await select(page, ...ids)
    // In the second preview, a device has gone offline.
    let previews = 0
    await intercept(page, '**/api/v3/jobs?preview=true', async route => {
      previews++
      if (previews !== 2) return route.continue()
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: JobPreview }
      const [offline] = data.reasons
      const reasons = [{ ...offline!, count: 2, devices: [...offline!.devices, first.bssid] }]
      Object.assign(data, { count: data.count - 1, reasons })
      await route.fulfill({ response, json: { data } })
    })
    await page.keyboard.press('l')
    const dialog = preview(page, 'Lock: 3 devices')
    await expect(dialog.getByRole('status')).toContainText('2 will lock')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('1 is skipped now: Device is offline')
    await expect(dialog.getByRole('status')).toContainText('1 will lock')
    expect(calls).toEqual([])
    // In the third preview, the device is online again, which is another change.
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('1 is no longer skipped')
    await confirm(page, 'Lock: 3 devices')
    await expect(messages(page)).toContainText('Locked 2 of 3 devices')
    expect(calls).toEqual([{ body: { command: 'lock', input: { locked: true }, ids, policy: {} } }])
    await page.unroute('**/api/v3/jobs?preview=true')
  })
  await clearList(page)
  await test.step('a preview that fails to load shows the error and can be retried', async () => {
    await select(page, ...ids)
    await intercept(page, '**/api/v3/jobs?preview=true', route => route.abort())
    await page.keyboard.press('f')
    const dialog = preview(page, 'Flush: 3 devices')
    await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached')
    await expect(dialog).toContainText('Can’t be undone')
    const retry = dialog.getByRole('button', { name: 'Retry' })
    await expect(retry).toBeFocused()
    await page.unroute('**/api/v3/jobs?preview=true')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status')).toContainText('2 will flush')
    await confirm(page, 'Flush: 3 devices')
    await expect(messages(page)).toContainText('Flushing 2 of 3 devices')
  })
  await clearList(page)
  await test.step('z undoes a setting to the previous value of each device, and Shift+Z redoes it', async () => {
    await admin.call('PUT', '/api/v3/devices/settings/idle-protection', { ids: [first.bssid], duration: 90 })
    await admin.call('PUT', '/api/v3/devices/settings/idle-protection', { ids: [second.bssid], duration: 30 })
    const durations = async () =>
      Promise.all(
        [first, second].map(
          async ({ bssid }) =>
            ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { idle_protection: number }).idle_protection,
        ),
      )
    await select(page, ...ids.slice(0, 2))
    await page.keyboard.press('s')
    await page.keyboard.press('i')
    await expect(page.getByRole('combobox', { name: 'Duration (min)' })).toBeFocused()
    await page.keyboard.type('120')
    await page.keyboard.press('Enter')
    await confirm(page, 'Idle protection: 2 devices')
    await expect(messages(page)).toContainText('Settings updated for 2 out of 2 devices')
    expect(await durations()).toEqual([120, 120])

    await page.keyboard.press('z')
    const dialog = preview(page, 'Undo “Idle protection”: 2 devices')
    await expect(dialog).toContainText('Redo with ⇧z')
    await confirm(page, 'Undo “Idle protection”: 2 devices')
    await expect(messages(page)).toContainText('Undid “Idle protection” for 2 of 2 devices')
    expect(await durations()).toEqual([90, 30])

    await page.keyboard.press('Shift+Z')
    await confirm(page, 'Redo “Idle protection”: 2 devices')
    await expect(messages(page)).toContainText('Redid “Idle protection” for 2 of 2 devices')
    expect(await durations()).toEqual([120, 120])
  })
  await clearList(page)
  await test.step('the Undo button of a message undoes an edit of a device', async () => {
    const { bssid } = await newCredential(admin, { description: 'In the cellar' })
    const description = async () =>
      ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { description: string }).description
    await focusDevice(page, bssid)
    await page.keyboard.press('s')
    await page.keyboard.press('d')
    await expect(page.getByRole('combobox', { name: 'Description' })).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('In the attic')
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('Description updated')
    expect(await description()).toBe('In the attic')
    // Messages of the steps before have the button too; only the newest one shows its key.
    await messages(page).locator('[data-command="run.undo"]').click()
    await expect(messages(page)).toContainText('Undid “Edit description” for 1 of 1 device')
    expect(await description()).toBe('In the cellar')
  })
  await disconnect(devices)
})
