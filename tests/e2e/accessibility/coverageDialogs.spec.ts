/** In every dialog and overlay and in every role, each control has a command and can be reached with the keyboard. */
import type { Page } from '@playwright/test'
import { uploadColumns } from '../../../src/domain/uploads.ts'
import { toCsv } from '../../../src/domain/csv.ts'
import { unique } from '../support/api.ts'
import { check, start } from '../support/axe.ts'
import {
  credentials,
  grid,
  messages,
  newBssids,
  openPalette,
  palette,
  selectedRows,
  statusBar,
  uploadForm,
} from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { answer, confirm } from '../support/lists.ts'
import { walk } from '../support/walk.ts'

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

type Role = keyof typeof openingKeys
type Walk = ReturnType<typeof walk>

/** Presses Esc until all dialogs are closed. */
async function closeAll(page: Page) {
  await expect(async () => {
    if (await dialog(page).first().isVisible()) await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0, { timeout: 500 })
  }).toPass()
}

/** The keys that open the dialogs of each role. */
const openingKeys = {
  superadmin: ['?', 'Control+k', 'Delete'],
  // Help, palette, argument page, confirmations, sharing code, explanation of health and help on it, pasted ids, preview,
  // typed confirmation.
  admin: ['?', 'Control+k', 's f', 'b', 'Delete', 'h', 'Shift+H', 'Shift+Y', 'a p', 'Control+a f', 'Control+a Delete'],
  // The others are the same as the administrator's.
  vendor: ['?', 'Control+k', 's f', 'b', 'Control+a f'],
} as const

async function throughDialogs(page: Page, role: Role, { look }: Walk) {
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('j')
  for (const keys of openingKeys[role]) {
    for (const key of keys.split(' ')) await page.keyboard.press(key)
    await expect(dialog(page)).toBeVisible()
    await look(keys)
    if (role === 'admin' && !keys.startsWith('Control')) await check(page, keys, '[role=dialog], [role=alertdialog]')
    await closeAll(page)
  }
  await openPalette(page)
  await page.keyboard.insertText('dark')
  await expect(palette(page).getByRole('option').first()).toBeVisible()
  await look('the palette, searched')
  await closeAll(page)
  if (role !== 'superadmin') {
    // One inline argument is typed, and the palette prompts for another.
    await openPalette(page)
    await page.keyboard.insertText('>flush settings 5th')
    await page.keyboard.press('Tab')
    await expect(palette(page).getByRole('button', { name: /5th/ })).toBeVisible()
    await look('arguments, one given')
    await closeAll(page)
  }
  await page.keyboard.press('g')
  await expect(page.getByRole('region', { name: /^Keys that may follow/ })).toBeVisible()
  await look('keys that may follow')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: /^Keys that may follow/ })).toHaveCount(0)
}

/** Goes back to the devices, with nothing selected and the first row in focus. */
async function backToDevices(page: Page, { open }: Walk) {
  await closeAll(page)
  await open('devices')
  await expect(async () => {
    if ((await selectedRows(page).count()) > 0) await page.keyboard.press('Escape')
    await expect(selectedRows(page)).toHaveCount(0, { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Home')
  await expect(grid(page).getByRole('row').nth(1)).toBeFocused()
}

async function throughRunningCommand(page: Page, { look, open }: Walk) {
  const flushes = '**/api/v3/devices/flush*'
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, flushes, async route => {
    await held
    await route.abort()
  })
  await page.keyboard.press('f')
  await expect(messages(page).getByRole('button', { name: 'Cancel' })).toBeVisible()
  await look('a running command')
  release()
  await expect(messages(page).getByRole('button', { name: 'Close' }).first()).toBeVisible()
  await look('a message')
  await page.unroute(flushes)
  await open('jobs')
  await expect(page.getByRole('main').getByText('Flush').first()).toBeVisible()
  await look('jobs, with one')
  await open('models')
  const models = page.getByRole('grid', { name: 'Device models' })
  await expect(models.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await expect(models.getByRole('row').nth(1)).toBeFocused()
  await page.keyboard.press('Delete')
  await confirm(page, /^Delete .+\?$/)
  await expect(messages(page).getByRole('button', { name: 'View failures' })).toBeVisible()
  await look('a failure message')
  await page.keyboard.press('w')
  await expect(dialog(page).getByRole('button', { name: 'Show the devices' })).toBeVisible()
  await look('the failures')
}

async function throughScripts(page: Page, { look }: Walk) {
  const name = unique('Rinse')
  const list = page.getByRole('region', { name: 'Scripts' })
  const steps = [{ command: 'device.flush' }, { command: 'device.idleProtection', input: { duration: 30 } }]
  const file = (scripts: unknown) => ({
    name: 'scripts.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ permeate: 'scripts', version: 1, scripts })),
  })

  await page.keyboard.press('Shift+M')
  await page.keyboard.press('s')
  await page.keyboard.press('i')
  await answer(page, 'Duration (min)', '60')
  await expect(statusBar(page)).toContainText('Recording, 1 step')
  await look('a recording')
  await page.keyboard.press('Shift+M')
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Duration (min)' })).toBeVisible()
  await look('the recorded steps')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await closeAll(page)

  // On their screen no row has the focus, so scripts run on the selection.
  await page.keyboard.press('x')
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await list.getByLabel('Scripts file').setInputFiles(file([{ name: 'Odd', steps: [{ command: 'no.such' }] }]))
  await expect(list.getByRole('alert')).toBeVisible()
  await look('scripts that cannot be taken over')
  await list.getByLabel('Scripts file').setInputFiles(file([{ name, steps }]))
  await expect(list.getByRole('listitem')).toContainText([name])
  await look('scripts, one of them')
  await list.getByRole('button', { name: `Edit ${name}` }).click()
  await expect(page.getByRole('dialog', { name }).getByRole('button', { name: 'Move step 1 down' })).toBeVisible()
  await look('a script’s steps')
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: `Run ${name}` }).click()
  await page.getByRole('button', { name: 'Show targets, step 1' }).click()
  await expect(page.getByRole('button', { name: 'Hide targets, step 1' })).toBeVisible()
  await look('the preview of a script')
}

async function throughCredentials(page: Page, { look }: Walk) {
  await page.keyboard.press('c')
  const columns = uploadColumns.devices.admin
  const [bssid = ''] = newBssids(1)
  const text = toCsv([
    columns.map(({ name }) => name),
    columns.map(({ name, example }) => (name === 'bssid' ? bssid : example)),
  ])
  const file = uploadForm(page).locator('input[type=file]')
  await file.setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(file).toBeFocused()
  await look('a file chosen')
  await page.keyboard.press('Control+Enter')
  await expect(credentials(page).getByRole('button', { name: 'Download' })).toBeFocused()
  await look('credentials')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('credentials, about to be lost')
}

for (const role of ['superadmin', 'admin', 'vendor'] as const) {
  const more = role === 'admin' ? ', and axe finds nothing' : ''
  test(`every control in the dialogs of ${role} has a command and is reachable by keys${more}`, async ({ page }) => {
    test.slow()
    await start(page, role)
    const steps = walk(page, role)
    await throughDialogs(page, role, steps)
    // Commands, scripts and credentials look the same to a vendor.
    if (role === 'admin') {
      await backToDevices(page, steps)
      await test.step('a running command and its outcome', () => throughRunningCommand(page, steps))
      await backToDevices(page, steps)
      await test.step('recording and scripts', () => throughScripts(page, steps))
      await backToDevices(page, steps)
      await test.step('credentials', () => throughCredentials(page, steps))
    }
    expect(steps.problems).toEqual([])
  })
}
