/** The route table of the specification's section 2, for every role and for signed-out people. */
import type { Page } from '@playwright/test'
import { routes } from '../../../src/domain/lists/routes.ts'
import { enterLogin, expect, logOut, signIn, signInAt, test, visit } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { palette, openPalette } from '../support/devices.ts'

type Who = 'nobody' | 'superadmin' | 'admin' | 'vendor'
const all = ['superadmin', 'admin', 'vendor'] as const
const device = '/devices/30:AE:A4:00:E8:EF'

/** The roles that may open each path, and the key after `g` that opens it. Others are redirected. */
const table: readonly (readonly [path: string, may: readonly Who[], key?: string])[] = [
  ['/profile', all, 'p'],
  ['/admins', ['superadmin'], 'a'],
  ['/filtration-systems', ['admin'], 'f'],
  ['/filtration-system-groups', ['admin'], 'r'],
  ['/cartridge-types', ['admin'], 't'],
  ['/vendors', ['admin'], 'v'],
  ['/users', ['admin'], 'u'],
  ['/devices', ['admin', 'vendor'], 'd'],
  ['/devices/models', ['admin', 'vendor'], 'm'],
  [device, ['admin', 'vendor']],
  ['/calendar', ['admin', 'vendor'], 'e'],
  ['/charts', ['admin', 'vendor'], 'c'],
  ['/notifications', ['admin', 'vendor'], 'n'],
  ['/settings', ['admin', 'vendor'], 's'],
  ['/overview', ['admin', 'vendor'], 'o'],
  ['/findings', ['admin', 'vendor'], 'i'],
  ['/history', ['admin'], 'h'],
  ['/servers', ['superadmin'], 'w'],
  ['/jobs', all, 'j'],
]
/** The links of the navigation. */
const offered = {
  superadmin: ['Admins', 'Jobs', 'Scripts', 'Servers'],
  vendor: ['Devices', 'Device models', 'Charts', 'Notifications', 'Overview', 'Findings', 'Jobs', 'Scripts'],
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
    'Overview',
    'Findings',
    'Jobs',
    'Scripts',
    'History',
  ],
}
const onlySignedOut = ['/', '/login', '/forgot']
const home = (who: Who) => (who === 'nobody' ? '/login' : who === 'superadmin' ? '/admins' : '/devices')

const signedOut: Readonly<Record<string, string>> = {
  '/': 'Permeate',
  '/login': 'Permeate',
  '/forgot': 'Forgot password',
}
const titles = new Map(Object.values(routes).map(({ path, title }) => [path as string, title as string]))
const headingOf = (path: string) => signedOut[path] ?? titles.get(path) ?? path.slice('/devices/'.length)

/** Presses `g` and then another key. */
async function goBy(page: Page, key: string) {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
}

/** Waits until the keys pressed before have been handled. */
async function settle(page: Page) {
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
}

/** Checks that the keys of other roles' screens do nothing. Those of the role's own are tested in accessibility/coverage.spec. */
async function expectKeys(page: Page, who: Who, expectScreen: (path: string) => Promise<void>) {
  // A key that does not continue a sequence starts a new one, and on the profile no single key does anything.
  await goBy(page, 'p')
  await expectScreen('/profile')
  await settle(page)
  const [shown, addresses] = [page.url(), await page.evaluate(() => history.length)]
  for (const [, may, key] of table) if (key !== undefined && !may.includes(who)) await goBy(page, key)
  await settle(page)
  expect(page.url()).toBe(shown)
  expect(await page.evaluate(() => history.length)).toBe(addresses)
}

/** Checks that the navigation lists only the role's screens, and that the account menu has the profile. */
async function expectNavigation(page: Page, who: keyof typeof offered) {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links).toHaveCount(offered[who].length)
  await expect(links.and(page.locator('[aria-current=page]'))).toHaveText(new RegExp(`^${offered[who][0]}`))
  for (const name of offered[who]) await expect(links.filter({ hasText: new RegExp(`^${name}`) })).not.toHaveCount(0)
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
}

for (const who of ['nobody', ...all] as const) {
  test(`${who === 'nobody' ? 'a signed-out person' : who} reaches only the screens of the route table, by address, navigation and keys`, async ({
    page,
  }) => {
    // Guards come before reading.
    const refusals: string[] = []
    page.on('response', response => {
      if ([401, 403].includes(response.status())) refusals.push(`${response.status()} ${response.url()}`)
    })
    if (who === 'nobody') await page.goto('/login')
    else {
      await signIn(page, who)
      await expectNavigation(page, who)
    }
    const expectScreen = async (path: string, shown = path) => {
      await expect(page, `${who} at ${path}`).toHaveURL(new URL(shown, page.url()).href)
      // The URL may still change; the heading is rendered only once the guard has let the person in.
      await expect(page.getByRole('heading', { level: 1, name: headingOf(shown), exact: true })).toBeVisible()
    }
    const mayOpen = (path: string) => table.some(([each, may]) => each === path && may.includes(who))
    const screenFor = (path: string) => (mayOpen(path) ? path : home(who))
    for (const [path, , key] of table) {
      if (mayOpen(path) && key !== undefined) continue
      await visit(page, path)
      await expectScreen(path, screenFor(path))
    }
    if (who !== 'nobody') await expectKeys(page, who, expectScreen)
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
    // By now the code of the device's panel has loaded, so the panel could read at once.
    await visit(page, device)
    await expectScreen(device, screenFor(device))
    // The guards do the same when the address is loaded.
    const refused = ['/devices', '/admins'].find(path => screenFor(path) !== path)
    if (refused) {
      await page.goto(refused)
      await expectScreen(refused, screenFor(refused))
    }
    await page.goto('/no/such/screen')
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible()
    expect(refusals).toEqual([])
  })
}

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

test('Back after logging out, even while the login screen is loading, does not show the screen of the last session', async ({
  page,
}) => {
  test.slow()
  await test.step('Back pressed while the login screen is still loading still leads to the login', async () => {
    const release = await holdRequests(page, '**/assets/LoginScreen-*.js')
    await signInAt(page, 'admin', '/vendors')
    await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
    await logOut(page)
    await page.goBack()
    release()
    await expect(page).toHaveURL(/\/login(\?|$)/)
    await expect(page.getByRole('textbox', { name: 'Login' })).toBeVisible()
  })
  await enterLogin(page, 'admin')
  await visit(page, '/vendors')
  await test.step('Back after logging out does not show the screen of the last session', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible()
    await logOut(page)
    await page.goBack()
    await expect(page).toHaveURL(/\/(login)?$/)
  })
})
