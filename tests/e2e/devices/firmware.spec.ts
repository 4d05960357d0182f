/** Updating the firmware of connected devices: one and many, with the keyboard and with the mouse. */
import type { Locator, Page } from '@playwright/test'
import type { Credential } from '../../../src/api/contract/devices.ts'
import { callerFor } from '../support/api.ts'
import {
  confirm,
  countCalls,
  focusDevice,
  loaded,
  messages,
  newBssids,
  palette,
  panel,
  panelReady,
  preview,
  row,
  searchField,
  searchFor,
  selectedCount,
} from '../support/devices.ts'
import { expect, signIn, test, visit, type WorkerServer } from '../support/fixtures.ts'
import { backToDevices } from '../support/lists.ts'
import { connectDevice, type WireDevice } from '../support/wireDevice.ts'

const models = { esp32: 'RO-400 Home', 'esp32-s3': 'RO-800 Pro UV' } as const
type Platform = keyof typeof models

/** Creates a device of each platform, in this order, without connecting it. */
async function newDevicesOf(
  server: WorkerServer,
  platforms: readonly Platform[],
  description: string,
): Promise<Credential[]> {
  const ids = newBssids(platforms.length)
  const lines = platforms.map((platform, at) => `${ids[at]},${platform},${models[platform]},vendor,${description}`)
  const admin = await callerFor(server.url, 'admin')
  const csv = ['bssid,platform,model,vendor,description', ...lines].join('\n')
  const { credentials } = (await admin.upload('/api/v3/devices/file', csv)) as { credentials: Credential[] }
  expect(credentials.map(({ bssid }) => bssid)).toEqual(ids)
  return credentials
}

const openDevices: WireDevice[] = []
test.afterEach(async () => {
  await Promise.all(openDevices.splice(0).map(device => device.leave()))
})
/** Connects a device until the test ends; `refuses` returns the reason to refuse a command, if any. */
async function connect(server: WorkerServer, credential: Credential, refuses?: () => string | undefined) {
  const device = await connectDevice(server.mqttPort(), credential, refuses)
  openDevices.push(device)
  return device
}

const versionField = (page: Page) => palette(page).getByRole('combobox', { name: 'Version', exact: true })
const expectStatus = (page: Page, bssid: string, label: string) =>
  expect(row(page, bssid)).toContainText(label, { timeout: 20_000 })
/** The value of a term in the panel. */
const fact = (page: Page, name: string) =>
  panel(page)
    .getByRole('definition')
    .and(page.locator(`dt:text-is("${name}") + dd`))

