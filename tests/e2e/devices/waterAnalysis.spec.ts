/** The water analysis of a supply: set from a device and from the overview, by keys and by mouse, previewed and undone. */
import type { Page } from '@playwright/test'
import type { DeviceHealth } from '../../../src/api/contract/health/device.ts'
import { callerFor, newDevices, newModel, newVendor, unique } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { storeHealth } from '../support/deviceHealth.ts'
import { loaded, panel } from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit, type WorkerServer } from '../support/fixtures.ts'
import { confirm, expectMessage, palette } from '../support/lists.ts'

const password = 'a-vendors-own-password'
const section = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Health', exact: true })
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** Creates devices on a supply of their own, with two months of health. */
async function supplied(server: WorkerServer, count: number, of: Parameters<typeof newDevices>[2] = {}) {
  const admin = await callerFor(server.url, 'admin')
  const ids = await newDevices(admin, count, of)
  const label = unique('supply')
  await admin.call('PUT', '/api/v3/devices/water-supply', { ids, water_supply: label })
  await storeHealth(server.databaseUrl, 60, Object.fromEntries(ids.map(id => [id, undefined])))
  const waterOf = async (id: string) =>
    ((await admin.call('GET', `/api/v3/devices/${id}/health`)) as DeviceHealth).water
  return { ids, label, waterOf }
}

/** Types an argument on its page of the palette. */
async function enter(page: Page, label: string, text: string): Promise<void> {
  await expect(palette(page).getByRole('combobox', { name: label })).toBeFocused()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Enter')
}

test('the analysis of a device’s supply is set by keys and by mouse, shows what it means, and is undone', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('keys set it, show what it means, and undo it', async () => {
    const { ids, label, waterOf } = await supplied(server, 2)
    const [bssid = '', neighbour = ''] = ids
    await signInAt(page, 'admin', `/devices/${bssid}`)
    await expect(section(page)).toContainText(`Nobody has entered the water of “${label}” yet`)

    await test.step('a value out of bounds is refused where it is typed, and kept', async () => {
      await page.keyboard.press('s')
      await page.keyboard.press('a')
      await enter(page, 'Calcium hardness', '-5')
      await expect(palette(page)).toContainText('Calcium hardness must be greater than or equal to 0')
      await expect(palette(page).getByRole('combobox')).toHaveValue('-5')
      await page.keyboard.press('ControlOrMeta+a')
      await enter(page, 'Calcium hardness', '280')
      await enter(page, 'Alkalinity', '220')
      await enter(page, 'pH', '7.7')
    })
    await test.step('the question names the values and what they count for', async () => {
      await expect(dialog(page)).toContainText('Calcium hardness 280 and alkalinity 220 mg/l as CaCO₃, pH 7.7')
      await expect(dialog(page)).toContainText('all devices on the same water supply')
      await page.keyboard.press('Enter')
      await expectMessage(page, 'Set the water analysis for the supply of 1 of 1 device')
    })
    await test.step('the device shows the index, in words and explained', async () => {
      await expect(section(page).getByRole('img', { name: /^Langelier index: feed .* concentrate \+/ })).toBeVisible()
      await expect(section(page)).toContainText('Above 0: scaling is possible')
      await check(page, 'the water of a device', 'main')
      await page.keyboard.press('Shift+H')
      await expect(dialog(page).getByRole('row', { name: /^Concentrate/ })).toContainText('367')
      await check(page, 'the explanation of the index', '[role=dialog]')
      await page.keyboard.press('Escape')
    })
    expect(await waterOf(neighbour)).toMatchObject({ calcium_hardness: 280, alkalinity: 220, ph: 7.7, login: 'admin' })
    await page.keyboard.press('z')
    await expect.poll(() => waterOf(neighbour)).toBeNull()
    await expect(section(page)).toContainText('Nobody has entered the water')
  })
  await test.step('the mouse sets it in the form of the panel, which keeps what cannot be', async () => {
    const { ids, waterOf } = await supplied(server, 1)
    const [bssid = ''] = ids
    await visit(page, `/devices/${bssid}`)
    await panel(page).getByRole('tab', { name: 'Settings' }).click()
    const form = panel(page).getByRole('form', { name: /Set water analysis/ })
    await form.getByLabel(/Calcium hardness/).fill('25')
    await form.getByLabel(/Alkalinity/).fill('30')
    await form.getByLabel('pH').fill('12')
    const apply = panel(page).getByRole('button', { name: /Apply to 1 device/ })
    await apply.click()
    await expect(form).toContainText('pH must be less than or equal to 11')
    await expect(form.getByLabel(/Calcium hardness/)).toHaveValue('25')
    await expect(form.getByLabel('pH')).toHaveValue('12')
    await form.getByLabel('pH').fill('7')
    await apply.click()
    await dialog(page)
      .getByRole('button', { name: /Set water analysis/ })
      .click()
    await expect(section(page)).toContainText('Scaling is unlikely', { ignoreCase: true })
    expect(await waterOf(bssid)).toMatchObject({ calcium_hardness: 25, ph: 7 })
    // The form shows what is stored now.
    await expect(form.getByLabel('pH')).toHaveValue('7')
  })
})

test('on the overview, keys set it for the devices of a supply, with a preview', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  const { ids, label, waterOf } = await supplied(server, 3, { vendor: login, model: await newModel(admin, [id]) })
  await signIn(page, login, password)
  await loaded(page)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  const entry = page.getByRole('button', { name: new RegExp(`^${label}: 3, `) })
  await expect(entry).toHaveAccessibleName(/No water analysis/)
  await entry.focus()
  await check(page, 'the overview with a supply', 'main')
  await page.keyboard.press('s')
  await page.keyboard.press('a')
  await enter(page, 'Calcium hardness', '310')
  await enter(page, 'Alkalinity', '240')
  await enter(page, 'pH', '7,6')
  await confirm(page, 'Set the water analysis for 3 devices?')
  await expectMessage(page, 'Set the water analysis for the supply of 3 of 3 devices')
  await expect(entry).toHaveAccessibleName(/Hardness 310, alkalinity 240 mg\/l, pH 7\.6/)
  expect(await waterOf(ids[0]!)).toMatchObject({ calcium_hardness: 310, ph: 7.6 })
  await page.keyboard.press('z')
  await confirm(page, /^Undo/)
  await expect.poll(() => waterOf(ids[0]!)).toBeNull()
})
