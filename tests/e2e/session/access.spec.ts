/** Accounts that lose their access at once. */
import { callerFor, idOf, newVendor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import { table } from '../support/lists.ts'

test('an account that is blocked, gets another password or is deleted is signed out, and cannot sign in again', async ({
  page,
  server,
}) => {
  const password = 'a-vendors-own-password'
  const [superadmin, admin] = [await callerFor(server.url, 'superadmin'), await callerFor(server.url, 'admin')]
  const [blocked, renewed] = [await newVendor(admin, password), await newVendor(admin, password)]
  const login = unique('admin')
  await superadmin.call('POST', '/api/v3/admins', { login, password, first_name: 'Ada', last_name: 'Moss' })
  const deleted = { login, id: await idOf(superadmin, '/api/v3/admins', 'login', login) }

  const submit = async (name: string) => {
    await page.getByRole('textbox', { name: 'Login' }).fill(name)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
  }
  await page.goto('/login')
  for (const [how, account, end] of [
    ['blocked', blocked, () => admin.call('PATCH', `/api/v3/vendors/${blocked.id}/change-status`, { status: true })],
    [
      'another password',
      renewed,
      () =>
        admin.call('PATCH', `/api/v3/vendors/${renewed.id}/change-password`, { password: unique('another-password') }),
    ],
    ['deleted', deleted, () => superadmin.call('DELETE', '/api/v3/admins', { ids: [deleted.id] })],
  ] as const)
    await test.step(how, async () => {
      await submit(account.login)
      await expect(table(page)).toHaveAttribute('aria-busy', 'false')
      await end()
      // The next call ends the session.
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await expect(page).toHaveURL(/\/login(\?|$)/)
      await submit(account.login)
      await expect(page.getByRole('form').getByRole('alert')).not.toBeEmpty()
      await expect(page).toHaveURL(/\/login(\?|$)/)
    })
})
