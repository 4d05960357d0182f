/** Credentials of uploaded devices: shown once, downloaded or copied, and not lost by accident. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { check, start } from '../support/axe.ts'
import {
  chooseDevices,
  credentials,
  loaded,
  messages,
  newBssids,
  panel,
  row,
  searchField,
  uploadForm,
} from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { connectDevice } from '../support/wireDevice.ts'

const closeConfirmation = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Close without saving the credentials?' })
const button = (page: Page, name: string) => credentials(page).getByRole('button', { name })

/** Uploads `count` devices with the keyboard, except for choosing the file. */
async function upload(page: Page, count: number): Promise<string[]> {
  const ids = await startUpload(page, count)
  await expect(credentials(page)).toBeVisible()
  return ids
}
async function startUpload(page: Page, count: number): Promise<string[]> {
  const ids = newBssids(count)
  await page.keyboard.press('c')
  await expect(uploadForm(page).locator('input[type=file]')).toBeFocused()
  await chooseDevices(page, ids)
  await page.keyboard.press('Control+Enter')
  return ids
}

/** Tries to leave the page, and stays when the browser asks. */
async function tryToLeave(page: Page): Promise<void> {
  const prompt = page.waitForEvent('dialog')
  const leaving = page.close({ runBeforeUnload: true })
  const dialog = await prompt
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await leaving
}

/** Returns the secrets in a CSV file of credentials, which must contain exactly these devices. */
function secretsIn(csv: string, ids: readonly string[]): string[] {
  const [header, ...rows] = csv.trimEnd().split('\r\n')
  expect(header).toBe('bssid,secret')
  const cells = rows.map(row => row.split(','))
  expect(cells.map(([bssid]) => bssid)).toEqual(ids)
  const secrets = cells.map(([, secret = '']) => secret)
  expect(new Set(secrets).size).toBe(ids.length)
  for (const secret of secrets) expect(secret).toMatch(/^[\w][\w-]{30,}$/)
  return secrets
}

/** Returns everything that the browser stores for the console, as JSON. */
const browserStorage = (page: Page) =>
  page.evaluate(async () => {
    const open = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(name))
      })
    const all = (database: IDBDatabase, store: string) =>
      new Promise<unknown>((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll()
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(store))
      })
    const contents: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage), await caches.keys()]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await open(name)
      for (const store of database.objectStoreNames) contents.push(await all(database, store))
      database.close()
    }
    return JSON.stringify(contents)
  })

