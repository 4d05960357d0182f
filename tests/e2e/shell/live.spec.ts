/** Changes by others appear without a reload: through the event stream, or by polling if there is none. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices, unique, type Caller } from '../support/api.ts'
import { focusDevice, grid, loaded, panel, row, searchFor, shownDevices, clearList } from '../support/devices.ts'
import { columnValues } from '../support/lists.ts'
import { expect, logOut, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'

const connection = (page: Page) => page.getByRole('banner').getByRole('status')
const streamAddress = '**/api/v3/stream'
/** Shorter than the polling interval of lists. */
const withoutPolling = { timeout: 8_000 }
const whenPolled = { timeout: 25_000 }

/** Starts another session of the vendor. */
const otherSession = (url: string) => callerFor(url, 'vendor')
const setDescription = (caller: Caller, bssid: string, description: string) =>
  caller.call('PUT', `/api/v3/devices/${bssid}`, { description })

/** Creates a device and returns its id. */
async function newDevice(url: string): Promise<string> {
  const [bssid] = await newDevices(await callerFor(url, 'admin'), 1)
  return bssid!
}

/**
 * Collects the requests for the list of devices from now on; without those of jobs that other tests have left running, which
 * read their devices by keys.
 */
function listRequests(page: Page) {
  const calls: string[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v3/devices' && searchParams.get('operator') !== 'ge') calls.push(request.url())
  })
  return calls
}

/** Makes the page hidden or visible, with the event that a browser fires. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate(now => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (now ? 'hidden' : 'visible') })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('a change and a deletion by other people appear without reloading the list, also after the tab was hidden', async ({
  page,
  context,
  server,
}) => {
  test.slow()
  await test.step('a change by another person appears in the table, the panel and the device’s screen, without reloading the list', async () => {
    const bssid = await newDevice(server.url)
    const other = await otherSession(server.url)
    await signIn(page, 'admin')
    await loaded(page)
    await expect(connection(page)).toHaveText('live')
    await focusDevice(page, bssid)
    await expect(panel(page)).toContainText('Made for a test')
    const second = await context.newPage()
    await second.goto(`/devices/${bssid}`)
    await expect(connection(second)).toHaveText('live')
    await expect(second.getByRole('main')).toContainText('Made for a test')
    await loaded(page)
    const calls = listRequests(page)

    const text = unique('Under the sink')
    await setDescription(other, bssid, text)
    await expect(panel(page)).toContainText(text, withoutPolling)
    await expect(second.getByRole('main')).toContainText(text, withoutPolling)
    expect(await columnValues(page, 'Description')).toEqual([text])
    expect(calls).toEqual([])
    await expect(row(page, bssid)).toBeFocused()
  })
  await clearList(page)
  await test.step('a hidden tab closes its stream, and opens it again when it becomes visible', async () => {
    const bssid = await newDevice(server.url)
    await expect(connection(page)).toHaveText('live')
    await focusDevice(page, bssid)
    await setHidden(page, true)
    await expect(connection(page)).toHaveText('polling', { timeout: 20_000 })
    const text = unique('Unseen')
    await setDescription(await otherSession(server.url), bssid, text)
    await setHidden(page, false)
    await expect(connection(page)).toHaveText('live', withoutPolling)
    await expect(panel(page)).toContainText(text, withoutPolling)
  })
  await clearList(page)
  await test.step('a device that another person deletes disappears from the list, and the next rows move up', async () => {
    const word = unique('Leaving')
    const admin = await callerFor(server.url, 'admin')
    const ids = (await newDevices(admin, 3)).toSorted((one, next) => (one < next ? -1 : 1))
    for (const bssid of ids) await setDescription(admin, bssid, word)
    await expect(connection(page)).toHaveText('live')
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Description')
    await searchFor(page, word, 3)
    await expect(row(page, ids[0]!)).toBeFocused()
    await admin.call('DELETE', '/api/v3/devices', { ids: [ids[0]] })
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2', withoutPolling)
    expect(await shownDevices(page)).toEqual(ids.slice(1))
  })
})

test('while the stream is blocked the console polls, and it reconnects to the stream by itself', async ({
  page,
  server,
}) => {
  test.setTimeout(90_000)
  const bssid = await newDevice(server.url)
  const other = await otherSession(server.url)
  await intercept(page, streamAddress, route => route.abort())
  await signIn(page, 'admin')
  await loaded(page)
  await expect(connection(page)).toHaveText('polling')
  await expect(connection(page)).toHaveAttribute('title', /every 15 s/)
  await focusDevice(page, bssid)
  const polled = unique('Polled')
  await setDescription(other, bssid, polled)
  await expect(panel(page)).toContainText(polled, whenPolled)
  await expect.poll(() => columnValues(page, 'Description'), whenPolled).toEqual([polled])
  await expect(connection(page)).toHaveText('polling')

  await page.unroute(streamAddress)
  await expect(connection(page)).toHaveText('live', { timeout: 40_000 })
  const streamed = unique('Told')
  await setDescription(other, bssid, streamed)
  await expect(panel(page)).toContainText(streamed, withoutPolling)
})

test('signing out closes the stream, and a superadmin has no stream', async ({ page }) => {
  const opened: string[] = []
  const closed: string[] = []
  page.on('request', request => request.url().endsWith('/stream') && opened.push(request.url()))
  page.on('requestfailed', request => request.url().endsWith('/stream') && closed.push(request.url()))
  await signIn(page, 'admin')
  await loaded(page)
  await expect(connection(page)).toHaveText('live')
  expect(opened).toHaveLength(1)
  expect(closed).toEqual([])
  await logOut(page)
  await expect.poll(() => closed.length).toBe(1)
  await signIn(page, 'superadmin')
  // Nothing is missing for a role without live updates, so nothing is said about them.
  await expect(page.getByRole('banner').getByRole('button', { name: /^Account/ })).toBeVisible()
  await expect(connection(page)).toHaveCount(0)
  expect(opened).toHaveLength(1)
})
