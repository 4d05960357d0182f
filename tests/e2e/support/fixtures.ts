import type { EventEmitter } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import type { Session } from '../../../src/store/session.ts'
import { callerFor, demoPassword, logIn, newCredentials, online } from './api.ts'
import { freePort } from '../../support/ports.ts'
import { createDatabase } from '../../support/postgres.ts'
import { startServer } from '../../support/programs.ts'
import type { Template } from './globalSetup.ts'
import { connectDevice, type WireDevice } from './wireDevice.ts'

export interface WorkerServer {
  /** At a domain name, without which browsers have no passkeys. */
  readonly url: string
  /** Where devices connect; another one after a restart. */
  readonly mqttPort: () => number
  /** Its data; mail goes to the outbox in it. */
  readonly dataDir: string
  /** Its database, for what the API cannot set up. */
  readonly databaseUrl: string
  /** Stops it where it still runs, and starts it again on the same address and data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Connected devices: the first ones of the list, which tests use. Connecting more takes as long as many tests. */
const connected = 400

interface OwnFixtures {
  /** Gives the test its own context, for changes that cannot be undone: a context has one clock. */
  ownContext: boolean
  /** Creates devices for this test only. Until it ends they are connected and execute commands. */
  ownDevices: (count: number) => Promise<string[]>
}
interface WorkerFixtures {
  server: WorkerServer
  /** Contexts by their options. An existing one has the console in its cache. */
  contexts: Map<string, BrowserContext>
}

/**
 * Each worker has its own server and database, so a test sees the changes of earlier tests of its worker. The browser's
 * storage is emptied after each test.
 */
export const test = base.extend<OwnFixtures, WorkerFixtures>({
  ownContext: [false, { option: true }],
  ownDevices: async ({ server }, use) => {
    const connected: WireDevice[] = []
    await use(async count => {
      const admin = await callerFor(server.url, 'admin')
      const credentials = await newCredentials(admin, count)
      for (const credential of credentials) connected.push(await connectDevice(server.mqttPort(), credential))
      const ids = credentials.map(({ bssid }) => bssid)
      await online(admin, ids)
      return ids
    })
    for (const device of connected) await device.leave()
  },
  contexts: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
    async ({}, use) => {
      const contexts = new Map<string, BrowserContext>()
      await use(contexts)
      for (const context of contexts.values()) await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ browser, server, contexts, ownContext, viewport, hasTouch, isMobile, timezoneId }, use) => {
    const options = JSON.stringify({ viewport, hasTouch, isMobile, timezoneId })
    const context = (ownContext ? undefined : contexts.get(options)) ?? (await browser.newContext())
    if (!ownContext) contexts.set(options, context)
    await use(context)
    if (ownContext) await context.close()
    else await clear(context, server.url, viewport)
  },
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await emptyPage(context)))
  },
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures needed from this pattern
    async ({}, use, { workerIndex }) => {
      const template = JSON.parse(process.env.E2E_TEMPLATE ?? '') as Template
      const dataDir = await mkdtemp(join(tmpdir(), 'permeate-e2e-'))
      await cp(template.dataDir, dataDir, { recursive: true })
      const databaseUrl = await createDatabase(template.postgres, `worker_${workerIndex}`, template.database)

      const port = await freePort()
      const url = `http://localhost:${port}`
      const start = () => startServer(dataDir, port, { devices: connected, databaseUrl, publicUrl: url })
      let running = await start()
      await use({
        url,
        mqttPort: () => running.mqttPort,
        dataDir,
        databaseUrl,
        async restart() {
          await running.stop()
          running = await start()
        },
        stop: () => running.stop(),
      })
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
})

/** The path of the page where a test starts: on the server's origin, so that storage can be filled, but not the console. */
const emptyPath = '/health'

/** Whether a test has not opened the console yet. */
export const isEmpty = (page: Page) => page.url() === 'about:blank' || new URL(page.url()).pathname === emptyPath

async function emptyPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(emptyPath)
  return page
}

type Viewport = ReturnType<Page['viewportSize']>

/** Events that a test may have listened for. */
const pageEvents = [
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'dialog',
  'console',
  'pageerror',
] as const

/**
 * Empties a context for the next test, except its cache. A new page needs a new process, so the first page is kept,
 * unless the test made changes to it that cannot be undone.
 */
async function clear(context: BrowserContext, origin: string, viewport: Viewport): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearPermissions()
  const [first, ...others] = context.pages()
  for (const page of others) await page.close()
  const page = first && (await leaveConsole(first, viewport)) ? first : await emptyPage(context)
  if (first !== page) await first?.close()
  await page.evaluate(() => sessionStorage.clear())
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
}

/** Leaves the console. Returns false if the next test needs a new page. */
async function leaveConsole(page: Page, viewport: Viewport): Promise<boolean> {
  if (page.isClosed() || JSON.stringify(page.viewportSize()) !== JSON.stringify(viewport)) return false
  if (pageEvents.some(event => (page as unknown as EventEmitter).listenerCount(event) > 0)) return false
  // A page keeps 50 addresses at most, and some tests count them.
  if ((await page.evaluate(() => history.length)) > 25) return false
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // A running job asks before its page is left.
  page.once('dialog', dialog => void dialog.accept())
  await page.goto(emptyPath)
  page.removeAllListeners('dialog')
  return true
}

export { expect }

/** Signs in through the form, by keyboard. */
export async function signInByForm(page: Page, login: string, password = demoPassword) {
  await page.goto('/')
  await enterLogin(page, login, password)
}

/** Fills in the login form, which is open, and waits for the screen that it leads to. */
export async function enterLogin(page: Page, login: string, password = demoPassword) {
  await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
  await page.keyboard.type(login)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(admins|devices)\b/)
}

/**
 * Opens the console with a new session, put where the console keeps its own: quicker than the form. Where the console is
 * open already, the form is used.
 */
export async function signIn(page: Page, login: string, password = demoPassword) {
  if (!isEmpty(page)) return signInByForm(page, login, password)
  await storeSession(page, login, password)
  await page.goto('/')
  await expect(page).toHaveURL(/\/(admins|devices)\b/)
}

/** Signs in and loads the console at a path, without loading the home screen first. */
export async function signInAt(page: Page, login: string, path: string, password = demoPassword) {
  await storeSession(page, login, password)
  await page.goto(path)
}

/** Starts a session and puts it where the console keeps its own, on a page that does not show the console yet. */
async function storeSession(page: Page, login: string, password: string) {
  if (page.url() === 'about:blank') await page.goto(emptyPath)
  const tokens = await logIn(new URL(page.url()).origin, login, password)
  const session: Session = {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    userId: tokens.user_id,
    userRole: tokens.user_role,
    login,
  }
  const stored = { session, owner: { id: tokens.user_id } }
  await page.evaluate(states => {
    for (const [name, state] of Object.entries(states)) localStorage.setItem(`permeate:${name}`, JSON.stringify(state))
  }, stored)
}

/** Logs out by keyboard, and waits until the session has ended. */
export async function logOut(page: Page) {
  await page.keyboard.press('g')
  await page.keyboard.press('q')
  await expect(page).toHaveURL(/\/login(\?|$)/)
}

/** Navigates within the open console, which is much faster than loading it. */
export const visit = (page: Page, path: string) =>
  page.evaluate(address => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
