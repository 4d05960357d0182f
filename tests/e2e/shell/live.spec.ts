/** What others do shows by itself: through the stream, or by polling where there is none. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices, unique, type Caller } from '../support/api.ts'
import { columnValues, focusDevice, grid, loaded, panel, row, searchFor, shownDevices } from '../support/devices.ts'
import { expect, logOut, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'

const dot = (page: Page) => page.getByRole('banner').getByRole('status')
const streamAddress = '**/api/v3/stream'
/** Shorter than the time until lists are polled. */
const atOnce = { timeout: 8_000 }
const whenPolled = { timeout: 25_000 }

/** Another session of the vendor's, elsewhere. */
const elsewhere = (url: string) => callerFor(url, 'vendor')
const describe = (caller: Caller, bssid: string, description: string) =>
  caller.call('PUT', `/api/v3/devices/${bssid}`, { description })

async function oneDevice(url: string): Promise<string> {
  const [bssid] = await newDevices(await callerFor(url, 'admin'), 1)
  return bssid!
}

/** Calls for the list from now on. */
function countLists(page: Page) {
  const calls: string[] = []
  page.on('request', request => {
    if (/\/api\/v3\/devices\?/.test(request.url())) calls.push(request.url())
  })
  return calls
}

/** As a browser tells a page that it is out of sight, or back. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate(now => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (now ? 'hidden' : 'visible') })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('what another changes shows in the table, the panel and the device’s own screen, without any reading', async ({
  page,
  context,
  server,
}) => {
  const bssid = await oneDevice(server.url)
  const other = await elsewhere(server.url)
  await signIn(page, 'admin')
  await loaded(page)
  await expect(dot(page)).toHaveText('live')
  await focusDevice(page, bssid)
  await expect(panel(page)).toContainText('Made for a test')
  const second = await context.newPage()
  await second.goto(`/devices/${bssid}`)
  await expect(dot(second)).toHaveText('live')
  await expect(second.getByRole('main')).toContainText('Made for a test')
  await loaded(page)
  const calls = countLists(page)

  const text = unique('Under the sink')
  await describe(other, bssid, text)
  await expect(panel(page)).toContainText(text, atOnce)
  await expect(second.getByRole('main')).toContainText(text, atOnce)
  expect(await columnValues(page, 'Description')).toEqual([text])
  expect(calls).toEqual([])
  await expect(row(page, bssid)).toBeFocused()
})

test('what another deletes is gone, and the row in its place takes over', async ({ page, server }) => {
  const word = unique('Leaving')
  const admin = await callerFor(server.url, 'admin')
  const ids = (await newDevices(admin, 3)).toSorted((one, next) => (one < next ? -1 : 1))
  for (const bssid of ids) await describe(admin, bssid, word)
  await signIn(page, 'admin')
  await loaded(page)
  await expect(dot(page)).toHaveText('live')
  await page.getByRole('combobox', { name: 'Search column' }).selectOption('Description')
  await searchFor(page, word, 3)
  await expect(row(page, ids[0]!)).toBeFocused()
  await admin.call('DELETE', '/api/v3/devices', { ids: [ids[0]] })
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '2', atOnce)
  expect(await shownDevices(page)).toEqual(ids.slice(1))
})

test('a stream that is blocked: polling goes on, and the stream comes back by itself', async ({ page, server }) => {
  test.setTimeout(90_000)
  const bssid = await oneDevice(server.url)
  const other = await elsewhere(server.url)
  await intercept(page, streamAddress, route => route.abort())
  await signIn(page, 'admin')
  await loaded(page)
  await expect(dot(page)).toHaveText('polling')
  await expect(dot(page)).toHaveAttribute('title', /every 15 s/)
  await focusDevice(page, bssid)
  const polled = unique('Polled')
  await describe(other, bssid, polled)
  await expect(panel(page)).toContainText(polled, whenPolled)
  await expect.poll(() => columnValues(page, 'Description'), whenPolled).toEqual([polled])
  await expect(dot(page)).toHaveText('polling')

  await page.unroute(streamAddress)
  await expect(dot(page)).toHaveText('live', { timeout: 40_000 })
  const told = unique('Told')
  await describe(other, bssid, told)
  await expect(panel(page)).toContainText(told, atOnce)
})

test('a tab out of sight gives its connection back, and hears again when it is seen', async ({ page, server }) => {
  test.setTimeout(60_000)
  const bssid = await oneDevice(server.url)
  await signIn(page, 'admin')
  await loaded(page)
  await expect(dot(page)).toHaveText('live')
  await focusDevice(page, bssid)
  await setHidden(page, true)
  await expect(dot(page)).toHaveText('polling', { timeout: 20_000 })
  const text = unique('Unseen')
  await describe(await elsewhere(server.url), bssid, text)
  await setHidden(page, false)
  await expect(dot(page)).toHaveText('live', atOnce)
  await expect(panel(page)).toContainText(text, atOnce)
})

test('leaving the session closes the stream; a superadmin has none', async ({ page }) => {
  const opened: string[] = []
  const closed: string[] = []
  page.on('request', request => request.url().endsWith('/stream') && opened.push(request.url()))
  page.on('requestfailed', request => request.url().endsWith('/stream') && closed.push(request.url()))
  await signIn(page, 'admin')
  await loaded(page)
  await expect(dot(page)).toHaveText('live')
  expect(opened).toHaveLength(1)
  expect(closed).toEqual([])
  await logOut(page)
  await expect.poll(() => closed.length).toBe(1)
  await signIn(page, 'superadmin')
  await expect(dot(page)).toHaveText('polling')
  expect(opened).toHaveLength(1)
})
