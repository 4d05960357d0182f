/** Selecting devices by their health. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import * as readList from '../../../../src/api/readList.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf, fleetDevice } from '../../support/fleet.ts'
import '../../support/allCommands.ts'

/** The devices of each search, by its text. */
let found: Readonly<Record<string, readonly number[]>>
const services = { progress: { report: () => undefined, signal: new AbortController().signal } } as unknown as Services

beforeEach(() => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'vendor', login: 'vendor' })
  vi.spyOn(readList, 'readList').mockImplementation((_entity, { search = '', limit = 20 }: ListQuery) => {
    const rows = (found[search] ?? []).map(at => fleetDevice(at))
    return Promise.resolve({ count: rows.length, data: rows.slice(0, Number(limit)) } as never)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  clearSelections()
  clearSession()
})

const selectBy = (input: object) => commandOf('select.health').prepare(currentContext(), input).run(services)
const selected = () => selections.devices.items().map(({ id }) => id)

test('one search is followed, so that devices that match it later are included', async () => {
  found = { Act: [1, 2, 3] }
  expect(await selectBy({ health: 'act' })).toBe('Selected 3 devices')
  expect(selections.devices.query).toEqual({ search: 'Act', column: 'health_state', operator: 'eq' })
})

test('what needs cleaning has either of two causes', async () => {
  found = { Fouling: [1, 2], Scaling: [3] }
  expect(await selectBy({ health: 'cleaning' })).toBe('Selected 3 devices')
  expect(selected()).toEqual([1, 2, 3].map(bssidOf))
  expect(selections.devices.sources).toEqual(['Needs cleaning'])
})

test('a cause can narrow a selection', async () => {
  found = { Fouling: [1, 2], 'O-ring or brine seal': [2, 3] }
  await selectBy({ health: 'fouling' })
  await selectBy({ health: 'oring', how: 'keep' })
  expect(selected()).toEqual([bssidOf(2)])
})

test('what is due in 30 days is found by the last of them', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T12:00:00Z'), toFake: ['Date'] })
  found = { '2026-12-25': [4] }
  await selectBy({ health: 'due' })
  expect(selections.devices.query).toEqual({ search: '2026-12-25', column: 'due_at', operator: 'le' })
})

test('without a match the selection stays, and a script stops', async () => {
  found = { Act: [1], Watch: [] }
  await selectBy({ health: 'act' })
  await expect(selectBy({ health: 'watch' })).rejects.toThrow('the selection is unchanged')
  expect(selections.devices.query?.search).toBe('Act')
})
