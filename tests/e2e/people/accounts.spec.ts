/** The administrators, the superadmin's only screen, with the keyboard alone: create, block, set a password, delete. */
import type { Page } from '@playwright/test'
import { callerFor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  answer,
  confirm,
  countCalls,
  form,
  messages,
  openSection,
  palette,
  panel,
  selectedTableRows,
  rowOf,
  expectMessage,
  select,
  signInAtList,
  submit,
  total,
  typeInto,
  clearList,
  closeMessages,
} from '../support/lists.ts'

const password = 'an-admins-own-password'

const openAdmins = (page: Page) => signInAtList(page, 'superadmin', 'admins')

/** Creates an administrator that no other test uses, and returns the login. */
async function newAdmin(url: string): Promise<string> {
  const login = unique('admin')
  const superadmin = await callerFor(url, 'superadmin')
  await superadmin.call('POST', '/api/v3/admins', { login, password, first_name: 'Ines', last_name: 'Test' })
  return login
}

test('a superadmin sees only the administrators, creates, blocks and deletes them, and sets a password, which ends their sessions', async ({
  page,
  server,
}) => {
  test.slow()
  await openAdmins(page)
  await test.step('they are listed, and created in the palette and in the panel’s form', async () => {
    await test.step('a superadmin sees only the administrators, without the superadmin', async () => {
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
        /^Admins/,
        /^Jobs/,
        /^Scripts/,
        /^Servers/,
      ])
      for (const tab of ['Info', 'Update', 'Control', 'Create'] as const) await openSection(page, tab)
      await expect(panel(page).getByRole('tab')).toHaveText(['Info', 'Update', 'Control', 'Create'])
      // The superadmin is not listed.
      await expect(rowOf(page, 'superadmin')).toHaveCount(0)
      await expect(rowOf(page, 'admin')).toHaveCount(1)
      await page.keyboard.press('g')
      await page.keyboard.press('d')
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await expect(page).toHaveURL(/\/admins(\?|$)/)
      await expect(messages(page)).toHaveText('')
    })
    await clearList(page)
    await test.step('an administrator is created page by page in the palette, and each page reports errors', async () => {
      const login = unique('page')
      const calls = countCalls(page, 'POST', /\/admins$/)
      const before = await total(page)
      const error = palette(page).getByRole('alert')
      await page.keyboard.press('c')
      await answer(page, 'Login', '')
      await expect(error).toHaveText('Login is required')
      await answer(page, 'Login', login)
      await answer(page, 'First name', 'Paula')
      await answer(page, 'Last name', 'Page')
      await answer(page, 'Password', password)
      // The typed password is not shown.
      await expect(palette(page)).not.toContainText(password)
      await answer(page, 'Repeat password', 'another-password')
      await expect(error).toHaveText('Passwords must match')
      expect(calls).toEqual([])
      await page.keyboard.press('Control+a')
      await answer(page, 'Repeat password', password)
      await expectMessage(page, `Created ${login}`)
      expect(calls).toEqual([{ body: { login, first_name: 'Paula', last_name: 'Page', password } }])
      await expect.poll(() => total(page)).toBe(before + 1)
      const created = await callerFor(server.url, login, password)
      expect(await created.status('GET', '/api/v3/vendors')).toBe(200)
    })
    await clearList(page)
    await test.step('an administrator is created in the panel’s form, which reports errors at their fields', async () => {
      const login = unique('form')
      const calls = countCalls(page, 'POST', /\/admins$/)
      await openSection(page, 'Create')
      const create = form(page, 'Create admin')
      const field = (name: string) => create.getByRole('textbox', { name, exact: true })
      const secret = (name: string) => create.getByLabel(name, { exact: true })
      await typeInto(page, field('Login'), login)
      await typeInto(page, field('First name'), 'Fritz')
      await typeInto(page, field('Last name'), 'Form')
      await typeInto(page, secret('Password'), password)
      await typeInto(page, secret('Repeat password'), `${password}!`)
      await submit(page)
      await expect(secret('Repeat password')).toHaveAccessibleDescription('Passwords must match')
      await expect(secret('Repeat password')).toBeFocused()
      expect(calls).toEqual([])
      await typeInto(page, secret('Repeat password'), password)
      await submit(page)
      await expectMessage(page, `Created ${login}`)
      // The form is empty after the creation.
      await expect(field('Login')).toHaveValue('')
    })
  })
  await clearList(page)
  await closeMessages(page)
  await test.step('they are blocked, get a new password and are deleted, and their sessions end', async () => {
    const [login, ...logins] = [await newAdmin(server.url), await newAdmin(server.url), await newAdmin(server.url)]
    await page.keyboard.press('l')
    await expectMessage(page, 'At least one account must be selected')
    await test.step('a blocked administrator is signed out on the next call, and can sign in again once unblocked', async () => {
      const admin = await callerFor(server.url, login, password)
      const calls = countCalls(page, 'PUT', /change-status$/)
      await select(page, login)
      await page.keyboard.press('l')
      await expectMessage(page, 'Blocked 1 of 1 admin')
      await expect(rowOf(page, login)).toContainText('Blocked')
      expect(await admin.status('GET', '/api/v3/vendors')).toBe(401)
      await page.keyboard.press('u')
      await expectMessage(page, 'Unblocked 1 of 1 admin')
      await expect(rowOf(page, login)).toContainText('Active')
      const ids = [expect.any(String)]
      expect(calls).toEqual([{ body: { ids, status: true } }, { body: { ids, status: false } }])
      await callerFor(server.url, login, password)
    })
    await clearList(page)
    await test.step('a new password for an administrator ends the sessions with the old one', async () => {
      const admin = await callerFor(server.url, login, password)
      await select(page, login)
      await page.keyboard.press('s')
      await page.keyboard.press('p')
      await answer(page, 'New password', 'chosen-by-the-superadmin')
      await answer(page, 'Repeat password', 'chosen-by-the-superadmin')
      await expectMessage(page, 'Password changed successfully')
      expect(await admin.status('GET', '/api/v3/vendors')).toBe(401)
      await callerFor(server.url, login, 'chosen-by-the-superadmin')
    })
    await clearList(page)
    await test.step('a password is set for exactly one administrator', async () => {
      await select(page, ...logins)
      await page.keyboard.press('s')
      await page.keyboard.press('p')
      await expectMessage(page, 'Please select single account')
      await expect(palette(page)).toBeHidden()
      await openSection(page, 'Update')
      await expect(form(page, 'Change password')).toContainText('Please select single account')
      await expect(form(page, 'Change password').getByRole('button', { name: 'Save' })).toBeDisabled()
      await expect(panel(page)).toHaveAccessibleName('2 admins')
    })
    await clearList(page)
    await test.step('administrators are deleted after confirmation and are no longer selected', async () => {
      const admin = await callerFor(server.url, logins[0]!, password)
      const calls = countCalls(page, 'DELETE', /\/admins$/)
      const before = await total(page)
      await select(page, ...logins)
      await page.keyboard.press('Delete')
      const dialog = page.getByRole('alertdialog', { name: 'Delete 2 admins?', exact: true })
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      expect(calls).toEqual([])
      await page.keyboard.press('Backspace')
      await confirm(page, 'Delete 2 admins?')
      await expectMessage(page, 'Deleted 2 of 2 admins')
      await expect.poll(() => total(page)).toBe(before - 2)
      await expect(selectedTableRows(page)).toHaveCount(0)
      expect(calls).toHaveLength(1)
      expect(await admin.status('GET', '/api/v3/vendors')).toBe(401)
    })
  })
})
