/**
 * Takes screenshots of every screen of the console, at three widths and in both themes, of a temporary demo server.
 * Writes them to the folder `screenshots`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { launch } from '../tests/bench/browser.ts'
import { freePort } from '../tests/support/ports.ts'
import { startServer } from '../tests/support/programs.ts'
import { demoPassword } from '../server/demo/catalogue.ts'
import type { Route } from '../src/domain/lists/route.ts'
import { routes } from '../src/domain/lists/routes.ts'
import { buildIfNeeded } from './build.ts'
import { root } from './programs.ts'

const folder = join(root, 'screenshots')
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
const themes = ['light', 'dark'] as const

interface Shot {
  readonly name: string
  readonly path: string
  /** Selector of an element to wait for before the screenshot. */
  readonly shows?: string
  /** Keys to press once the page has loaded. */
  readonly keys?: readonly string[]
}

/** The screens of administrators. */
const screens: readonly Shot[] = (Object.entries(routes) as [string, Route][])
  .filter(([, { roles }]) => roles.includes('admin'))
  .map(([id, { path }]) => ({ name: id, path }))
const withoutList = ['calendar', 'charts', 'notifications', 'jobs', 'scripts', 'settings', 'profile']
const lists = screens.filter(({ name }) => !withoutList.includes(name))

/** Screenshots by login; those of `anonymous` are taken without signing in. */
const shots: Readonly<Record<'anonymous' | 'superadmin' | 'admin' | 'vendor', readonly Shot[]>> = {
  anonymous: [
    { name: 'login', path: '/login' },
    { name: 'forgot', path: '/forgot' },
    { name: 'restore', path: '/password/restore/?token=none' },
    { name: 'confirm', path: '/email/confirm/?token=none' },
  ],
  superadmin: [{ name: 'admins', path: '/admins' }],
  admin: [
    ...screens,
    ...lists.map(({ name, path }) => ({ name: `${name}-selected`, path, keys: ['j', 'x', 'j', 'x'] })),
    { name: 'charts-selected', path: '/charts', shows: 'canvas' },
    { name: 'device', path: '/devices/30:AE:A4:04:74:8C', shows: '[role=meter]' },
    { name: 'palette', path: '/devices', keys: ['Control+k'], shows: '[role=option]' },
    { name: 'keys', path: '/devices', keys: ['?'], shows: '[role=dialog]' },
    { name: 'confirmation', path: '/users', keys: ['j', 'x', 'Delete'], shows: '[role=alertdialog]' },
    { name: 'notFound', path: '/no/such/screen' },
  ],
  vendor: [
    { name: 'vendor-devices', path: '/devices' },
    { name: 'vendor-models', path: '/devices/models' },
    { name: 'vendor-profile', path: '/profile' },
  ],
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/(admins|devices)$/)
}

/** Selector of the placeholders of rows, parts of the page, the panel and icons that are loading. */
const placeholders = '[role=grid][aria-busy=true], .skeleton, aside:empty, [data-icon=loading]'

/** Waits until the page has loaded. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(selector => document.querySelector(selector) === null, placeholders)
  await page.evaluate(() => document.fonts.ready)
}

async function takeScreenshot(page: Page, shot: Shot, name: string): Promise<void> {
  await page.goto(shot.path)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await waitUntilLoaded(page)
  for (const key of shot.keys ?? []) await page.keyboard.press(key)
  // The panel follows the selection with a delay.
  if (shot.keys?.includes('x'))
    await page.waitForFunction(() => !document.querySelector('aside h2')?.textContent.startsWith('No '))
  if (shot.shows) await page.locator(shot.shows).first().waitFor()
  await waitUntilLoaded(page)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

async function takeScreenshots(browser: Browser, baseURL: string): Promise<number> {
  let count = 0
  for (const viewport of sizes)
    for (const theme of themes)
      for (const [login, shotsOfLogin] of Object.entries(shots)) {
        const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
        await context.addInitScript(
          value => localStorage.setItem('permeate:preferences', value),
          JSON.stringify({ theme }),
        )
        const page = await context.newPage()
        if (login !== 'anonymous') await signIn(page, login)
        for (const shot of shotsOfLogin) {
          await takeScreenshot(page, shot, `${shot.name}-${viewport.width}-${theme}`)
          count++
        }
        await context.close()
      }
  return count
}

buildIfNeeded()
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
const dataDir = await mkdtemp(join(tmpdir(), 'permeate-screenshots-'))
const server = await startServer(dataDir, await freePort())
const browser = await launch()
try {
  console.log(`${await takeScreenshots(browser, server.url)} screenshots in ${folder}`)
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
