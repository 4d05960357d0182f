/** A slow storage: the console continues without it, and no stored value is lost. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Services } from '../../../src/commands/core/types.ts'
import { currentContext } from '../../../src/commands/core/context.ts'
import { loadStoredJobs } from '../../../src/commands/jobs/storedJobs.ts'
import { jobs } from '../../../src/commands/core/runs/jobs.ts'
import { selectSavedCommands } from '../../../src/commands/selection/selectSaved.ts'
import { storageTimeout } from '../../../src/store/persist.ts'
import { savedSelectionsOf, saveSelection, loadOwnSelections } from '../../../src/store/savedSelections.ts'
import { changeScripts, scripts, loadScripts } from '../../../src/store/scripts/scripts.ts'
import { clearSelections, restoreSelections, selections } from '../../../src/store/selection.ts'
import { owner } from '../../../src/store/session.ts'
import { holdStorage, releaseStorage, stored } from '../support/storage.ts'

// All commands have been loaded already, and the real storage with them.
vi.hoisted(() => vi.resetModules())
vi.mock('idb-keyval', () => import('../support/storage.ts'))

const exceedTimeout = () => vi.advanceTimersByTimeAsync(3 * storageTimeout)
const namesOf = (list: unknown) => (list as { name: string }[]).map(({ name }) => name)

beforeEach(async () => {
  await releaseStorage()
  stored.clear()
  vi.useFakeTimers()
  holdStorage()
})
afterEach(async () => {
  await releaseStorage()
  vi.useRealTimers()
})

const selectionNamed = (name: string, ...ids: string[]) => ({ name, entity: 'devices' as const, ids })
const savedNames = () => namesOf(savedSelectionsOf('devices'))

test('a selection saved while the others load is added to them', async () => {
  stored.set('saved:u1', [selectionNamed('Old', 'a')])
  owner.id = 'u1'
  const read = loadOwnSelections()
  void saveSelection(selectionNamed('Mine', 'b'))
  await exceedTimeout()
  expect(savedNames()).toEqual(['Mine'])
  await releaseStorage()
  await read
  expect(savedNames()).toEqual(['Mine', 'Old'])
  await vi.waitFor(() => expect(namesOf(stored.get('saved:u1'))).toEqual(['Mine', 'Old']))
})

test('saved selections can be listed and forgotten before they have been loaded', async () => {
  stored.set('saved:u9', [selectionNamed('Old', 'a')])
  const { availability, prepare, fields } = selectSavedCommands.find(({ id }) => id === 'select.forget')!
  const context = { ...currentContext(), role: 'admin' as const }
  owner.id = 'u9'
  const read = loadOwnSelections()
  expect(availability(context)).toMatchObject({ is: 'ready' })
  const choices = fields[0]?.choices?.(context, '', new AbortController().signal)
  const forgotten = prepare(context, { name: 'Old' }).run({} as Services)
  await releaseStorage()
  await read
  expect(await choices).toMatchObject([{ value: 'Old' }])
  expect(await forgotten).toContain('Deleted “Old”')
  expect(availability(context)).toMatchObject({ is: 'blocked' })
})

test('a selection saved while the others load is renamed if its name is used already', async () => {
  stored.set('saved:u2', [selectionNamed('Kitchens', 'a')])
  owner.id = 'u2'
  const read = loadOwnSelections()
  void saveSelection(selectionNamed('Kitchens', 'b'))
  await releaseStorage()
  await read
  await vi.waitFor(() => expect(savedNames()).toEqual(['Kitchens', 'Kitchens 2']))
  expect(stored.get('saved:u2')).toMatchObject([{ ids: ['a'] }, { ids: ['b'] }])
})

test('a script saved while the others load is added to them, and saving does not wait for them', async () => {
  const script = (name: string) => ({
    id: name,
    name,
    go_on: false,
    steps: [{ command: 'device.flush', input: {}, ask: [] }],
  })
  stored.set('scripts:u1', [script('Old')])
  const read = loadScripts('u1')
  const saved = changeScripts(list => [...list, script('Mine')])
  await exceedTimeout()
  await saved
  expect(namesOf(scripts.list)).toEqual(['Mine'])
  await releaseStorage()
  await read
  expect(namesOf(scripts.list)).toEqual(['Old', 'Mine'])
  await vi.waitFor(() => expect(namesOf(stored.get('scripts:u1'))).toEqual(['Old', 'Mine']))
})

const device = (id: string) => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const selection = selections.devices
const selectedIds = () => selection.items().map(({ id }) => id)
const storedIds = () =>
  (stored.get('selection:devices') as { picked: { item: { id: string } }[] } | undefined)?.picked.map(
    ({ item }) => item.id,
  )
/** Stores the selection of an earlier visit; nothing is selected in memory. */
async function storeSelection(...ids: string[]) {
  clearSelections()
  await exceedTimeout()
  await releaseStorage()
  const picked = ids.map(id => ({ colour: 'red', item: device(id) }))
  stored.set('selection:devices', { picked, from: ['selected individually'] })
  holdStorage()
}

test('rows selected while the stored selection loads are merged with it, and both are stored', async () => {
  await storeSelection('a', 'b')
  const restored = restoreSelections()
  selection.add([device('c')])
  expect(selectedIds()).toEqual(['c'])
  // Storing now would replace the selection that has not been read.
  void releaseStorage()
  await restored
  expect(selectedIds().toSorted()).toEqual(['a', 'b', 'c'])
  await exceedTimeout()
  await releaseStorage()
  expect(storedIds()?.toSorted()).toEqual(['a', 'b', 'c'])
})

test('a stored selection that is not read in time never appears, and rows selected meanwhile are stored', async () => {
  await storeSelection('a', 'b')
  const restored = restoreSelections()
  selection.add([device('c')])
  await exceedTimeout()
  expect(await restored).toBe(false)
  await releaseStorage()
  expect(selectedIds()).toEqual(['c'])
  expect(storedIds()).toEqual(['c'])
})

test('a selection cleared while the stored one loads stays empty', async () => {
  await storeSelection('a', 'b')
  const restored = restoreSelections()
  selection.add([device('c')])
  selection.clear()
  await releaseStorage()
  await restored
  expect(selectedIds()).toEqual([])
  await exceedTimeout()
  await releaseStorage()
  expect(storedIds()).toBeUndefined()
})

test('the first change of a selection is stored at once, and later ones when the page is hidden at the latest', async () => {
  await storeSelection()
  await releaseStorage()
  await restoreSelections()
  selection.add([device('a')])
  await releaseStorage()
  expect(storedIds()).toEqual(['a'])
  selection.add([device('b')])
  await releaseStorage()
  expect(storedIds()).toEqual(['a'])
  window.dispatchEvent(new Event('pagehide'))
  await releaseStorage()
  expect(storedIds()).toEqual(['a', 'b'])
})

test('stored jobs that load late are shown', async () => {
  stored.set('job:old', {
    owner: 'u1',
    page: 'p',
    id: 'old',
    title: 'Lock',
    command: 'device.lock',
    entity: 'devices',
    startedAt: 1,
    endedAt: 2,
    state: 'done',
    undone: false,
    targets: [device('a')],
    skipped: [],
    ended: [['a', undefined]],
    before: [],
  })
  const kept = loadStoredJobs('u1', 1)
  await exceedTimeout()
  // The screen shows an empty list instead of a loading state.
  expect(jobs).toMatchObject({ isLoaded: true, list: [] })
  await releaseStorage()
  await kept
  await vi.waitFor(() => expect(namesOf(jobs.list.map(({ id }) => ({ name: id })))).toEqual(['old']))
})