test('firmware is updated by keys, on one device and in rollouts on two platforms, which say what runs, what failed and are undone', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a device that is updated takes no commands until it has the new version', async () => {
    const [credential] = await newDevicesOf(server, ['esp32'], 'One to update')
    const { bssid } = credential!
    const device = await connect(server, credential!)
    await focusDevice(page, bssid)
    await expectStatus(page, bssid, 'Ready')
    await page.keyboard.press('Space')
    await expect(fact(page, 'Firmware')).toHaveText('2.0.1')
    const calls = countCalls(page, 'POST', /firmware\/update$/)

    await page.keyboard.press('s')
    await page.keyboard.press('w')
    await expect(versionField(page)).toBeFocused()
    await expect(palette(page).getByRole('option')).toHaveText(['2.2.3', '2.1.0', '2.0.1installed'])
    await page.keyboard.type('2.1')
    await expect(palette(page).getByRole('option')).toHaveText(['2.1.0'])
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: `Update the firmware of ${bssid}?` })
    await expect(dialog).toContainText('install version 2.1.0')
    await expect(dialog).toContainText('do not accept commands while they install')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(calls).toEqual([])

    await page.keyboard.press('s')
    await page.keyboard.press('w')
    await expect(versionField(page)).toBeFocused()
    await page.keyboard.type('2.1')
    await expect(palette(page).getByRole('option')).toHaveText(['2.1.0'])
    await page.keyboard.press('Enter')
    await confirm(page, `Update the firmware of ${bssid}?`)
    await expect(messages(page)).toContainText('Updating the firmware of 1 of 1 device')
    expect(calls).toEqual([{ body: { ids: [bssid], version: '2.1.0' } }])
    expect(device.commands).toEqual([{ type: 'update_firmware', version: '2.1.0' }])

    await device.state({ status: 6, update: { version: '2.1.0', phase: 'installing', progress: 40 } })
    await expectStatus(page, bssid, 'Firmware update')
    await expect(panel(page)).toContainText(
      'The device takes no commands until it is installed. Its firmware is 2.0.1 until then.',
    )
    await page.keyboard.press('f')
    await expect(messages(page)).toContainText('Device is updating its firmware')
    expect(device.commands).toHaveLength(1)

    await device.state({ status: 0, firmware: '2.1.0', update: null })
    await expectStatus(page, bssid, 'Ready')
    await expect(fact(page, 'Firmware')).toHaveText('2.1.0', { timeout: 20_000 })
    await expect(panel(page)).not.toContainText('until then')
  })
  await backToDevices(page)
  await test.step('an update of devices on two platforms lists versions per platform, reports failures and retries only those', async () => {
    const description = `Fleet ${Date.now()}`
    const [first, second, other, away] = await newDevicesOf(
      server,
      ['esp32', 'esp32', 'esp32-s3', 'esp32'],
      description,
    )
    let low = true
    const willing = await connect(server, first!)
    const unwilling = await connect(server, second!, () => (low ? 'Battery too low to update' : undefined))
    await connect(server, other!)
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('description')
    await searchFor(page, description, 4)
    for (const { bssid } of [first!, second!, other!]) await expectStatus(page, bssid, 'Ready')
    await page.keyboard.press('Control+a')
    await selectedCount(page, 4)

    await page.keyboard.press('s')
    await page.keyboard.press('w')
    await expect(versionField(page)).toBeFocused()
    await expect(palette(page).getByRole('option').first()).toHaveText('2.2.3esp32 · 3 of 4 devices')
    await expect(palette(page).getByRole('option').filter({ hasText: '3.1.1' })).toContainText('esp32-s3 · 1 of 4')
    await page.keyboard.type('2.2.3')
    await expect(palette(page).getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    // The device of the other platform is skipped, and the offline one, too, once the policy says so.
    const dialog = page.getByRole('alertdialog', { name: 'Update the firmware of 3 devices?' })
    await expect(dialog.getByRole('status')).toContainText('1 offline, will wait')
    await page.keyboard.press('o')
    await expect(dialog.getByRole('button', { name: /^Offline wait 30d/ })).toBeVisible()
    await page.keyboard.press('o')
    await confirm(page, 'Update the firmware of 2 devices?')
    await expect(messages(page)).toContainText('Updating the firmware of 1 of 4 devices')
    expect(willing.commands).toEqual([{ type: 'update_firmware', version: '2.2.3' }])

    await page.keyboard.press('w')
    const failures = page.getByRole('dialog', { name: 'Updating the firmware of 1 of 4 devices' }).getByRole('listitem')
    await expect(failures).toHaveCount(3)
    await expect(failures.filter({ hasText: second!.bssid })).toContainText('Battery too low to update')
    await expect(failures.filter({ hasText: other!.bssid })).toContainText('2.2.3')
    await expect(failures.filter({ hasText: away!.bssid })).toContainText('Device is offline')
    await page.keyboard.press('Escape')
    await selectedCount(page, 3)

    low = false
    await page.keyboard.press('r')
    const retry = preview(page, 'Retry “Update firmware”: 3 devices')
    await expect(retry.getByRole('status')).toContainText('2 skipped')
    for (const { bssid } of [second!, other!, away!])
      await expect(retry.getByRole('listitem').filter({ hasText: bssid })).toBeVisible()
    await confirm(page, 'Retry “Update firmware”: 3 devices')
    await expect(messages(page)).toContainText('Updating the firmware of 1 of 3 devices')
    expect(unwilling.commands).toHaveLength(2)
    expect(willing.commands).toHaveLength(1)
  })
  await backToDevices(page)
  await test.step('a rollout shows which versions run before it and during it', async () => {
    const description = `Campaign ${Date.now()}`
    const credentials = await newDevicesOf(server, ['esp32', 'esp32', 'esp32'], description)
    const [first, second, third] = await Promise.all(credentials.map(credential => connect(server, credential)))
    await second!.state({ firmware: '2.1.0' })
    await third!.state({ firmware: '2.1.0' })
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('description')
    await searchFor(page, description, 3)
    for (const { bssid } of credentials) await expectStatus(page, bssid, 'Ready')
    await page.keyboard.press('Control+a')
    await selectedCount(page, 3)
    const chart = (within: Page | Locator) => within.getByRole('table', { name: 'Firmware that the devices run now' })
    const expectVersions = (within: Page | Locator, ...rows: readonly string[]) =>
      expect(
        chart(within)
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader') }),
      ).toHaveText(rows)

    await test.step('in the preview', async () => {
      await page.keyboard.press('s')
      await page.keyboard.press('w')
      await expect(versionField(page)).toBeFocused()
      await page.keyboard.type('2.2.3')
      await expect(palette(page).getByRole('option')).toHaveCount(1)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog', { name: 'Update the firmware of 3 devices?' })
      await expectVersions(dialog, '2.2.3target0', '2.1.02', '2.0.11')
      await expect(dialog).toContainText('Undo with z')
      await confirm(page, 'Update the firmware of 3 devices?')
    })

    await test.step('in the job, while the devices install it', async () => {
      await expect.poll(() => first!.commands).toHaveLength(1)
      await page.keyboard.press('g')
      await page.keyboard.press('j')
      await expectVersions(page, '2.2.3target0', '2.1.02', '2.0.11')
      await first!.state({ status: 0, firmware: '2.2.3' })
      await expectVersions(page, '2.2.3target1', '2.1.02')
      for (const device of [second!, third!]) await device.state({ status: 0, firmware: '2.2.3' })
      await expectVersions(page, '2.2.3target3')
    })
  })
  await backToDevices(page)
  await test.step('a job of updates is undone: each device gets the version that it had', async () => {
    const credentials = await newDevicesOf(server, ['esp32', 'esp32'], 'Back to the earlier version')
    const [first, second] = await Promise.all(credentials.map(credential => connect(server, credential)))
    const admin = await callerFor(server.url, 'admin')
    const ids = credentials.map(({ bssid }) => bssid)
    await second!.state({ firmware: '2.1.0' })
    const firmwareOf = async (bssid: string) =>
      ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { firmware: string }).firmware
    await expect.poll(() => Promise.all(ids.map(firmwareOf))).toEqual(['2.0.1', '2.1.0'])
    const { _id } = (await admin.call('POST', '/api/v3/jobs', {
      command: 'update_firmware',
      input: { version: '2.2.3' },
      ids,
      policy: { success: 'acknowledged' },
    })) as { _id: string }
    await expect.poll(() => [first!, second!].map(({ commands }) => commands.length)).toEqual([1, 1])
    for (const device of [first!, second!]) await device.state({ firmware: '2.2.3' })
    await expect.poll(() => Promise.all(ids.map(firmwareOf))).toEqual(['2.2.3', '2.2.3'])
    await visit(page, `/jobs?job=${_id}`)
    await expect(page.getByRole('region', { name: 'Update firmware: 2 devices' })).toContainText('Done')

    await page.keyboard.press('z')
    const dialog = page.getByRole('alertdialog', { name: 'Undo “Update firmware”: 2 devices' })
    await expect(dialog.getByRole('table', { name: 'Firmware that the devices run now' })).toContainText('2.2.3')
    await page.keyboard.press('Enter')
    const region = page.getByRole('region', { name: 'Undo “Update firmware”: 2 devices' })
    await expect(region).toContainText('undoes another job')
    await expect.poll(() => first!.commands[1]).toEqual({ type: 'update_firmware', version: '2.0.1' })
    await expect.poll(() => second!.commands[1]).toEqual({ type: 'update_firmware', version: '2.1.0' })
  })
})

