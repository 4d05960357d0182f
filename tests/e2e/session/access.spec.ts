/** Who is let in where: the palette, the keys, the screens and the calls of the four roles; and who is out at once. */
import type { Page } from '@playwright/test'
import { demoPassword, callerFor, idOf, newVendor, unique } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { lookUp, palette, screens, table } from '../support/lists.ts'

type Who = 'superadmin' | 'admin' | 'vendor'
/** The specification's screens, with who may see them and what they read first. */
const rooms = [
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
  test(`${who}: palette, keys and calls agree with the route table`, async ({ page, server }) => {
    test.slow()
    const caller = await callerFor(server.url, who)
    const refused: string[] = []
    page.on('response', answer => {
      if (answer.status() === 403) refused.push(answer.url())
    })
    await signIn(page, who)
    await expect(table(page)).toHaveAttribute('aria-busy', 'false')
    const home = new URL(page.url()).pathname
    for (const { title, key, path, call, may } of rooms) {
      const lets = (may as readonly Who[]).includes(who)
      expect(await caller.status('GET', call), call).toBe(lets ? 200 : 403)
      const found = await lookUp(page, title)
      await expect(found.filter({ hasText: new RegExp(`^${title}g ?${key}$`) }), title).toHaveCount(lets ? 1 : 0)
      await page.keyboard.press('Escape')
      await expect(palette(page)).toBeHidden()
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      if (lets) await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeAttached()
      await expect(page).toHaveURL(new RegExp(`${lets ? path : home}$`))
      if (lets) await expect(table(page)).toHaveAttribute('aria-busy', 'false')
      await page.keyboard.press('g')
      await page.keyboard.press(home === '/admins' ? 'a' : 'd')
      await expect(page).toHaveURL(new RegExp(`${home}$`))
    }
    // Whatever is on screen asks for nothing that is not its own.
    expect(refused).toEqual([])
  })

test('a superadmin’s palette searches no devices', async ({ page }) => {
  await signIn(page, 'superadmin')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  let asked = 0
  await intercept(page, '**/api/v3/devices**', route => {
    asked++
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
  expect(asked).toBe(0)
})

test('the role user is refused at login, and its calls with it', async ({ page, server }) => {
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
async function working(page: Page, login: string) {
  await signIn(page, login, password)
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
}
/** The next thing done in the console ends its session. */
async function isOut(page: Page, login: string) {
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL(/\/login(\?|$)/)
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form').getByRole('alert')).not.toBeEmpty()
  await expect(page).toHaveURL(/\/login(\?|$)/)
}

test('a blocked account is out on its next call, and not let in again', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  await working(page, login)
  await admin.call('PATCH', `/api/v3/vendors/${id}/change-status`, { status: true })
  await isOut(page, login)
})

test('so is one whose password was changed by an administrator', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  await working(page, login)
  await admin.call('PATCH', `/api/v3/vendors/${id}/change-password`, { password: unique('another-password') })
  await isOut(page, login)
})

test('so is one that was deleted', async ({ page, server }) => {
  const superadmin = await callerFor(server.url, 'superadmin')
  const login = unique('admin')
  const body = { login, password, first_name: '', last_name: '' }
  await superadmin.call('POST', '/api/v3/admins', body)
  await working(page, login)
  const id = await idOf(superadmin, '/api/v3/admins', 'login', login)
  await superadmin.call('DELETE', '/api/v3/admins', { ids: [id] })
  await isOut(page, login)
})
