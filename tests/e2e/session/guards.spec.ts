/** The route table of the specification's section 2, for every role and for signed-out people. */
import { routes } from '../../../src/domain/lists/routes.ts'
import { expect, logOut, signIn, test, visit } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'

type Who = 'nobody' | 'superadmin' | 'admin' | 'vendor'
const all: readonly Who[] = ['superadmin', 'admin', 'vendor']
const device = '/devices/30:AE:A4:00:E8:EF'

/** The roles that may open each path; all others are redirected. */
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
  test(`${who === 'nobody' ? 'a signed-out person' : who} reaches only the screens of the route table`, async ({
    page,
  }) => {
    if (who === 'nobody') await page.goto('/login')
    else await signIn(page, who)
    const expectScreen = async (path: string, shown = path) => {
      await expect(page, `${who} at ${path}`).toHaveURL(new URL(shown, page.url()).href)
      // The URL may still change; the heading is rendered only once the guard has let the person in.
      await expect(page.getByRole('heading', { level: 1, name: headingOf(shown), exact: true })).toBeVisible()
    }
    for (const [path, may] of table) {
      await visit(page, path)
      await expectScreen(path, may.includes(who) ? path : home(who))
    }
    for (const path of onlySignedOut) {
      await visit(page, path)
      await expectScreen(path, who === 'nobody' ? path : home(who))
    }
    const shellParts = [page.getByRole('banner'), page.getByRole('navigation', { name: 'Main' })]
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
      for (const part of shellParts) await expect(part, path).toHaveCount(hidden ? 0 : 1)
    }
    // The guards do the same when the address is loaded.
    const refused = table.find(([, may]) => !may.includes(who))
    if (refused) {
      await page.goto(refused[0])
      await expectScreen(refused[0], home(who))
    }
    await page.goto('/no/such/screen')
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible()
  })
}

test('the navigation lists only the screens of the role, and the account menu has no Profile for a superadmin', async ({
  page,
}) => {
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

test('Back after logging out does not show the screen of the last session', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/vendors')
  await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
  await logOut(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/(login)?$/)
})

test.describe('with an init script', () => {
  // Init scripts cannot be removed from a page.
  test.use({ ownContext: true })

  test('Back pressed before a redirect to the login has rendered still shows the login', async ({ page }) => {
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

test('Back pressed while the login screen is still loading still leads to the login', async ({ page }) => {
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
