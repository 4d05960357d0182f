/** Access by role in the palette, keys, screens and API calls, and accounts that lose their access at once. */
import type { Page } from '@playwright/test'
import { demoPassword, callerFor, idOf, newVendor, unique } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { lookUp, palette, screens, table } from '../support/lists.ts'

type Who = 'superadmin' | 'admin' | 'vendor'
/** The screens of the specification, with the roles that may open them and the first call of each. */
const restrictedScreens = [
  { title: 'Admins', key: 'a', path: '/admins', call: '/api/v3/admins', may: ['superadmin'] },
  { title: 'Vendors', key: 'v', path: '/vendors', call: '/api/v3/vendors', may: ['admin'] },
  { title: 'Users', key: 'u', path: '/users', call: '/api/v3/users', may: ['admin'] },
  {
    title: 'Device models',
    key: 'm',
    path: '/devices/models',
    call: '/api/v3/devices/models',
    may: ['admin', 'vendor'],
  },
  { title: 'Devices', key: 'd', path: '/devices', call: '/api/v3/devices', may: ['admin', 'vendor'] },
  {
    title: 'Filtration System Groups',
    key: 'r',
    path: '/filtration-system-groups',
    call: '/api/v4/filtration-system-groups',
    may: ['admin'],
  },
  { title: 'Cartridge Types', key: 't', path: '/cartridge-types', call: '/api/v3/cartridge-types', may: ['admin'] },
  { title: 'History', key: 'h', path: '/history', call: '/api/v3/audit', may: ['admin'] },
] as const satisfies readonly { may: readonly Who[]; [more: string]: unknown }[]

for (const who of ['superadmin', 'admin', 'vendor'] as const)
  test(`palette, keys and API calls give ${who} exactly the screens of the route table`, async ({ page, server }) => {
    test.slow()
    const caller = await callerFor(server.url, who)
    const refused: string[] = []
    page.on('response', response => {
      if (response.status() === 403) refused.push(response.url())
    })
    await signIn(page, who)
    await expect(table(page)).toHaveAttribute('aria-busy', 'false')
    const home = new URL(page.url()).pathname
    for (const { title, key, path, call, may } of restrictedScreens) {
      const allowed = (may as readonly Who[]).includes(who)
      expect(await caller.status('GET', call), call).toBe(allowed ? 200 : 403)
      const results = await lookUp(page, title)
      await expect(results.filter({ hasText: new RegExp(`^${title}g ?${key}$`) }), title).toHaveCount(allowed ? 1 : 0)
      await page.keyboard.press('Escape')
      await expect(palette(page)).toBeHidden()
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      if (allowed) await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeAttached()
      await expect(page).toHaveURL(new RegExp(`${allowed ? path : home}$`))
      if (allowed) await expect(table(page)).toHaveAttribute('aria-busy', 'false')
      await page.keyboard.press('g')
      await page.keyboard.press(home === '/admins' ? 'a' : 'd')
      await expect(page).toHaveURL(new RegExp(`${home}$`))
    }
    // No screen makes a call that its role may not make.
    expect(refused).toEqual([])
  })

test('the palette of a superadmin does not search for devices', async ({ page }) => {
  await signIn(page, 'superadmin')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  let requests = 0
  await intercept(page, '**/api/v3/devices**', route => {
    requests++
    return route.continue()
  })
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await expect(palette(page).getByRole('button', { name: 'commands' })).toBeVisible()
  await expect(palette(page).getByRole('button', { name: /devices|systems/ })).toHaveCount(0)
  for (const sign of ['', '@', '#']) {
    await palette(page).getByRole('combobox').fill('')
    await page.keyboard.type(`${sign}30:AE:A4`)
    await expect(palette(page).getByText('No results.', { exact: true }).first()).toBeVisible()
    await expect(palette(page).getByRole('status')).toHaveText('No results.')
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(new RegExp(`${screens.admins.path}$`))
  expect(requests).toBe(0)
})

test('an end user is refused at login, and calls without a session are refused', async ({ page, server }) => {
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Login' }).fill('user@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form').getByRole('alert')).toHaveText('This account has no access to the dashboard')
  expect((await fetch(`${server.url}/api/v3/devices`)).status).toBe(401)
  await page.goto('/devices')
  await expect(page).toHaveURL(/\/login(\?|$)/)
})

const password = 'a-vendors-own-password'
/** Signs in as an account that will lose its access. */
async function signInAs(page: Page, login: string) {
  await signIn(page, login, password)
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
}
/** Checks that the next navigation ends the session, and that the account cannot sign in again. */
async function expectSignedOut(page: Page, login: string) {
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL(/\/login(\?|$)/)
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form').getByRole('alert')).not.toBeEmpty()
  await expect(page).toHaveURL(/\/login(\?|$)/)
}

test('a blocked account is signed out on its next call, and cannot sign in again', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  await signInAs(page, login)
  await admin.call('PATCH', `/api/v3/vendors/${id}/change-status`, { status: true })
  await expectSignedOut(page, login)
})

test('an account whose password an administrator changed is signed out, and its old password is refused', async ({
  page,
  server,
}) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  await signInAs(page, login)
  await admin.call('PATCH', `/api/v3/vendors/${id}/change-password`, { password: unique('another-password') })
  await expectSignedOut(page, login)
})

test('a deleted account is signed out on its next call, and cannot sign in again', async ({ page, server }) => {
  const superadmin = await callerFor(server.url, 'superadmin')
  const login = unique('admin')
  const body = { login, password, first_name: '', last_name: '' }
  await superadmin.call('POST', '/api/v3/admins', body)
  await signInAs(page, login)
  const id = await idOf(superadmin, '/api/v3/admins', 'login', login)
  await superadmin.call('DELETE', '/api/v3/admins', { ids: [id] })
  await expectSignedOut(page, login)
})
