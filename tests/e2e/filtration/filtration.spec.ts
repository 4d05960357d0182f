/** Filtration systems, with the keyboard alone: edited, assigned to vendors, deleted. */
import { callerFor, idOf, newDevices, newVendor, unique, type Caller } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  confirm,
  countCalls,
  find,
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
  typeInto,
  clearList,
  closeMessages,
  deleteOneOfTwo,
} from '../support/lists.ts'

/** Creates a filtration system and returns its model. */
async function newSystem(admin: Caller, vendor = ''): Promise<string> {
  const model = unique('FS')
  const lines = ['model,group,vendor,flushing,cartridges', `${model},Office,${vendor},no,PP-5; T33`]
  await admin.upload('/api/v3/filtration-systems/file', lines.join('\n'))
  return model
}

test('filtration systems are edited in the form, assigned in the palette and the form, undone, and deleted, except those in use', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('they are edited in the form, and assigned in the palette, which can be undone', async () => {
    await test.step('the form of a filtration system shows its values and sends only the changed ones', async () => {
      const admin = await callerFor(server.url, 'admin')
      const model = await newSystem(admin)
      await signInAtList(page, 'admin', 'filtrationSystems')
      const calls = countCalls(page, 'PUT', /\/filtration-systems\/[^/]+$/)
      await select(page, model)
      await openSection(page, 'Update')
      const edit = form(page, 'Edit filtration system')
      const volume = edit.getByRole('textbox', { name: /^Volume/ })
      await expect(edit.getByRole('textbox', { name: 'Model' })).toHaveValue(model)
      await expect(edit.getByRole('combobox', { name: 'Group' })).toHaveValue('Office')
      await expect(edit.getByRole('list', { name: 'Selected: Cartridges' }).getByRole('button')).toHaveText([
        /PP-5/,
        /T33/,
      ])
      await expect(
        edit.getByRole('radiogroup', { name: 'Flushing' }).getByRole('radio', { name: 'No', exact: true }),
      ).toBeChecked()
      await typeInto(page, volume, '2.5')
      await tabTo(page, edit.getByRole('combobox', { name: 'Group' }))
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('Mineral')
      await expect(page.getByRole('option', { name: 'Mineral' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(edit.getByRole('combobox', { name: 'Group' })).toHaveValue('Mineral')
      await submit(page)
      await expectMessage(page, 'Filtration system updated')
      const group = await idOf(admin, '/api/v4/filtration-system-groups', 'name', 'Mineral')
      expect(calls).toMatchObject([{ body: { group, flush: { volume: 2.5 } } }])
      for (const unchanged of ['model', 'cartridges', 'flushing']) expect(calls[0]!.body).not.toHaveProperty(unchanged)
      await expect(rowOf(page, model)).toContainText('Mineral')
    })
    await clearList(page)
    await test.step('a filtration system is assigned in the palette, the assignment undone, and its group removed', async () => {
      const admin = await callerFor(server.url, 'admin')
      const model = await newSystem(admin)
      const { login } = await newVendor(admin)
      await select(page, model)
      await page.keyboard.press('s')
      await page.keyboard.press('v')
      await expect(palette(page).getByRole('combobox', { name: 'Vendor', exact: true })).toBeFocused()
      await page.keyboard.insertText(login)
      await expect(palette(page).getByRole('option')).toHaveText([new RegExp(`^${login}`)])
      await page.keyboard.press('Enter')
      await expectMessage(page, 'Assigned 1 of 1 filtration system')
      await expect(rowOf(page, model)).toContainText(`Company of ${login}`)
      await page.keyboard.press('z')
      await expectMessage(page, 'Undid “Assign to vendor” for 1 of 1 filtration system')
      await expect(rowOf(page, model)).not.toContainText(`Company of ${login}`)

      await openSection(page, 'Update')
      const group = form(page, 'Edit filtration system').getByRole('combobox', { name: 'Group' })
      await expect(group).toHaveValue('Office')
      await tabTo(page, group)
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('no gr')
      await expect(page.getByRole('option', { name: 'No group' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(group).toHaveValue('No group')
      await submit(page)
      await expectMessage(page, 'Filtration system updated')
      await expect(rowOf(page, model)).not.toContainText('Office')
    })
  })
  await clearList(page)
  await closeMessages(page)
  await test.step('they are assigned to a vendor and deleted, except those in use', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [unused, inUse] = [await newSystem(admin), await newSystem(admin, 'vendor')]
    await newDevices(admin, 3, { system: inUse })
    await test.step('filtration systems are assigned to a vendor, except those in use by another vendor’s devices', async () => {
      const [free, used] = [await newSystem(admin, 'vendor'), await newSystem(admin, 'vendor')]
      await newDevices(admin, 2, { system: used })
      const calls = countCalls(page, 'PUT', /\/filtration-systems\/vendor$/)
      await select(page, free, used)
      await openSection(page, 'Assign')
      const assign = form(page, 'Assign to vendor')
      const vendor = assign.getByRole('combobox', { name: 'Vendor' })
      await tabTo(page, vendor)
      await page.keyboard.insertText('vendor3')
      await expect(page.getByRole('option', { name: /^vendor3/ })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(vendor).toHaveValue('vendor3')
      await submit(page)
      await confirm(page, 'Assign to vendor: 2 filtration systems')
      await expectMessage(page, 'Assigned 1 of 2 filtration systems')
      await expectMessage(page, '2 devices of Aquaterra Water Systems use this filtration system')
      // The form is reset for the system that is still selected; the focus stays in it until Esc.
      await expect(vendor).toHaveValue('')
      await page.keyboard.press('Escape')
      await expect(vendor).not.toBeFocused()
      expect(calls).toHaveLength(1)
      await find(page, free, 1)
      await expect(rowOf(page, free)).toContainText('Clearspring Oy')
      await find(page, used, 1)
      await expect(rowOf(page, used)).toContainText('Aquaterra Water Systems')
    })
    await clearList(page)
    await test.step('filtration systems are deleted after confirmation; one in use stays and links to its devices', async () => {
      await deleteOneOfTwo(
        page,
        [unused, inUse],
        ['filtration system', 'filtration systems'],
        '3 devices use this filtration system',
      )
      await page.keyboard.press('Enter')
      const show = page.getByRole('dialog').getByRole('button', { name: 'Show the devices' })
      await tabTo(page, show)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await expect(table(page)).toHaveAttribute('aria-rowcount', '3')
    })
  })
})
