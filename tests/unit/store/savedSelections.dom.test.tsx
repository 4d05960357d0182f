/** Selections under a name: kept for the account that saved them, also when it logs out. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../src/commands/core/commandId.ts'
import { itemOf } from '../../../src/api/lists.ts'
import type { Services } from '../../../src/commands/core/types.ts'
import { currentContext } from '../../../src/commands/core/context.ts'
import { commandOf } from '../../../src/commands/core/registry.ts'
import { showOwnersSelections, savedIn, saveSelection } from '../../../src/store/savedSelections.ts'
import { clearSelections, selections } from '../../../src/store/selection.ts'
import { clearSession, owner, setSession } from '../../../src/store/session.ts'
import { bssidOf, fleetDevice, serveFleet } from '../support/fleet.ts'
import { noRoom, persisted, persistHere } from '../support/persisted.ts'

const progress = { at: () => undefined, signal: new AbortController().signal }
const give = async (id: CommandId, input: unknown) =>
  commandOf(id)
    .prepare(currentContext(), input)
    .run({ progress } as unknown as Services)
const selection = selections.devices
const names = () => savedIn('devices').map(({ name }) => name)
const as = async (id: string | null) => {
  owner.id = id
  await showOwnersSelections()
}

beforeEach(async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'admin', login: 'admin' })
  persistHere()
  serveFleet(() => [0, 1, 2, 3].map(at => fleetDevice(at)))
  await as('u1')
})
afterEach(async () => {
  await as(null)
  vi.restoreAllMocks()
  clearSelections()
  clearSession()
})

test('saved, restored as they are now, forgotten; a name is given once', async () => {
  selection.replace(
    [0, 2, 99].map(at => itemOf('devices', fleetDevice(at) as never)),
    [],
  )
  expect(await give('select.save', { name: 'Kitchens' })).toBe('Saved 3 devices as “Kitchens”')
  await expect(give('select.save', { name: 'Kitchens' })).rejects.toThrow('already exists')
  selection.clear()
  expect(await give('select.restore', { name: 'Kitchens' })).toBe('Selected 2 devices; 1 device is no longer available')
  expect(selection.items().map(({ id }) => id)).toEqual([bssidOf(0), bssidOf(2)])
  expect(selection.from).toEqual(['“Kitchens”'])
  await give('select.forget', { name: 'Kitchens' })
  expect(names()).toEqual([])
  await expect(give('select.forget', { name: 'Kitchens' })).rejects.toThrow('There are no saved selections')
})

test('where the browser stores nothing, what is saved and forgotten says how long that lasts', async () => {
  noRoom()
  selection.replace([itemOf('devices', fleetDevice(0) as never)], [])
  const passing = ', but only until you close this page: the browser could not store it'
  expect(await give('select.save', { name: 'Kitchens' })).toBe(`Saved 1 device as “Kitchens”${passing}`)
  expect(names()).toEqual(['Kitchens'])
  expect(await give('select.forget', { name: 'Kitchens' })).toBe(`Forgot “Kitchens”${passing}`)
})

test('one that follows a search follows it again', async () => {
  const query = { search: 'A4', column: undefined, operator: 'co' }
  selection.follow(query, 9)
  expect(await give('select.save', { name: 'Ours' })).toContain('searched again when restored')
  selection.clear()
  await give('select.restore', { name: 'Ours' })
  expect(selection.query).toMatchObject({ search: 'A4', operator: 'co' })
  expect(selection.size).toBe(4)
})

test('it is the account’s own, and outlives a reload and logging out', async () => {
  await saveSelection({ name: 'Mine', entity: 'devices', ids: [bssidOf(1)] })
  expect([...persisted.keys()]).toEqual(['saved:u1'])
  await as('u2')
  expect(names()).toEqual([])
  await as('u1')
  expect(names()).toEqual(['Mine'])
  await as(null)
  expect(names()).toEqual([])
  await as('u1')
  expect(names()).toEqual(['Mine'])
})

test('what another tab has saved meanwhile stays', async () => {
  const theirs = { name: 'Theirs', entity: 'devices', ids: [bssidOf(2)] }
  persisted.set('saved:u1', [theirs])
  await saveSelection({ name: 'Mine', entity: 'devices', ids: [bssidOf(1)] })
  expect(persisted.get('saved:u1')).toMatchObject([{ name: 'Mine' }, theirs])
})

test('what is stored but makes no sense is left out', async () => {
  persisted.set('saved:u3', [{ name: 3 }])
  await as('u3')
  expect(names()).toEqual([])
})
