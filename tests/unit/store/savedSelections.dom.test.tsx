/** Saved selections belong to the account that saved them and survive signing out. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../src/commands/core/commandId.ts'
import { itemOf } from '../../../src/api/lists.ts'
import type { Services } from '../../../src/commands/core/types.ts'
import { currentContext } from '../../../src/commands/core/context.ts'
import { commandOf } from '../../../src/commands/core/registry.ts'
import { loadOwnSelections, savedSelectionsOf, saveSelection } from '../../../src/store/savedSelections.ts'
import { clearSelections, selections } from '../../../src/store/selection.ts'
import { clearSession, owner, setSession } from '../../../src/store/session.ts'
import { bssidOf, fleetDevice, serveFleet } from '../support/fleet.ts'
import { failPersistence, persisted, mockPersistence } from '../support/persisted.ts'

const progress = { report: () => undefined, signal: new AbortController().signal }
const runWith = async (id: CommandId, input: unknown) =>
  commandOf(id)
    .prepare(currentContext(), input)
    .run({ progress } as unknown as Services)
const selection = selections.devices
const names = () => savedSelectionsOf('devices').map(({ name }) => name)
const switchTo = async (id: string | null) => {
  owner.id = id
  await loadOwnSelections()
}

beforeEach(async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'admin', login: 'admin' })
  mockPersistence()
  serveFleet(() => [0, 1, 2, 3].map(at => fleetDevice(at)))
  await switchTo('u1')
})
afterEach(async () => {
  await switchTo(null)
  vi.restoreAllMocks()
  clearSelections()
  clearSession()
})

test('selections can be saved, restored with the devices that still exist, and forgotten; a name is unique', async () => {
  selection.replace(
    [0, 2, 99].map(at => itemOf('devices', fleetDevice(at) as never)),
    [],
  )
  expect(await runWith('select.save', { name: 'Kitchens' })).toBe('Saved 3 devices as “Kitchens”')
  await expect(runWith('select.save', { name: 'Kitchens' })).rejects.toThrow('already exists')
  selection.clear()
  expect(await runWith('select.restore', { name: 'Kitchens' })).toBe(
    'Selected 2 devices; 1 device is no longer available',
  )
  expect(selection.items().map(({ id }) => id)).toEqual([bssidOf(0), bssidOf(2)])
  expect(selection.sources).toEqual(['“Kitchens”'])
  await runWith('select.forget', { name: 'Kitchens' })
  expect(names()).toEqual([])
  await expect(runWith('select.forget', { name: 'Kitchens' })).rejects.toThrow('There are no saved selections')
})

test('without room in the storage, saving and forgetting say that the change lasts until the page is closed', async () => {
  failPersistence()
  selection.replace([itemOf('devices', fleetDevice(0) as never)], [])
  const notStored = ', but only until you close this page: the browser could not store it'
  expect(await runWith('select.save', { name: 'Kitchens' })).toBe(`Saved 1 device as “Kitchens”${notStored}`)
  expect(names()).toEqual(['Kitchens'])
  expect(await runWith('select.forget', { name: 'Kitchens' })).toBe(`Deleted “Kitchens”${notStored}`)
})

test('a saved followed search is followed again when restored', async () => {
  const query = { search: 'A4', column: undefined, operator: 'co' }
  selection.follow(query, 9)
  expect(await runWith('select.save', { name: 'Ours' })).toContain('searched again when restored')
  selection.clear()
  await runWith('select.restore', { name: 'Ours' })
  expect(selection.query).toMatchObject({ search: 'A4', operator: 'co' })
  expect(selection.size).toBe(4)
})

test('a saved selection belongs to one account and survives a reload and signing out', async () => {
  await saveSelection({ name: 'Mine', entity: 'devices', ids: [bssidOf(1)] })
  expect([...persisted.keys()]).toEqual(['saved:u1'])
  await switchTo('u2')
  expect(names()).toEqual([])
  await switchTo('u1')
  expect(names()).toEqual(['Mine'])
  await switchTo(null)
  expect(names()).toEqual([])
  await switchTo('u1')
  expect(names()).toEqual(['Mine'])
})

test('saving keeps selections that another tab has saved meanwhile', async () => {
  const theirs = { name: 'Theirs', entity: 'devices', ids: [bssidOf(2)] }
  persisted.set('saved:u1', [theirs])
  await saveSelection({ name: 'Mine', entity: 'devices', ids: [bssidOf(1)] })
  expect(persisted.get('saved:u1')).toMatchObject([{ name: 'Mine' }, theirs])
})

test('invalid stored selections are ignored', async () => {
  persisted.set('saved:u3', [{ name: 3 }])
  await switchTo('u3')
  expect(names()).toEqual([])
})
