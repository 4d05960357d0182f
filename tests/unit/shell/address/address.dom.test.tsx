/** The address and what a screen shows stay in step, whichever of them changes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { onNavigation, applyAddress } from '../../../../src/shell/address/address.ts'
import { charts, showTime } from '../../../../src/store/charts.ts'
import { lists, resetLists, setPage, setSearch, sortBy } from '../../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const signIn = (userId: string, userRole: 'admin' | 'vendor' = 'admin') =>
  setSession({ accessToken: 'a', refreshToken: 'r', userId, userRole, login: userId })

/** Subscribers hear of a change after what made it. */
const heard = () => new Promise<void>(resolve => setTimeout(resolve))
const address = () => window.location.pathname + window.location.search
async function change(by: () => void) {
  by()
  await heard()
}
function move(by: () => void): Promise<unknown> {
  const moved = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
  by()
  return moved
}
const back = () => move(() => window.history.back())
const forward = () => move(() => window.history.forward())

/** As the router, or the browser, comes to an address. */
async function come(to: string) {
  window.history.pushState({ idx: 0, key: to }, '', to)
  applyAddress()
  onNavigation()
  await heard()
}

const field = document.body.appendChild(document.createElement('input'))
field.dataset.listSearch = ''

beforeEach(async () => {
  signIn('one')
  // Not amid the entries of the test before.
  await come('/settings')
})
afterEach(async () => {
  resetLists()
  showTime({ range: 'day', until: undefined, zone: 'viewer' })
  clearSession()
  field.blur()
  await heard()
})

test('Back undoes a search, an order and a page, and Forward does them again', async () => {
  await come('/devices')
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
  await heard()
  await forward()
  await forward()
  expect(lists.devices).toMatchObject({ search: 'leak', sort: 'status', direction: 'desc', page: 1 })
})

test('what Back shows adds nothing to the history', async () => {
  await come('/devices')
  await change(() => setPage(lists.devices, 2))
  const { length } = window.history
  await back()
  await heard()
  await forward()
  await heard()
  expect(window.history.length).toBe(length)
  expect(address()).toBe('/devices?page=2')
})

test('a search that is typed is one entry, and the next one is another', async () => {
  await come('/devices')
  const { length } = window.history
  field.focus()
  for (const text of ['l', 'le', 'lea', 'leak']) await change(() => setSearch(lists.devices, text))
  expect(window.history.length).toBe(length + 1)
  // The last letters may reach the list when the field has been left already.
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

test('a search that is cleared can be brought back', async () => {
  await come('/devices')
  field.focus()
  for (const text of ['l', 'leak', '']) await change(() => setSearch(lists.devices, text))
  await back()
  expect(lists.devices.search).toBe('leak')
})

test('after a turn of the page, more of the same search is another entry', async () => {
  await come('/devices')
  field.focus()
  await change(() => setSearch(lists.devices, 'le'))
  await change(() => setPage(lists.devices, 2))
  await change(() => setSearch(lists.devices, 'lea'))
  await back()
  expect(lists.devices).toMatchObject({ search: 'le', page: 2 })
})

test('an address without a query shows what was shown last, and is completed without a step', async () => {
  const { length } = window.history
  setSearch(lists.devices, 'of before')
  await come('/devices')
  expect(address()).toBe('/devices?search=of+before')
  expect(lists.devices.search).toBe('of before')
  expect(window.history.length).toBe(length + 1)
})

test('an address with a query shows what it says, and the rest as it is by default', async () => {
  Object.assign(lists.devices, { search: 'of before', sort: 'status', limit: 50 })
  await come('/devices?page=2&search=leak&colour=blue&limit=5000#top')
  expect(lists.devices).toMatchObject({ search: 'leak', sort: undefined, page: 2, limit: 20 })
  expect(address() + window.location.hash).toBe('/devices?search=leak&page=2#top')
})

test('an address that says nothing that is known is one without a query', async () => {
  setSearch(lists.devices, 'of before')
  await come('/devices?page=0&colour=blue')
  expect(lists.devices.search).toBe('of before')
  expect(address()).toBe('/devices?search=of+before')
})

test('reloaded, an address without a query shows the defaults, whatever another tab has stored since', async () => {
  await come('/devices')
  // As the page finds it when it is loaded anew.
  lists.devices.search = 'of another tab'
  applyAddress()
  expect(lists.devices.search).toBe('')
})

test('a command that goes to a screen to show something there makes one entry', async () => {
  await come('/devices?search=leak')
  const { length } = window.history
  setSearch(lists.devices, 'found')
  window.history.pushState({ idx: 1, key: 'next' }, '', '/devices')
  await heard()
  onNavigation()
  expect(window.history.length).toBe(length + 1)
  expect(address()).toBe('/devices?search=found')
  await back()
  expect(lists.devices.search).toBe('leak')
})

test('only the screen that is there writes its address', async () => {
  await come('/devices')
  await change(() => showTime({ range: 'week' }))
  await change(() => setSearch(lists.vendors, 'x'))
  expect(address()).toBe('/devices')
  await come('/charts')
  expect(address()).toBe('/charts?range=week')
  await change(() => showTime({ until: '2026-03-01T12:00:00.000Z' }))
  await back()
  expect(charts).toMatchObject({ range: 'week', until: undefined })
  await come('/settings?tab=keys')
  expect(address()).toBe('/settings?tab=keys')
})

test('what the router keeps of an entry stays, so that it takes a query for the same visit', async () => {
  await come('/devices')
  await change(() => setPage(lists.devices, 2))
  expect(window.history.state).toMatchObject({ key: '/devices', idx: 0 })
})

test('nobody sees what another person searched for, not by going back either', async () => {
  await come('/devices')
  await change(() => setSearch(lists.devices, 'secret'))
  clearSession()
  resetLists()
  await come('/login')
  signIn('two')
  await come('/devices')
  expect(lists.devices.search).toBe('')
  await back()
  await back()
  expect(window.location.pathname).toBe('/devices')
  expect(lists.devices.search).toBe('')
  expect(address()).toBe('/devices')
})

test('signed out, or where one may not be, an address is not read', async () => {
  clearSession()
  await come('/devices?search=leak')
  expect(lists.devices.search).toBe('')
  expect(address()).toBe('/devices?search=leak')
  signIn('three', 'vendor')
  await come('/users?search=leak')
  expect(lists.users.search).toBe('')
})

test('another person who signs in in another tab finds no query of the one before', async () => {
  await come('/devices')
  await change(() => setSearch(lists.devices, 'secret'))
  const { length } = window.history
  signIn('two')
  resetLists()
  await heard()
  expect(address()).toBe('/devices')
  expect(window.history.length).toBe(length)
})
