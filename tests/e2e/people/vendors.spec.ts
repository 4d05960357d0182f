/** Vendors, with the keyboard alone: create, edit, block, set a password, delete. */
import { callerFor, idOf, newDevices, newModel, newVendor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  answer,
  countCalls,
  form,
  openSection,
  palette,
  panel,
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

const password = 'a-vendors-own-password'

test('vendors are created in the palette, edited in the form, blocked, get a new password and are deleted, except one with devices', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('they are created in the palette and edited in the form', async () => {
    await signInAtList(page, 'admin', 'vendors')
    await test.step('a vendor is created page by page in the palette', async () => {
      const login = unique('made')
      const calls = countCalls(page, 'POST', /\/vendors$/)
      await page.keyboard.press('c')
      await answer(page, 'Login', login)
      await answer(page, 'First name', 'Mara')
      await answer(page, 'Last name', 'Quell')
      await answer(page, 'Company name', '')
      await expect(palette(page).getByRole('alert')).toHaveText('Company name is required')
      await answer(page, 'Company name', 'Quellwerk GmbH')
      await answer(page, 'Company address', 'Am Brunnen 3, Kassel')
      // The description is optional.
      await answer(page, 'Description', '')
      await answer(page, 'Password', password)
      await answer(page, 'Repeat password', password)
      await expectMessage(page, `Created ${login}`)
      const company = { company_name: 'Quellwerk GmbH', company_address: 'Am Brunnen 3, Kassel' }
      expect(calls).toEqual([{ body: { login, first_name: 'Mara', last_name: 'Quell', password, ...company } }])
      await select(page, login)
      await expect(rowOf(page, login)).toContainText('Quellwerk GmbH')
      const vendor = await callerFor(server.url, login, password)
      expect(await vendor.status('GET', '/api/v3/devices')).toBe(200)
      expect(await vendor.status('GET', '/api/v3/vendors')).toBe(403)
    })
    await clearList(page)
    await test.step('the form of a vendor shows its values and sends only the changed ones', async () => {
      const { login } = await newVendor(await callerFor(server.url, 'admin'))
      const calls = countCalls(page, 'PATCH', /\/vendors\/[^/]+$/)
      await select(page, login)
      await openSection(page, 'Update')
      const edit = form(page, 'Edit vendor')
      const field = (name: string) => edit.getByRole('textbox', { name, exact: true })
      await expect(field('Login')).toHaveValue(login)
      await expect(field('First name')).toHaveValue('Vera')
      await expect(field('Last name')).toHaveValue('Test')
      await expect(field('Company name')).toHaveValue(`Company of ${login}`)
      await expect(field('Company address')).toHaveValue('Quay 1')
      await typeInto(page, field('Company name'), '')
      await submit(page)
      await expect(field('Company name')).toHaveAccessibleDescription('Company name is required')
      await expect(field('Company name')).toBeFocused()
      await typeInto(page, field('Company name'), `${login} and Sons`)
      await typeInto(page, field('Description'), 'Moved to the quay')
      await submit(page)
      await expectMessage(page, 'Vendor updated')
      expect(calls).toEqual([{ body: { company_name: `${login} and Sons`, description: 'Moved to the quay' } }])
      await expect(rowOf(page, login)).toContainText(`${login} and Sons`)
      await expect(field('Company name')).toHaveValue(`${login} and Sons`)
    })
  })
  await clearList(page)
  await closeMessages(page)
  await test.step('they are blocked, get a new password and are deleted', async () => {
    const admin = await callerFor(server.url, 'admin')
    const free = (await newVendor(admin)).login
    const { login: owner, id } = await newVendor(admin)
    const model = await newModel(admin, [id, await idOf(admin, '/api/v3/vendors', 'login', 'vendor')])
    const devices = await newDevices(admin, 3, { vendor: owner, model })
    const { login } = await newVendor(admin)
    await test.step('a blocked vendor is signed out on the next call, and a new password ends its sessions', async () => {
      const vendor = await callerFor(server.url, login, password)
      await select(page, login)
      await page.keyboard.press('l')
      await expectMessage(page, 'Blocked 1 of 1 vendor')
      await expect(rowOf(page, login)).toContainText('Blocked')
      expect(await vendor.status('GET', '/api/v3/devices')).toBe(401)
      await page.keyboard.press('u')
      await expectMessage(page, 'Unblocked 1 of 1 vendor')
      await expect(rowOf(page, login)).toContainText('Active')

      const again = await callerFor(server.url, login, password)
      await openSection(page, 'Update')
      const change = form(page, 'Change password')
      const secret = (name: string) => change.getByLabel(name, { exact: true })
      await typeInto(page, secret('New password'), 'chosen-by-the-admin')
      await typeInto(page, secret('Repeat password'), 'chosen-by-the-admin')
      await submit(page)
      await expectMessage(page, 'Password changed successfully')
      expect(await again.status('GET', '/api/v3/devices')).toBe(401)
      await callerFor(server.url, login, 'chosen-by-the-admin')
    })
    await clearList(page)
    await test.step('vendors are deleted after confirmation; one with devices stays and links to them', async () => {
      await deleteOneOfTwo(page, [free, owner], ['vendor', 'vendors'], '3 devices belong to this vendor')
      await expect(panel(page)).toHaveAccessibleName(owner)
      await page.keyboard.press('Enter')
      const failures = page.getByRole('dialog', { name: 'Deleted 1 of 2 vendors' })
      await expect(failures.getByRole('listitem')).toContainText(`${owner}3 devices belong to this vendor`)
      await tabTo(page, failures.getByRole('button', { name: 'Show the devices' }))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await expect(table(page)).toHaveAttribute('aria-rowcount', '3')
      for (const id of devices) await expect(page.getByRole('checkbox', { name: `Select ${id}` })).toBeVisible()
    })
  })
})
