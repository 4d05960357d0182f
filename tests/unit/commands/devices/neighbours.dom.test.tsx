/** The previous and next device on the screen of a device. */
import { mutate } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import { devices } from '../../../../src/api/contract/devices.ts'
import { queryOf } from '../../../../src/api/readList.ts'
import { hasNeighbour, neighboursOf, stepFrom } from '../../../../src/commands/devices/neighbours.ts'
import { focus, resetFocus } from '../../../../src/store/focus.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const idOf = (place: number) => `30:AE:A4:00:00:${String(place).padStart(2, '0')}`
const rowsOf = (page: number) => [0, 1, 2].map(at => ({ bssid: idOf((page - 1) * 20 + at) }))
const show = (page: number) =>
  mutate([devices.list.path, queryOf(lists.devices, page)], { count: 43, data: rowsOf(page) }, { revalidate: false })
let asked: string[]

beforeEach(async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  asked = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    return new Response(JSON.stringify({ data: { count: 43, data: rowsOf(3) } }))
  })
  Object.assign(lists.devices, { page: 2, search: 'kit', column: 'description', operator: 'sw', sort: 'status' })
  await show(2)
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearSelections()
  clearSession()
  resetLists()
  resetFocus()
  clearCache()
})

test('neighbours are from the list page that was shown last', () => {
  expect(neighboursOf(idOf(21))).toEqual({
    source: 'list',
    position: 22,
    count: 43,
    previous: idOf(20),
    next: idOf(22),
  })
  expect(neighboursOf(idOf(7))).toBeUndefined()
})

test('after the last row of a page the next page is read with the same query, and the list follows', async () => {
  expect(hasNeighbour(neighboursOf(idOf(22))!, 1)).toBe(true)
  expect(await stepFrom(idOf(22), 1)).toBe(idOf(40))
  expect(lists.devices.page).toBe(3)
  expect(asked).toHaveLength(1)
  const query = Object.fromEntries(new URL(asked[0]!, 'http://x').searchParams)
  expect(query).toMatchObject({ offset: '40', search: 'kit', column: 'description', operator: 'sw', sort: 'status' })
  // Going back uses the cached page.
  expect(await stepFrom(idOf(40), -1)).toBe(idOf(22))
  expect(lists.devices.page).toBe(2)
  expect(asked).toHaveLength(1)
})

test('the first device has no previous one, and the last no next one', async () => {
  await show(1)
  lists.devices.page = 1
  expect(hasNeighbour(neighboursOf(idOf(0))!, -1)).toBe(false)
  await mutate([devices.list.path, queryOf(lists.devices, 1)], { count: 3, data: rowsOf(1) }, { revalidate: false })
  expect(hasNeighbour(neighboursOf(idOf(2))!, 1)).toBe(false)
  expect(hasNeighbour(neighboursOf(idOf(1))!, 1)).toBe(true)
})

test('a device that is no longer in the list has the neighbours of its former position', () => {
  Object.assign(focus.devices, { id: idOf(99), index: 1 })
  const here = neighboursOf(idOf(99))!
  expect(here).toMatchObject({ position: undefined, previous: idOf(20), next: idOf(21) })
  expect([hasNeighbour(here, -1), hasNeighbour(here, 1)]).toEqual([true, true])
})

test('neighbours are from the selection if several devices are selected', async () => {
  const item = (place: number) => ({ id: idOf(place), name: '', vendor: '', company: '', status: 0, platform: '' })
  selections.devices.add([item(21)])
  expect(neighboursOf(idOf(21))?.source).toBe('list')
  selections.devices.add([item(7), item(9)])
  expect(neighboursOf(idOf(7))).toEqual({
    source: 'selection',
    position: 2,
    count: 3,
    previous: idOf(21),
    next: idOf(9),
  })
  expect(hasNeighbour(neighboursOf(idOf(9))!, 1)).toBe(false)
  expect(await stepFrom(idOf(9), 1)).toBeUndefined()
  expect(neighboursOf(idOf(22))?.source).toBe('list')
})
