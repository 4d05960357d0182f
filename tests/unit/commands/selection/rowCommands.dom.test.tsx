/** Extending the selection past the end of a page. */
import { mutate } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import { devices } from '../../../../src/api/contract/devices.ts'
import { queryOf } from '../../../../src/api/readList.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { navigations } from '../../../../src/store/address.ts'
import { focus, resetFocus } from '../../../../src/store/focus.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf, fleetDevice } from '../../support/fleet.ts'
import '../../support/allCommands.ts'

const services = { progress: { signal: new AbortController().signal } } as unknown as Services
const selected = () => selections.devices.items().map(({ id }) => id)
/** Loads a page of two devices. */
const load = (page: number) =>
  mutate(
    [devices.list.path, queryOf(lists.devices, page)],
    { count: 4, data: [0, 1].map(at => fleetDevice((page - 1) * 2 + at)) },
    { revalidate: false },
  )
const focusRow = (at: number) => Object.assign(focus.devices, { id: bssidOf(at), index: at % 2 })
/** Extends the selection; the first press past the end turns the page. */
const extend = (id: 'list.extendDown' | 'list.extendUp') => commandOf(id).prepare(currentContext(), {}).run(services)

beforeEach(() => {
  history.replaceState(null, '', '/devices')
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  lists.devices.limit = 2
})
afterEach(() => {
  history.replaceState(null, '', '/')
  clearSelections()
  clearSession()
  resetLists()
  resetFocus()
  clearCache()
})

test('the first row of the next page is selected once it has loaded', async () => {
  await load(1)
  focusRow(1)
  const extended = extend('list.extendDown')
  await load(2)
  focusRow(2)
  await extended
  expect(selected()).toEqual([1, 2].map(bssidOf))
})

test('so is the last row of the page before', async () => {
  lists.devices.page = 2
  await load(2)
  focusRow(2)
  const extended = extend('list.extendUp')
  await load(1)
  focusRow(1)
  await extended
  expect(selected()).toEqual([2, 1].map(bssidOf))
})

test.each<[string, () => unknown]>([
  ['the page cannot be loaded', () => (focus.devices.hasFailed = true)],
  [
    'another page is opened meanwhile',
    async () => {
      lists.devices.page = 1
      await load(1)
      focusRow(0)
    },
  ],
  [
    'another screen is opened meanwhile',
    () => {
      history.replaceState(null, '', '/jobs')
      navigations.count++
    },
  ],
])('only the focused row is selected if %s', async (_, happens) => {
  await load(1)
  focusRow(1)
  const extended = extend('list.extendDown')
  await vi.waitUntil(() => lists.devices.page === 2)
  await happens()
  await extended
  expect(selected()).toEqual([bssidOf(1)])
})
