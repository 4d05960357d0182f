/** The URL and the state of a screen follow each other. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { onNavigation, applyAddress } from '../../../../src/shell/address/address.ts'
import { charts, showTime } from '../../../../src/store/charts.ts'
import { lists, resetLists, setPage, setSearch, sortBy } from '../../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const signIn = (userId: string, userRole: 'admin' | 'vendor' = 'admin') =>
  setSession({ accessToken: 'a', refreshToken: 'r', userId, userRole, login: userId })

/** Valtio notifies subscribers asynchronously. */
const settled = () => new Promise<void>(resolve => setTimeout(resolve))
const address = () => window.location.pathname + window.location.search
async function change(action: () => void) {
  action()
  await settled()
}
function traverse(action: () => void): Promise<unknown> {
  const moved = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
  action()
  return moved
}
const back = () => traverse(() => window.history.back())
const forward = () => traverse(() => window.history.forward())

/** Navigates as the router or the browser would. */
async function navigateTo(to: string) {
  window.history.pushState({ idx: 0, key: to }, '', to)
  applyAddress()
  onNavigation()
  await settled()
}

const field = document.body.appendChild(document.createElement('input'))
field.dataset.listSearch = ''

beforeEach(async () => {
  signIn('one')
  // Ends the history entry of the previous test.
  await navigateTo('/settings')
})
afterEach(async () => {
  resetLists()
  showTime({ range: 'day', until: undefined, zone: 'viewer' })
  clearSession()
  field.blur()
  await settled()
})

test('Back undoes a search, a sort and a page, and Forward redoes them', async () => {
  await navigateTo('/devices')
  await change(() => setSearch(lists.devices, 'leak'))
  await change(() => sortBy(lists.devices, 'status', 'desc'))
  await change(() => setPage(lists.devices, 2))
  await change(() => setPage(lists.devices, 3))
  expect(address()).toBe('/devices?search=leak&sort=status&direction=desc&page=3')
  await back()
  expect(lists.devices.page).toBe(2)
  await back()
  await back()
  expect(lists.devices).toMatchObject({ search: 'leak', sort: undefined, page: 1 })
  await back()
  expect(lists.devices.search).toBe('')
  expect(address()).toBe('/devices')
  await settled()
  await forward()
  await forward()
  expect(lists.devices).toMatchObject({ search: 'leak', sort: 'status', direction: 'desc', page: 1 })
})

test('going Back adds no history entry', async () => {
  await navigateTo('/devices')
  await change(() => setPage(lists.devices, 2))
  const { length } = window.history
  await back()
  await settled()
  await forward()
  await settled()
  expect(window.history.length).toBe(length)
  expect(address()).toBe('/devices?page=2')
})

test('typing a search adds one history entry, and the next search another', async () => {
  await navigateTo('/devices')
  const { length } = window.history
  field.focus()
  for (const text of ['l', 'le', 'lea', 'leak']) await change(() => setSearch(lists.devices, text))
  expect(window.history.length).toBe(length + 1)
  // The last letters may reach the list after the field has lost focus.
  field.blur()
  await change(() => setSearch(lists.devices, 'leaks'))
  expect(window.history.length).toBe(length + 1)
  field.focus()
  for (const text of ['k', 'ki', 'kit']) await change(() => setSearch(lists.devices, text))
  expect(window.history.length).toBe(length + 2)
  await back()
  expect(lists.devices.search).toBe('leaks')
  await back()
  expect(lists.devices.search).toBe('')
})

test('Back restores a search that was cleared', async () => {
  await navigateTo('/devices')
  field.focus()
  for (const text of ['l', 'leak', '']) await change(() => setSearch(lists.devices, text))
  await back()
  expect(lists.devices.search).toBe('leak')
})

test('typing more of a search after changing the page adds another history entry', async () => {
  await navigateTo('/devices')
  field.focus()
  await change(() => setSearch(lists.devices, 'le'))
  await change(() => setPage(lists.devices, 2))
  await change(() => setSearch(lists.devices, 'lea'))
  await back()
  expect(lists.devices).toMatchObject({ search: 'le', page: 2 })
})

