/** Access tokens that expire while calls are pending. */
import type { BrowserContext, Page, Route } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { grid, header, loaded } from '../support/devices.ts'
import { intercepts } from '../support/intercept.ts'

// Listeners on a context cannot be removed.
test.use({ ownContext: true })

/** Ten columns of the list; a click on each requests another sort order from the server. */
const columns = [
  'Status',
  'Model',
  'Company',
  'Recovery (%)',
  'Rejection (%)',
  'Temp. (°C)',
  'Press. (bar)',
  'Feed TDS (ppm)',
  'Perm. TDS (ppm)',
  'Permeate (l)',
]
/** Returns the sort column of a request for a list's first page; null for other calls, such as an unsorted list or the next page's prefetch. */
function sortOf(url: string): string | null {
  const query = new URL(url).searchParams
  return (query.get('offset') === '0' && query.get('sort')) || null
}

/**
 * Holds every request for devices until ten sorted lists have been requested, so that all ten are pending at once. Then
 * runs `before` and passes each request to `send`.
 */
async function holdTen(
  context: BrowserContext,
  send: (route: Route) => Promise<void>,
  before: () => Promise<void> = async () => {},
) {
  const held: Route[] = []
  let flowing = false
  await context.route('**/api/v3/devices?*', async route => {
    if (flowing) return send(route)
    held.push(route)
    // A change of a device may cause a list to be requested twice.
    const sorts = new Set(held.map(each => sortOf(each.request().url())))
    sorts.delete(null)
    // The order of the list before: without the stream it is polled.
    sorts.delete('bssid')
    if (sorts.size < columns.length) return undefined
    flowing = true
    await before()
    await Promise.all(held.map(send))
  })
  for (const page of context.pages()) await intercepts(page)
}

/** Collects the statuses of token refreshes, and those of the sorted lists by sort column. */
function recordResponses(context: BrowserContext) {
  const refreshes: number[] = []
  const sorted = new Map<string, number[]>()
  context.on('response', response => {
    if (response.url().endsWith('/auth/refresh')) refreshes.push(response.status())
    const sort = sortOf(response.url())
    if (sort) sorted.set(sort, [...(sorted.get(sort) ?? []), response.status()])
  })
  return { refreshes, sorted }
}

async function sortBy(page: Page, names: readonly string[]) {
  for (const [at, name] of names.entries()) {
    await header(page, name).getByRole('button').click()
    // Waits, since a list is not requested if the next click comes first. The last click may end the session.
    if (at < names.length - 1) await expect(header(page, name)).toHaveAttribute('aria-sort', 'ascending')
  }
}

/** Simulates the expiry of the current token: returns a `send` that replaces it with an unknown one. */
async function expire(page: Page) {
  const request = page.waitForRequest(/\/api\/v3\/devices\?/)
  await page.reload()
  const expired = (await request).headers()['access-token']
  await loaded(page)
  return async (route: Route) => {
    const headers = route.request().headers()
    await route.continue(
      headers['access-token'] === expired ? { headers: { ...headers, 'access-token': 'expired' } } : {},
    )
  }
}

test('when the token expires during ten pending calls of two tabs, it is refreshed once for both, and all are answered', async ({
  page,
  context,
}) => {
  await signIn(page, 'admin')
  const second = await context.newPage()
  await second.goto('/devices')
  await loaded(second)
  await holdTen(context, await expire(page))
  const { refreshes, sorted } = recordResponses(context)
  await sortBy(page, columns.slice(0, 5))
  await second.bringToFront()
  await sortBy(second, columns.slice(5))
  await expect
    .poll(() => [...sorted.values()].filter(statuses => statuses.includes(200)).length, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(columns.length)
  // The ten that were pending; one more list may be read once the token is new.
  const pending = [...sorted].filter(([, statuses]) => statuses.includes(401))
  expect(pending.length).toBeGreaterThanOrEqual(columns.length)
  for (const [sort, statuses] of pending) {
    // If a list was requested twice, both requests were pending and both were answered.
    const refused = statuses.filter(status => status === 401)
    expect(refused.length, `the list by ${sort}`).toBeGreaterThan(0)
    expect(statuses.slice(0, refused.length), `the list by ${sort}`).toEqual(refused)
    const answered = () => sorted.get(sort)!.filter(status => status === 200)
    await expect.poll(() => answered().length).toBeGreaterThanOrEqual(refused.length)
  }
  expect(refreshes).toEqual([200])
  for (const tab of [page, second]) await expect(tab).toHaveURL(/\/devices(\?|$)/)
  // Both tabs use the new tokens.
  for (const tab of [page, second]) {
    await tab.bringToFront()
    await tab.reload()
    await loaded(tab)
    await expect(grid(tab)).toHaveAttribute('aria-rowcount', /\d{4}/)
  }
  expect(refreshes).toEqual([200])
})

test('a refresh without an answer shows that the server is out of reach; one that fails leads to the login, and no pending call is sent again', async ({
  page,
  context,
}) => {
  // Without this, the stream would notice the end of the session first.
  await context.route('**/api/v3/stream', route => route.abort())
  await signIn(page, 'admin')
  const listRequest = page.waitForRequest(/\/api\/v3\/devices\?/)
  await page.reload()
  const token = (await listRequest).headers()['access-token'] ?? ''
  await loaded(page)
  const { refreshes, sorted } = recordResponses(context)
  // Ends the session from outside, so that the server rejects both of its tokens.
  const endSession = async () => {
    const ended = await page.request.post('/api/v3/auth/logout', { headers: { 'access-token': token }, data: {} })
    expect(ended.status()).toBe(200)
  }
  let attempts = 0
  await context.route('**/auth/refresh', route =>
    ++attempts === 1 ? route.abort() : route.fulfill({ status: 500, json: { message: 'Broken' } }),
  )
  await holdTen(context, route => route.continue(), endSession)
  await sortBy(page, columns)
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('offline, trying again')
  // Ends the pause before the next attempt.
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page).toHaveURL(/\/login(\?|$)/)
  expect(refreshes).toEqual([500])
  await expect(page.getByRole('banner')).toHaveCount(0)
  // After the next login, the list requests only its last sort order again.
  await page.getByRole('textbox', { name: 'Login' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill('permeate-demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await loaded(page)
  // Without the stream, the list that was shown before is polled: it may be pending, too, or have been answered before.
  const { permeate, bssid: polled = [], ...others } = Object.fromEntries(sorted)
  expect(permeate?.[0]).toBe(401)
  expect(Object.keys(others)).toHaveLength(columns.length - 1)
  for (const [sort, statuses] of Object.entries(others))
    expect(new Set(statuses), `the list by ${sort}`).toEqual(new Set([401]))
  expect(
    polled.toSorted((one, other) => one - other),
    'the polled list',
  ).toEqual(polled)
  expect(refreshes).toEqual([500])
})
