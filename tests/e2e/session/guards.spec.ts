/** The route table of section 2 for every role, and for nobody. */
import { routes } from '../../../src/domain/lists/routes.ts'
import { expect, logOut, signIn, test, visit } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'

type Who = 'nobody' | 'superadmin' | 'admin' | 'vendor'
const all: readonly Who[] = ['superadmin', 'admin', 'vendor']
const device = '/devices/30:AE:A4:00:E8:EF'

/** Who may be where; everyone else is sent away. */
const table: readonly (readonly [path: string, may: readonly Who[]])[] = [
  ['/profile', all],
  ['/admins', ['superadmin']],
  ['/filtration-systems', ['admin']],
  ['/filtration-system-groups', ['admin']],
  ['/cartridge-types', ['admin']],
  ['/vendors', ['admin']],
  ['/users', ['admin']],
  ['/devices', ['admin', 'vendor']],
  ['/devices/models', ['admin', 'vendor']],
  [device, ['admin', 'vendor']],
  ['/calendar', ['admin', 'vendor']],
  ['/charts', ['admin', 'vendor']],
  ['/notifications', ['admin', 'vendor']],
  ['/settings', ['admin', 'vendor']],
]
const onlySignedOut = ['/', '/login', '/forgot']
const home = (who: Who) => (who === 'nobody' ? '/login' : who === 'superadmin' ? '/admins' : '/devices')

const signedOut: Readonly<Record<string, string>> = {
  '/': 'Permeate',
  '/login': 'Permeate',
  '/forgot': 'Forgot password',
}
const titles = new Map(Object.values(routes).map(({ path, title }) => [path as string, title as string]))
const headingOf = (path: string) => signedOut[path] ?? titles.get(path) ?? path.slice('/devices/'.length)

for (const who of ['nobody', ...all] as const) {
  test(`${who} reaches what the table allows and nothing else`, async ({ page }) => {
    if (who === 'nobody') await page.goto('/login')
    else await signIn(page, who)
    const isAt = async (path: string, shown = path) => {
      await expect(page, `${who} at ${path}`).toHaveURL(new URL(shown, page.url()).href)
      // Drawn only where the guard lets in; an address alone stands there before it has looked.
      await expect(page.getByRole('heading', { level: 1, name: headingOf(shown), exact: true })).toBeVisible()
    }
    for (const [path, may] of table) {
      await visit(page, path)
      await isAt(path, may.includes(who) ? path : home(who))
    }
    for (const path of onlySignedOut) {
      await visit(page, path)
      await isAt(path, who === 'nobody' ? path : home(who))
    }
    const bars = [page.getByRole('banner'), page.getByRole('navigation', { name: 'Main' })]
    for (const [path, heading] of [
      ['/email/confirm/?token=abc', 'Confirm email'],
      ['/password/restore/?token=abc', 'Restore password'],
      ['/email/other', 'Not found'],
      ['/passwords', 'Not found'],
      ['/no/such/screen', 'Not found'],
    ] as const) {
      await visit(page, path)
      await expect(page, `${who} at ${path}`).toHaveURL(new URL(path, page.url()).href)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page).toHaveTitle(`${heading} · Permeate`)
      const hidden = who === 'nobody' || /^\/(email|password)/.test(path)
      for (const bar of bars) await expect(bar, path).toHaveCount(hidden ? 0 : 1)
    }
    // Loaded at its address it is the same.
    const refused = table.find(([, may]) => !may.includes(who))
    if (refused) {
      await page.goto(refused[0])
      await isAt(refused[0], home(who))
    }
    await page.goto('/no/such/screen')
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible()
  })
}

test('the navigation offers what the role may see, and Profile not to superadmin', async ({ page }) => {
  const offered = {
    superadmin: ['Admins'],
    vendor: ['Devices', 'Device models', 'Charts', 'Notifications'],
    admin: [
      'Devices',
      'Device models',
      'Filtration Systems',
      'Filtration System Groups',
      'Cartridge Types',
      'Vendors',
      'Users',
      'Calendar',
      'Charts',
      'Notifications',
    ],
  }
  for (const who of ['superadmin', 'vendor', 'admin'] as const) {
    await signIn(page, who)
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await expect(links).toHaveCount(offered[who].length)
    for (const name of offered[who]) await expect(links.filter({ hasText: new RegExp(`^${name}`) })).not.toHaveCount(0)
    await page.getByRole('button', { name: 'Account' }).click()
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Profile' })).toHaveCount(who === 'superadmin' ? 0 : 1)
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login(\?|$)/)
  }
})

test('the last session’s screen is not there for the next', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/vendors')
  await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
  await logOut(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/(login)?$/)
})

test.describe('with a script of its own', () => {
  // A page keeps its init scripts.
  test.use({ ownContext: true })

  test('back before anything of where one is sent has been drawn leads there all the same', async ({ page }) => {
    await signIn(page, 'admin')
    await page.addInitScript(() => {
      const push = history.pushState.bind(history)
      history.pushState = (state, unused, url) => {
        push(state, unused, url)
        if (url === '/login') history.back()
      }
    })
    await page.goto('/vendors')
    await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
    await logOut(page)
    await expect(page.getByRole('textbox', { name: 'Login' })).toBeVisible()
  })
})

test('back before the login screen has arrived leads to it all the same', async ({ page }) => {
  await signIn(page, 'admin')
  const release = await holdRequests(page, '**/assets/LoginScreen-*.js')
  await page.goto('/vendors')
  await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
  await logOut(page)
  await page.goBack()
  release()
  await expect(page).toHaveURL(/\/login(\?|$)/)
  await expect(page.getByRole('textbox', { name: 'Login' })).toBeVisible()
})
