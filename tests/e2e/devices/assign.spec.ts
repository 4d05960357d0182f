/** Assigning a filtration system, a model or a water supply to devices, with the keyboard alone. */
import type { Page } from '@playwright/test'
import type { Device } from '../../../src/api/contract/devices.ts'
import { callerFor, idOf, newDevices, newModel, unique } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  confirm,
  countCalls,
  form,
  palette,
  panel,
  rowOf,
  expectMessage,
  select,
  submit,
  tabTo,
  table,
  backToDevices,
  clearList,
  searchField,
} from '../support/lists.ts'

const argument = (page: Page, name: string) => palette(page).getByRole('combobox', { name, exact: true })

test('filtration systems, models and water supplies are assigned to devices by palette and form, and refused for devices of several or other vendors', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  await test.step('a model is assigned only to devices of vendors that may use it; the others stay selected', async () => {
    const admin = await callerFor(server.url, 'admin')
    const vendors = [await idOf(admin, '/api/v3/vendors', 'login', 'vendor')]
    const model = await newModel(admin, vendors)
    const ids = [...(await newDevices(admin, 1)), ...(await newDevices(admin, 1, { vendor: 'vendor2' }))]
    const calls = countCalls(page, 'POST', /\/jobs$/)
    await page.keyboard.press('s')
    await page.keyboard.press('m')
    await expectMessage(page, 'At least one device must be selected')
    await select(page, ...ids)
    await openSettings(page)
    const field = form(page, 'Change device model').getByRole('combobox', { name: 'Model' })
    await tabTo(page, field)
    await page.keyboard.insertText(model)
    await expect(page.getByRole('option', { name: model })).toBeVisible()
    await page.keyboard.press('Enter')
    await submit(page)
    await confirm(page, 'Change device model: 2 devices')
    await expectMessage(page, 'Settings updated for 1 out of 2 devices')
    expect(calls).toHaveLength(1)
    // The failed device stays selected.
    await expect(panel(page)).toHaveAccessibleName(ids[1]!)
    // The focus stays in the form until Esc.
    await expect(field).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(field).not.toBeFocused()
    await select(page, ids[0]!)
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
    await page.keyboard.insertText(ids[0]!)
    await expect(table(page)).toHaveAttribute('aria-rowcount', '1')
    await expect(rowOf(page, ids[0]!)).toContainText(model)
  })
  await backToDevices(page)
  await test.step('filtration systems are assigned to devices of one vendor, and refused to those of several', async () => {
    await test.step('devices of one vendor get a filtration system by the palette', async () => {
      const admin = await callerFor(server.url, 'admin')
      const ids = await newDevices(admin, 2)
      const calls = countCalls(page, 'POST', /\/jobs$/)
      await select(page, ...ids)
      await page.keyboard.press('s')
      await page.keyboard.press('y')
      await expect(argument(page, 'Filtration system')).toBeFocused()
      await page.keyboard.insertText('FS-400')
      const option = palette(page).getByRole('option', { name: 'FS-400 Direct flow', exact: true })
      await expect(option).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await confirm(page, 'Change filtration system: 2 devices')
      await expectMessage(page, 'Settings updated for 2 out of 2 devices')
      const system = await idOf(admin, '/api/v3/filtration-systems', 'model', 'FS-400')
      expect(calls).toHaveLength(1)
      expect(calls[0]!.body).toMatchObject({ command: 'set_filtration_system', input: { filtration_system: system } })
      expect((calls[0]!.body as { ids: string[] }).ids.toSorted()).toEqual(ids.toSorted())
    })
    await clearList(page)
    await test.step('a filtration system cannot be assigned to devices of several vendors, and the palette does not open', async () => {
      const admin = await callerFor(server.url, 'admin')
      const ids = [...(await newDevices(admin, 1)), ...(await newDevices(admin, 1, { vendor: 'vendor2' }))]
      const calls = countCalls(page, 'POST', /\/jobs$/)
      await select(page, ...ids)
      await page.keyboard.press('s')
      await page.keyboard.press('y')
      await expectMessage(page, 'Please select devices from the same vendor')
      await expect(palette(page)).toBeHidden()
      await openSettings(page)
      const system = form(page, 'Change filtration system')
      await expect(system).toContainText('Please select devices from the same vendor')
      await expect(panel(page).getByRole('button', { name: 'Apply to 2 devices' })).toHaveCount(0)
      expect(calls).toEqual([])
    })
    await clearList(page)
    await test.step('a filtration system of another vendor is refused with the server’s message', async () => {
      const ids = await newDevices(await callerFor(server.url, 'admin'), 1)
      await select(page, ...ids)
      await openSettings(page)
      const field = form(page, 'Change filtration system').getByRole('combobox', { name: 'Filtration system' })
      await tabTo(page, field)
      await submit(page)
      await expect(field).toHaveAccessibleDescription('Filtration system is required')
      await page.keyboard.insertText('OF-1200')
      await expect(page.getByRole('option', { name: 'OF-1200 Office' })).toBeVisible()
      await page.keyboard.press('Enter')
      const assignment = page.waitForResponse(/\/devices\/filtration-system$/)
      await submit(page)
      const response = await assignment
      expect(response.status()).toBe(400)
      const { message } = (await response.json()) as { message: string }
      await expectMessage(page, message)
      await expect(field).toHaveValue('OF-1200')
    })
  })
  await backToDevices(page)
  await test.step('a water supply is typed for several devices, suggested for others, and undone', async () => {
    const admin = await callerFor(server.url, 'admin')
    const ids = await newDevices(admin, 3)
    const supplies = async () => {
      const devices = await Promise.all(ids.map(id => admin.call('GET', `/api/v3/devices/${id}`)))
      return devices.map(device => (device as Device).water_supply)
    }
    const label = unique('Harbour main')
    const choose = async (text: string, option: string) => {
      await page.keyboard.press('s')
      await page.keyboard.press('s')
      await expect(palette(page).getByRole('combobox', { name: 'Water supply', exact: true })).toBeFocused()
      await page.keyboard.insertText(text)
      await expect(palette(page).getByRole('option', { name: option, exact: true })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await page.keyboard.press('Enter')
    }

    await select(page, ids[0]!, ids[1]!)
    await choose(label, `${label} New label`)
    await confirm(page, 'Set water supply: 2 devices')
    await expectMessage(page, 'Settings updated for 2 out of 2 devices')
    expect(await supplies()).toEqual([label, label, null])

    // A label in use is found in any case, and kept as it is written there.
    await select(page, ids[2]!)
    await choose(label.toUpperCase(), label)
    await confirm(page, 'Set water supply: 3 devices')
    await expectMessage(page, 'Settings updated for 3 out of 3 devices')
    expect(await supplies()).toEqual([label, label, label])
    await page.keyboard.press('z')
    await confirm(page, /^Undo/)
    await expect.poll(supplies).toEqual([label, label, null])
  })
})

test('a vendor can assign only own filtration systems to own devices', async ({ page, server }) => {
  const ids = await newDevices(await callerFor(server.url, 'admin'), 1, { vendor: 'vendor2' })
  await signIn(page, 'vendor2')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  await select(page, ...ids)
  await page.keyboard.press('s')
  await page.keyboard.press('y')
  await expect(argument(page, 'Filtration system')).toBeFocused()
  await expect(palette(page).getByRole('option')).toHaveText([/^FS-100/, /^OF-1200/])
  await page.keyboard.insertText('OF')
  await expect(palette(page).getByRole('option')).toHaveText([/^OF-1200/])
  await page.keyboard.press('Enter')
  await expectMessage(page, 'Settings updated for 1 out of 1 devices')
})

/** Opens the section Settings of the panel with the keyboard. */
async function openSettings(page: Page) {
  await page.keyboard.press('Shift+I')
  await expect(argument(page, 'Section')).toBeFocused()
  await page.keyboard.insertText('settings')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('tab', { name: 'Settings' })).toBeFocused()
}
