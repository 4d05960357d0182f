/** What a command on many shows before it runs, what comes of it, and putting it back. */
import type { Page } from '@playwright/test'
import { callerFor, newCredential, newModel, newVendor, idOf, online } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { confirm, countCalls, focusDevice, loaded, messages, preview, selectedCount } from '../support/devices.ts'
import { expect, signIn, test, type WorkerServer } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { find, go, rowOf, select } from '../support/lists.ts'
import { connectDevice, type WireDevice } from '../support/wireDevice.ts'

/** Devices of this test’s own: two that answer, one that is offline. */
async function three(server: WorkerServer, model?: string) {
  const admin = await callerFor(server.url, 'admin')
  const made = [
    await newCredential(admin, model ? { model } : {}),
    await newCredential(admin),
    await newCredential(admin),
  ]
  const [first, second, away] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
  const devices = [await connectDevice(server.mqttPort(), first), await connectDevice(server.mqttPort(), second)]
  return { admin, ids: made.map(({ bssid }) => bssid), first, second, away, devices }
}

const leave = (devices: readonly WireDevice[]) => Promise.all(devices.map(device => device.leave()))
const skipped = (page: Page) => page.getByRole('list', { name: 'Affected and skipped targets' })

test('shows whom it goes to and whom it skips and why; nothing happens before Enter', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const model = await newModel(admin, [await idOf(admin, '/api/v3/vendors', 'login', 'vendor')])
  const { first, second, away, ids, devices } = await three(server, model)
  await online(admin, [first.bssid, second.bssid])
  await signIn(page, 'admin')
  await loaded(page)
  const calls = countCalls(page, 'PUT', /devices\/lock$/)
  await select(page, ...ids)
  await page.keyboard.press('l')
  const asked = preview(page, 'Lock: 3 devices')
  await expect(asked.getByRole('status')).toContainText('1 affected')
  await expect(asked.getByRole('status')).toContainText('2 skipped')
  await expect(skipped(page).getByRole('listitem')).toHaveText([
    /^Skipped: .+1$/,
    /./,
    /^Skipped: .+1$/,
    /./,
    /^Affected1$/,
    new RegExp(`^${second.bssid}`),
  ])
  await expect(skipped(page)).toContainText('Skipped: Device is offline')
  await expect(skipped(page)).toContainText(away.bssid)
  await expect(asked).toContainText('Z undoes it')
  await check(page, 'a preview', '[role=alertdialog]')
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  expect(calls).toEqual([])

  await page.keyboard.press('l')
  await confirm(page, 'Lock: 3 devices')
  await expect(messages(page)).toContainText('Locked 1 of 3 devices')
  expect(calls).toEqual([{ body: { ids: [second.bssid], locked: true } }])
  expect(devices.map(({ commands }) => commands)).toEqual([[], [{ type: 'lock', locked: true }]])
  // What was skipped stays selected, and can be retried.
  await selectedCount(page, 2)
  await leave(devices)
})

test('says what changed between the preview and Enter, and asks again', async ({ page, server }) => {
  const { admin, ids, first, second, devices } = await three(server)
  await online(admin, [first.bssid, second.bssid])
  await signIn(page, 'admin')
  await loaded(page)
  const calls = countCalls(page, 'PUT', /devices\/lock$/)
  await select(page, ...ids)
  // The server that is asked once more knows of one that has gone offline since.
  let asked = 0
  await intercept(page, '**/api/v3/devices/lock?preview=true', async route => {
    asked++
    if (asked !== 2) return route.continue()
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: { failed: unknown[] } }
    data.failed.push({ id: first.bssid, message: 'Device is offline' })
    await route.fulfill({ response: answer, json: { data } })
  })
  await page.keyboard.press('l')
  const question = preview(page, 'Lock: 3 devices')
  await expect(question.getByRole('status')).toContainText('2 affected')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toContainText('1 is skipped now: Device is offline')
  await expect(question.getByRole('status')).toContainText('1 affected')
  expect(calls).toEqual([])
  // It is back by now, which is a change again.
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toContainText('1 is no longer skipped')
  await confirm(page, 'Lock: 3 devices')
  await expect(messages(page)).toContainText('Locked 2 of 3 devices')
  expect(calls).toHaveLength(1)
  await leave(devices)
})