test('firmware is updated with the mouse alone, from the row menu and from the panel’s form', async ({
  page,
  server,
}) => {
  const [credential] = await newDevicesOf(server, ['esp32'], 'Updated by mouse')
  const { bssid } = credential!
  const device = await connect(server, credential!)
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Login' }).fill('vendor')
  await page.getByRole('textbox', { name: 'Password' }).fill('permeate-demo')
  await page.getByRole('button', { name: 'Login' }).click()
  await loaded(page)
  await searchField(page).click()
  await searchField(page).fill(bssid)
  await expect(page.getByText('1–1 of 1')).toBeVisible()
  await expectStatus(page, bssid, 'Ready')

  await row(page, bssid).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Update firmware/ }).click()
  await palette(page)
    .getByRole('option', { name: /^2\.1\.0/ })
    .click()
  const dialog = page.getByRole('alertdialog', { name: `Update the firmware of ${bssid}?` })
  await dialog.getByRole('button', { name: 'Update 1 device' }).click()
  await expect(messages(page)).toContainText('Updating the firmware of 1 of 1 device')

  await row(page, bssid).click()
  await panelReady(page, bssid)
  await panel(page).getByRole('tab', { name: 'Settings' }).click()
  const form = panel(page).getByRole('form', { name: 'Update firmware' })
  await form.getByRole('combobox', { name: 'Version' }).press('Control+Enter')
  await expect(form.getByRole('alert')).toHaveText('Version is required')
  await form.getByRole('button', { name: 'Choices: Version' }).click()
  await page.getByRole('option', { name: '2.2.3' }).click()
  await panel(page).getByRole('button', { name: 'Apply to 1 device' }).click()
  await expect(dialog).toContainText('install version 2.2.3')
  await dialog.getByRole('button', { name: 'Update 1 device' }).click()
  await expect
    .poll(() => device.commands)
    .toEqual([
      { type: 'update_firmware', version: '2.1.0' },
      { type: 'update_firmware', version: '2.2.3' },
    ])
})
