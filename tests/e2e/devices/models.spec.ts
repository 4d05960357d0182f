/** Device models, with the keyboard alone: for an administrator and for a vendor. */
import type { Page } from '@playwright/test'
import { callerFor, idOf, newDevices, newModel, newVendor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  answer,
  confirm,
  countCalls,
  form,
  openSection,
  palette,
  rowOf,
  expectMessage,
  select,
  signInAtList,
  submit,
  tabTo,
  table,
  total,
  typeInto,
  columnValues,
  clearList,
  closeMessages,
  deleteOneOfTwo,
} from '../support/lists.ts'

const createForm = (page: Page) => form(page, 'Create device model')
const editForm = (page: Page) => form(page, 'Edit device model')
const rates = 'Bypass flow rates 1 to 4'

test('models are created in the palette and in the form, edited, and deleted after confirmation, except one in use, which links to its devices', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('a model is created in the palette and in the panel’s form', async () => {
    await signInAtList(page, 'admin', 'models')
    await test.step('a model is created page by page in the palette', async () => {
      const name = unique('RO')
      const calls = countCalls(page, 'POST', /\/models$/)
      await page.keyboard.press('c')
      await answer(page, 'Name', name)
      await answer(page, 'Platform', 'esp8266')
      await answer(page, 'Capabilities', 'flush')
      await answer(page, 'Capabilities', 'vendor lock')
      await answer(page, 'Capabilities', '')
      await answer(page, rates, '0 0 0 0')
      const vendors = palette(page).getByRole('combobox', { name: 'Vendors', exact: true })
      await expect(vendors).toBeFocused()
      await expect(palette(page).getByRole('option', { name: 'None' })).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(palette(page).getByRole('alert')).toHaveText('At least one vendor must be selected')
      await page.keyboard.insertText('vendor3')
      await expect(palette(page).getByRole('option', { name: /^vendor3/ })).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(palette(page).getByRole('option', { name: 'Done: vendor3' })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await page.keyboard.press('Enter')
      await expectMessage(page, `Created ${name}`)
      expect(calls).toMatchObject([
        { body: { name, capabilities: ['flush', 'lock'], bypass_flow_rates: [0, 0, 0, 0] } },
      ])
    })
    await clearList(page)
    await test.step('a model is created in the panel’s form, which searches vendors', async () => {
      const name = unique('RO')
      const calls = countCalls(page, 'POST', /\/models$/)
      const field = (label: string) => createForm(page).getByRole('textbox', { name: label })
      const vendors = createForm(page).getByRole('combobox', { name: 'Vendors' })
      await openSection(page, 'Create')
      await typeInto(page, field('Name'), name)
      await typeInto(page, field('Platform'), 'esp32')
      await tabTo(page, createForm(page).getByRole('checkbox', { name: 'Flush' }))
      await page.keyboard.press('Space')
      await typeInto(page, field(rates), '0 0,5 101 2')
      await tabTo(page, vendors)
      await page.keyboard.insertText('vendor2')
      await expect(page.getByRole('option', { name: 'vendor2 Blue Ridge Filtration' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(createForm(page).getByRole('button', { name: 'Remove vendor2' })).toBeVisible()
      await submit(page)
      await expect(field(rates)).toHaveAccessibleDescription(`${rates} must be less than or equal to 100`)
      expect(calls).toEqual([])
      await typeInto(page, field(rates), '0 0,5 1 2')
      await submit(page)
      await expectMessage(page, `Created ${name}`)
      const offeredTo = await idOf(await callerFor(server.url, 'admin'), '/api/v3/vendors', 'login', 'vendor2')
      const body = { name, platform: 'esp32', capabilities: ['flush'], bypass_flow_rates: [0, 0.5, 1, 2] }
      expect(calls).toEqual([{ body: { ...body, vendors: [offeredTo] } }])
      await page.keyboard.press('Escape')
      await select(page, name)
      await expect.poll(() => columnValues(page, 'Vendors')).toEqual(['Blue Ridge Filtration'])
    })
  })
  await clearList(page)
  await closeMessages(page)
  await test.step('models are edited in the form and deleted after confirmation, except one in use, which links to its devices', async () => {
    const admin = await callerFor(server.url, 'admin')
    const vendor = await idOf(admin, '/api/v3/vendors', 'login', 'vendor')
    const [free, used] = [await newModel(admin, [vendor]), await newModel(admin, [vendor])]
    const devices = await newDevices(admin, 3, { model: used })
    await test.step('the form of a model shows its values and saves the changes', async () => {
      const name = await newModel(admin, [vendor])
      const calls = countCalls(page, 'POST', /\/models$/)
      const field = (label: string) => editForm(page).getByRole('textbox', { name: label })
      await select(page, name)
      await openSection(page, 'Update')
      await expect(field('Name')).toHaveValue(name)
      await expect(field('Platform')).toHaveValue('esp32')
      await expect(editForm(page).getByRole('checkbox', { checked: true })).toHaveCount(1)
      await expect(editForm(page).getByRole('checkbox', { name: 'Flush' })).toBeChecked()
      await expect(field(rates)).toHaveValue(/^0\s+0\.1\s+0\.2\s+0\.4$/)
      const removeVendor = editForm(page).getByRole('button', { name: 'Remove Aquaterra Water Systems' })
      await tabTo(page, removeVendor)
      await page.keyboard.press('Enter')
      await submitFrom(page, field('Name'))
      await expect(editForm(page).getByRole('combobox', { name: 'Vendors' })).toHaveAccessibleDescription(
        'At least one vendor must be selected',
      )
      expect(calls).toEqual([])
      // The first Esc closes the list of vendors, the second restores the form.
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('listbox')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('listbox')).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(removeVendor).toBeVisible()
      await typeInto(page, field('Platform'), 'esp32-c6')
      await submit(page)
      await expectMessage(page, 'Device model updated')
      // The call takes a whole model, so unchanged fields are sent too.
      expect(calls).toMatchObject([
        { body: { name, platform: 'esp32-c6', capabilities: ['flush'], vendors: [vendor] } },
      ])
      await expect.poll(() => columnValues(page, 'Platform')).toEqual(['esp32-c6'])
    })
    await clearList(page)
    await test.step('models are deleted after confirmation; one in use stays and links to its devices', async () => {
      await deleteOneOfTwo(page, [free, used], ['device model', 'device models'], '3 devices use this model')
      await page.keyboard.press('Enter')
      const failures = page.getByRole('dialog', { name: 'Deleted 1 of 2 device models' })
      await expect(failures.getByRole('listitem')).toContainText(used)
      await expect(failures.getByRole('listitem')).toContainText('3 devices use this model')
      await tabTo(page, failures.getByRole('button', { name: 'Show the devices' }))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await expect(table(page)).toHaveAttribute('aria-rowcount', '3')
      for (const id of devices) await expect(page.getByRole('checkbox', { name: `Select ${id}` })).toBeVisible()
    })
  })
})

/** Submits a form from the given field. */
async function submitFrom(page: Page, field: ReturnType<Page['getByRole']>) {
  await tabTo(page, field)
  await submit(page)
}

test('a vendor can create models for itself, but cannot change or delete those of others', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin)
  const foreign = await newModel(admin, [id])
  const hidden = await newModel(admin, [await idOf(admin, '/api/v3/vendors', 'login', 'vendor')])
  const name = unique('OWN')
  await signInAtList(page, login, 'models', 'a-vendors-own-password')
  expect(await total(page)).toBe(1)
  await expect(rowOf(page, hidden)).toHaveCount(0)
  await openSection(page, 'Create')
  // The vendor itself is preselected, as the only choice.
  await expect(createForm(page).getByRole('button', { name: `Remove ${login}` })).toBeVisible()
  await typeInto(page, createForm(page).getByRole('textbox', { name: 'Name' }), name)
  await typeInto(page, createForm(page).getByRole('textbox', { name: 'Platform' }), 'esp32')
  await typeInto(page, createForm(page).getByRole('textbox', { name: rates }), '0 0 0 0')
  await submit(page)
  await expectMessage(page, `Created ${name}`)
  await expect.poll(() => total(page)).toBe(2)

  await page.keyboard.press('Escape')
  await select(page, foreign)
  await openSection(page, 'Update')
  await typeInto(page, editForm(page).getByRole('textbox', { name: 'Platform' }), 'mine-now')
  const refused = page.waitForResponse(/\/models$/)
  await submit(page)
  expect((await refused).status()).toBe(403)
  await expect(editForm(page).getByRole('alert')).toContainText('Only its owner may change this model')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await select(page, name)
  await page.keyboard.press('Delete')
  await confirm(page, /^Delete .+\?$/)
  await expectMessage(page, 'Deleted 1 of 2 device models')
  await expectMessage(page, 'Only its owner may change this model')
  await page.keyboard.press('Escape')
  await expect.poll(() => total(page)).toBe(1)
  await expect(rowOf(page, foreign)).toBeVisible()
})
