/** Access tokens that run out while calls are under way. */
import type { BrowserContext, Page, Route } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { grid, header, loaded } from '../support/devices.ts'
import { intercepts } from '../support/intercept.ts'

// What listens to all tabs stays with their context.
test.use({ ownContext: true })

/** Ten columns of the list; a click on each asks the server for another order. */
const columns = [
  'Status',
  'Model',
  'Company',
  'Recovery %',
  'Rejection %',
  'Temp. °C',
  'Press. bar',
  'Feed TDS ppm',
  'Perm. TDS ppm',
  'Permeate l',
]
/** What a list's first page is sorted by; nothing for other calls, such as that for the page after it. */
function sortOf(url: string): string | null {
  const query = new URL(url).searchParams
  return query.get('offset') === '0' ? query.get('sort') : null
}

/**
 * Holds back every call for devices until ten sorted lists are asked for, as a slow line does, so that all ten are
 * under way at once. `before` is what happens then, and `send` says how each goes out afterwards.
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
    // What devices do may have a list read twice.
    const sorts = new Set(held.map(each => sortOf(each.request().url())))
    sorts.delete(null)
    if (sorts.size < columns.length) return undefined
    flowing = true
    await before()
    await Promise.all(held.map(send))
  })
  for (const page of context.pages()) await intercepts(page)
}

function answers(context: BrowserContext) {
  const refreshes: number[] = []
  const sorted = new Map<string, number[]>()
  context.on('response', answer => {
    if (answer.url().endsWith('/auth/refresh')) refreshes.push(answer.status())
    const sort = sortOf(answer.url())
    if (sort) sorted.set(sort, [...(sorted.get(sort) ?? []), answer.status()])
  })
  return { refreshes, sorted }
}

async function sortBy(page: Page, names: readonly string[]) {
  for (const [at, name] of names.entries()) {
    await header(page, name).getByRole('button').click()
    // A list that is not shown before the next click is not asked for; the last may end the session.
    if (at < names.length - 1) await expect(header(page, name)).toHaveAttribute('aria-sort', 'ascending')
  }
}

/** Time runs out for the token in use: from now on the server gets another in its place, one that it does not know. */
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

test('ten calls under way when the token expires: one refresh, all ten answered', async ({ page, context }) => {
  await signIn(page, 'admin')
  await holdTen(context, await expire(page))
  const { refreshes, sorted } = answers(context)
  await sortBy(page, columns)
  await expect
    .poll(() => [...sorted.values()].filter(statuses => statuses.includes(200)).length, { timeout: 20_000 })
    .toBe(columns.length)
  for (const [sort, statuses] of sorted) {
    // Where a list was read twice, both calls were under way and both were answered.
    const refused = statuses.filter(status => status === 401)
    expect(refused.length, `the list by ${sort}`).toBeGreaterThan(0)
    expect(statuses.slice(0, refused.length), `the list by ${sort}`).toEqual(refused)
    await expect.poll(() => statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(refused.length)
  }
  expect(refreshes).toEqual([200])
  await expect(header(page, 'Permeate l')).toHaveAttribute('aria-sort', 'ascending')
  await loaded(page)
  await expect(page).toHaveURL(/\/devices(\?|$)/)
})

test('ten calls from two tabs: still one refresh, which both use', async ({ page, context }) => {
  await signIn(page, 'admin')
  const second = await context.newPage()
  await second.goto('/devices')
  await loaded(second)
  await holdTen(context, await expire(page))
  const { refreshes, sorted } = answers(context)
  await sortBy(page, columns.slice(0, 5))
  await second.bringToFront()
  await sortBy(second, columns.slice(5))
  await expect
    .poll(() => [...sorted.values()].filter(statuses => statuses.includes(200)).length, { timeout: 20_000 })
    .toBe(columns.length)
  expect(refreshes).toEqual([200])
  for (const tab of [page, second]) await expect(tab).toHaveURL(/\/devices(\?|$)/)
  // Both go on with the new tokens.
  for (const tab of [page, second]) {
    await tab.bringToFront()
    await tab.reload()
    await loaded(tab)
    await expect(grid(tab)).toHaveAttribute('aria-rowcount', /\d{4}/)
  }
  expect(refreshes).toEqual([200])
})

test('a refresh that fails leads back to the login, and nothing that waited is sent again', async ({
  page,
  context,
}) => {
  // The stream would notice the end of the session by itself.
  await context.route('**/api/v3/stream', route => route.abort())
  await signIn(page, 'admin')
  const asked = page.waitForRequest(/\/api\/v3\/devices\?/)
  await page.reload()
  const token = (await asked).headers()['access-token'] ?? ''
  await loaded(page)
  const { refreshes, sorted } = answers(context)
  // The session is ended elsewhere: neither of its tokens is known to the server any more.
  const endSession = async () => {
    const ended = await page.request.post('/api/v3/auth/logout', { headers: { 'access-token': token }, data: {} })
    expect(ended.status()).toBe(200)
  }
  await holdTen(context, route => route.continue(), endSession)
  await sortBy(page, columns)
  await expect(page).toHaveURL(/\/login(\?|$)/)
  expect(refreshes).toEqual([401])
  await expect(page.getByRole('banner')).toHaveCount(0)
  // Signed in again, the list asks anew for the order it was left in, and for no other.
  await page.getByRole('textbox', { name: 'Login' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill('permeate-demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await loaded(page)
  const { permeate, ...others } = Object.fromEntries(sorted)
  expect(permeate?.[0]).toBe(401)
  expect(Object.keys(others)).toHaveLength(columns.length - 1)
  for (const [sort, statuses] of Object.entries(others))
    expect(new Set(statuses), `the list by ${sort}`).toEqual(new Set([401]))
  expect(refreshes).toEqual([401])
})