test('a URL without a query keeps the screen’s state, which is added to it without a history entry', async () => {
  const { length } = window.history
  setSearch(lists.devices, 'of before')
  await navigateTo('/devices')
  expect(address()).toBe('/devices?search=of+before')
  expect(lists.devices.search).toBe('of before')
  expect(window.history.length).toBe(length + 1)
})

test('a URL with a query sets its parameters, and resets all others', async () => {
  Object.assign(lists.devices, { search: 'of before', sort: 'status', limit: 50 })
  await navigateTo('/devices?page=2&search=leak&colour=blue&limit=5000#top')
  expect(lists.devices).toMatchObject({ search: 'leak', sort: undefined, page: 2, limit: 20 })
  expect(address() + window.location.hash).toBe('/devices?search=leak&page=2#top')
})

test('a URL with only unknown or invalid parameters counts as one without a query', async () => {
  setSearch(lists.devices, 'of before')
  await navigateTo('/devices?page=0&colour=blue')
  expect(lists.devices.search).toBe('of before')
  expect(address()).toBe('/devices?search=of+before')
})

test('a reloaded URL without a query shows the defaults, not the state of another tab', async () => {
  await navigateTo('/devices')
  // As the page is after a reload.
  lists.devices.search = 'of another tab'
  applyAddress()
  expect(lists.devices.search).toBe('')
})

test('a command that changes a screen and navigates to it adds one history entry', async () => {
  await navigateTo('/devices?search=leak')
  const { length } = window.history
  setSearch(lists.devices, 'found')
  window.history.pushState({ idx: 1, key: 'next' }, '', '/devices')
  await settled()
  onNavigation()
  expect(window.history.length).toBe(length + 1)
  expect(address()).toBe('/devices?search=found')
  await back()
  expect(lists.devices.search).toBe('leak')
})

test('only the current screen changes the URL', async () => {
  await navigateTo('/devices')
  await change(() => showTime({ range: 'week' }))
  await change(() => setSearch(lists.vendors, 'x'))
  expect(address()).toBe('/devices')
  await navigateTo('/charts')
  expect(address()).toBe('/charts?range=week')
  await change(() => showTime({ until: '2026-03-01T12:00:00.000Z' }))
  await back()
  expect(charts).toMatchObject({ range: 'week', until: undefined })
  await navigateTo('/settings?tab=keys')
  expect(address()).toBe('/settings?tab=keys')
})

test('the router’s history state is kept, so that a new query does not count as a navigation', async () => {
  await navigateTo('/devices')
  await change(() => setPage(lists.devices, 2))
  expect(window.history.state).toMatchObject({ key: '/devices', idx: 0 })
})

test('another person’s search is not shown, not even by going Back', async () => {
  await navigateTo('/devices')
  await change(() => setSearch(lists.devices, 'secret'))
  clearSession()
  resetLists()
  await navigateTo('/login')
  signIn('two')
  await navigateTo('/devices')
  expect(lists.devices.search).toBe('')
  await back()
  await back()
  expect(window.location.pathname).toBe('/devices')
  expect(lists.devices.search).toBe('')
  expect(address()).toBe('/devices')
})

test('a URL is not applied when signed out or on a screen that the role may not see', async () => {
  clearSession()
  await navigateTo('/devices?search=leak')
  expect(lists.devices.search).toBe('')
  expect(address()).toBe('/devices?search=leak')
  signIn('three', 'vendor')
  await navigateTo('/users?search=leak')
  expect(lists.users.search).toBe('')
})

test('the query is removed from the URL when another person signs in in another tab', async () => {
  await navigateTo('/devices')
  await change(() => setSearch(lists.devices, 'secret'))
  const { length } = window.history
  signIn('two')
  resetLists()
  await settled()
  expect(address()).toBe('/devices')
  expect(window.history.length).toBe(length)
})