test('accounts are skipped alike where they are gone, and put back as devices are', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const [stays, goes, follows] = [await newVendor(admin), await newVendor(admin), await newVendor(admin)]
  const remove = (id: string) => admin.call('DELETE', '/api/v3/vendors', { ids: [id] })
  await signIn(page, 'admin')
  await go(page, 'vendors')
  const calls = countCalls(page, 'PUT', /vendors\/change-status$/)
  await select(page, stays.login, goes.login, follows.login)
  await remove(goes.id)
  await page.keyboard.press('l')
  const asked = preview(page, 'Block: 3 vendors')
  await expect(asked.getByRole('status')).toContainText('2 affected')
  await expect(skipped(page)).toContainText('Skipped: Vendor not found')
  await expect(skipped(page)).toContainText(goes.login)
  await remove(follows.id)
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('1 is skipped now: Vendor not found')
  expect(calls).toEqual([])
  await confirm(page, 'Block: 3 vendors')
  await expect(messages(page)).toContainText('Blocked 1 of 3 vendors')
  expect(calls).toEqual([{ body: { ids: [stays.id], status: true } }])
  await find(page, stays.login, 1)
  await expect(rowOf(page, stays.login)).toContainText('Blocked')

  await page.keyboard.press('z')
  await expect(messages(page)).toContainText('Undid “Block” for 1 of 1 vendor')
  await expect(rowOf(page, stays.login)).toContainText('Active')
})

test('says that it could not be checked, and tries again', async ({ page, server }) => {
  const { admin, ids, first, second, devices } = await three(server)
  await online(admin, [first.bssid, second.bssid])
  await signIn(page, 'admin')
  await loaded(page)
  await select(page, ...ids)
  await intercept(page, '**/api/v3/devices/flush?preview=true', route => route.abort())
  await page.keyboard.press('f')
  const asked = preview(page, 'Flush: 3 devices')
  await expect(asked.getByRole('alert')).toContainText('The server cannot be reached')
  await expect(asked).toContainText('Can’t be undone')
  const retry = asked.getByRole('button', { name: 'Retry' })
  await expect(retry).toBeFocused()
  await page.unroute('**/api/v3/devices/flush?preview=true')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('status')).toContainText('2 affected')
  await confirm(page, 'Flush: 3 devices')
  await expect(messages(page)).toContainText('Flushing 2 of 3 devices')
  await leave(devices)
})

test('z puts back what each device had before, Shift+Z does it again', async ({ page, server }) => {
  const { admin, ids, first, second, devices } = await three(server)
  await online(admin, [first.bssid, second.bssid])
  await admin.call('PUT', '/api/v3/devices/settings/idle-protection', { ids: [first.bssid], duration: 90 })
  await admin.call('PUT', '/api/v3/devices/settings/idle-protection', { ids: [second.bssid], duration: 30 })
  const durations = async () =>
    Promise.all(
      [first, second].map(
        async ({ bssid }) =>
          ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { idle_protection: number }).idle_protection,
      ),
    )
  await signIn(page, 'admin')
  await loaded(page)
  await select(page, ...ids.slice(0, 2))
  await page.keyboard.press('s')
  await page.keyboard.press('i')
  await expect(page.getByRole('combobox', { name: 'Duration, min' })).toBeFocused()
  await page.keyboard.type('120')
  await page.keyboard.press('Enter')
  await confirm(page, 'Idle protection: 2 devices')
  await expect(messages(page)).toContainText('Settings updated for 2 out of 2 devices')
  expect(await durations()).toEqual([120, 120])

  await page.keyboard.press('z')
  const asked = preview(page, 'Undo “Idle protection”: 2 devices')
  await expect(asked).toContainText('⇧Z does it again')
  await confirm(page, 'Undo “Idle protection”: 2 devices')
  await expect(messages(page)).toContainText('Undid “Idle protection” for 2 of 2 devices')
  expect(await durations()).toEqual([90, 30])

  await page.keyboard.press('Shift+Z')
  await confirm(page, 'Redo “Idle protection”: 2 devices')
  await expect(messages(page)).toContainText('Redid “Idle protection” for 2 of 2 devices')
  expect(await durations()).toEqual([120, 120])
  await leave(devices)
})

test('an edit of one device is put back by its message’s button', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { bssid } = await newCredential(admin, { description: 'In the cellar' })
  const description = async () =>
    ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { description: string }).description
  await signIn(page, 'admin')
  await loaded(page)
  await focusDevice(page, bssid)
  await page.keyboard.press('s')
  await page.keyboard.press('d')
  await expect(page.getByRole('combobox', { name: 'Description' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('In the attic')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Description updated')
  expect(await description()).toBe('In the attic')
  await messages(page).getByRole('button', { name: 'Undo' }).click()
  await expect(messages(page)).toContainText('Undid “Edit description” for 1 of 1 device')
  expect(await description()).toBe('In the cellar')
})