test('with the keyboard alone, credentials are downloaded or copied, Esc and leaving ask before closing them, no secret is stored, and axe finds nothing', async ({
  page,
  context,
}) => {
  test.slow()
  await start(page)
  await loaded(page)
  await test.step('Esc asks before closing credentials that are neither downloaded nor copied', async () => {
    await test.step('Esc asks before closing the credentials; after a download it closes them, and no secret is stored', async () => {
      const ids = await upload(page, 3)
      await expect(messages(page)).toContainText('Created 3 devices')
      await expect(credentials(page)).toHaveAccessibleName('Credentials of 3 devices')
      await expect(credentials(page)).toContainText('shown only once')
      for (const id of ids) await expect(credentials(page).getByRole('row').filter({ hasText: id })).toBeVisible()

      for (let times = 0; times < 2; times++) {
        await page.keyboard.press('Escape')
        await expect(closeConfirmation(page)).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(closeConfirmation(page)).toBeHidden()
        await expect(button(page, 'Download')).toBeFocused()
      }

      const download = page.waitForEvent('download')
      await page.keyboard.press('Enter')
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^device-credentials-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/)
      const secrets = secretsIn(await readFile(await file.path(), 'utf8'), ids)
      await expect(credentials(page).getByRole('status')).toContainText('Downloaded')
      for (const secret of secrets) await expect(credentials(page)).toContainText(secret)

      await page.keyboard.press('Escape')
      await expect(credentials(page)).toBeHidden()
      await expect(closeConfirmation(page)).toHaveCount(0)
      // The focus returns to the form in the panel.
      await expect(uploadForm(page).locator('input[type=file]')).toBeFocused()
      const remaining = `${await browserStorage(page)}${await page.content()}`
      expect(remaining).toContain('permeate:session')
      for (const secret of secrets) expect(remaining).not.toContain(secret)
      await page.reload()
      await loaded(page)
      await expect(credentials(page)).toHaveCount(0)
    })
    await test.step('credentials can be copied, or closed without saving after confirmation', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const ids = await upload(page, 1)
      await expect(credentials(page)).toHaveAccessibleName('Credentials of 1 device')
      await expect(button(page, 'Download')).toBeFocused()
      await page.keyboard.press('Shift+Tab')
      await expect(button(page, 'Copy')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(credentials(page).getByRole('status')).toHaveText('Copied')
      secretsIn(await page.evaluate(() => navigator.clipboard.readText()), ids)
      await page.keyboard.press('Escape')
      await expect(credentials(page)).toBeHidden()

      await upload(page, 1)
      await page.keyboard.press('Escape')
      await expect(closeConfirmation(page).getByRole('button', { name: 'Close without saving' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(closeConfirmation(page)).toBeHidden()
      await expect(credentials(page)).toHaveCount(0)
    })
    await test.step('a copy that the browser refuses suggests a download and does not count as saved', async () => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
      })
      await upload(page, 1)
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(messages(page)).toContainText('download them instead')
      await page.keyboard.press('Escape')
      await expect(closeConfirmation(page)).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(credentials(page)).toHaveCount(0)
    })
  })
  await test.step('axe finds nothing in the credentials dialog, and the dialog fits on a phone', async () => {
    await upload(page, 2)
    await check(page, 'credentials', '[role=dialog]')
    await page.setViewportSize({ width: 390, height: 800 })
    await check(page, 'credentials on a phone', '[role=dialog]')
    for (const control of await credentials(page).getByRole('button').all()) {
      const box = (await control.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(390)
    }
    const wide = await credentials(page)
      .getByRole('region')
      .evaluate(region => region.scrollWidth > region.clientWidth)
    expect(wide).toBe(false)
    await button(page, 'Download').click()
    await check(page, 'saved credentials', '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(credentials(page)).toBeHidden()
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await test.step('leaving the page asks for confirmation during the upload, and until the credentials are saved', async () => {
    const answered = Promise.withResolvers<void>()
    await intercept(page, '**/devices/file*', async route => {
      await answered.promise
      await route.continue()
    })
    const sent = page.waitForRequest('**/devices/file*')
    await startUpload(page, 1)
    await sent
    await tryToLeave(page)
    answered.resolve()
    await expect(credentials(page)).toBeVisible()
    await tryToLeave(page)
    await expect(button(page, 'Download')).toBeVisible()
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    await download
    await expect(credentials(page).getByRole('status')).toContainText('Downloaded')
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })
})

test('a vendor saves credentials with the mouse alone, and the device connects with its secret', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Login' }).fill('vendor')
  await page.getByRole('textbox', { name: 'Password' }).fill('permeate-demo')
  await page.getByRole('button', { name: 'Login' }).click()
  await loaded(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Create/ })
    .click()
  const [id = ''] = newBssids(1)
  await panel(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: 'mine.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`bssid,platform,model\n${id},esp32,RO-400 Home`),
    })
  await uploadForm(page).getByRole('button', { name: 'Upload' }).click()
  await expect(credentials(page)).toContainText(id)
  // Clicks outside the dialog.
  await page.mouse.click(20, 450)
  await closeConfirmation(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(credentials(page)).toContainText(id)
  const download = page.waitForEvent('download')
  await button(page, 'Download').click()
  const [secret = ''] = secretsIn(await readFile(await (await download).path(), 'utf8'), [id])
  await button(page, 'Copy').click()
  await expect(credentials(page).getByRole('status')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`bssid,secret\r\n${id},${secret}\r\n`)
  await button(page, 'Close').click()
  await expect(credentials(page)).toBeHidden()
  await expect(closeConfirmation(page)).toHaveCount(0)

  await searchField(page).click()
  await searchField(page).fill(id)
  await expect(row(page, id)).toContainText('Offline')
  await expect(connectDevice(server.mqttPort(), { bssid: id, secret: `${secret}x` })).rejects.toThrow(
    /Bad username or password/,
  )
  const device = await connectDevice(server.mqttPort(), { bssid: id, secret })
  await expect(row(page, id)).toContainText('Ready', { timeout: 20_000 })
  await device.leave()
})
