/** A storage that answers late: the console goes on without it, and nothing that was stored is lost by that. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Services } from '../../../src/commands/core/command.ts'
import { currentContext } from '../../../src/commands/core/context.ts'
import { persistJobs } from '../../../src/commands/jobs/persistence.ts'
import { jobs } from '../../../src/commands/core/runs/jobs.ts'
import { selectSavedCommands } from '../../../src/commands/selection/selectSaved.ts'
import { storageTimeout } from '../../../src/store/persist.ts'
import { savedIn, saveSelection, showOwnersSelections } from '../../../src/store/savedSelections.ts'
import { changeScripts, scripts, showScripts } from '../../../src/store/scripts.ts'
import { clearSelections, restoreSelections, selections } from '../../../src/store/selection.ts'
import { owner } from '../../../src/store/session.ts'
import { hold, letGo, stored } from '../support/storage.ts'

// All commands are there already, and with them the real storage.
vi.hoisted(() => vi.resetModules())
vi.mock('idb-keyval', () => import('../support/storage.ts'))

const tooLong = () => vi.advanceTimersByTimeAsync(3 * storageTimeout)
const namesOf = (list: unknown) => (list as { name: string }[]).map(({ name }) => name)

beforeEach(async () => {
  await letGo()
  stored.clear()
  vi.useFakeTimers()
  hold()
})
afterEach(async () => {
  await letGo()
  vi.useRealTimers()
})

const selectionNamed = (name: string, ...ids: string[]) => ({ name, entity: 'devices' as const, ids })
const savedNames = () => namesOf(savedIn('devices'))

test('what is saved meanwhile is added to the selections that come late', async () => {
  stored.set('saved:u1', [selectionNamed('Old', 'a')])
  owner.id = 'u1'
  const read = showOwnersSelections()
  void saveSelection(selectionNamed('Mine', 'b'))
  await tooLong()
  expect(savedNames()).toEqual(['Mine'])
  await letGo()
  await read
  expect(savedNames()).toEqual(['Mine', 'Old'])
  await vi.waitFor(() => expect(namesOf(stored.get('saved:u1'))).toEqual(['Mine', 'Old']))
})

test('what is saved can be asked for before it has been read', async () => {
  stored.set('saved:u9', [selectionNamed('Old', 'a')])
  const { availability, prepare, fields } = selectSavedCommands.find(({ id }) => id === 'select.forget')!
  const context = { ...currentContext(), role: 'admin' as const }
  owner.id = 'u9'
  const read = showOwnersSelections()
  expect(availability(context)).toMatchObject({ is: 'ready' })
  const choices = fields[0]?.choices?.(context, '', new AbortController().signal)
  const forgotten = prepare(context, { name: 'Old' }).run({} as Services)
  await letGo()
  await read
  expect(await choices).toMatchObject([{ value: 'Old' }])
  expect(await forgotten).toContain('Forgot “Old”')
  expect(availability(context)).toMatchObject({ is: 'blocked' })
})

test('a selection saved under a name that was not known to be taken leaves the other as it is', async () => {
  stored.set('saved:u2', [selectionNamed('Kitchens', 'a')])
  owner.id = 'u2'
  const read = showOwnersSelections()
  void saveSelection(selectionNamed('Kitchens', 'b'))
  await letGo()
  await read
  await vi.waitFor(() => expect(savedNames()).toEqual(['Kitchens', 'Kitchens 2']))
  expect(stored.get('saved:u2')).toMatchObject([{ ids: ['a'] }, { ids: ['b'] }])
})

test('a script that is saved meanwhile is added to those that come late, and saving it does not wait for them', async () => {
  const script = (name: string) => ({
    id: name,
    name,
    go_on: false,
    steps: [{ command: 'device.flush', input: {}, ask: [] }],
  })
  stored.set('scripts:u1', [script('Old')])
  const read = showScripts('u1')
  const saved = changeScripts(list => [...list, script('Mine')])
  await tooLong()
  await saved
  expect(namesOf(scripts.list)).toEqual(['Mine'])
  await letGo()
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
/** What an earlier visit has left; nothing is selected now. */
async function leftSelected(...ids: string[]) {
  clearSelections()
  await tooLong()
  await letGo()
  const picked = ids.map(id => ({ colour: 'red', item: device(id) }))
  stored.set('selection:devices', { picked, from: ['picked rows'] })
  hold()
}

test('what is selected meanwhile is selected besides what comes late, and both are stored', async () => {
  await leftSelected('a', 'b')
  const restored = restoreSelections()
  selection.add([device('c')])
  await tooLong()
  expect(selectedIds()).toEqual(['c'])
  // It would replace what has not been read.
  void letGo()
  await restored
  expect(selectedIds().toSorted()).toEqual(['a', 'b', 'c'])
  await tooLong()
  await letGo()
  expect(storedIds()?.toSorted()).toEqual(['a', 'b', 'c'])
})

test('a selection that was made anew meanwhile stays as it is', async () => {
  await leftSelected('a', 'b')
  const restored = restoreSelections()
  selection.add([device('c')])
  selection.clear()
  await letGo()
  await restored
  expect(selectedIds()).toEqual([])
  await tooLong()
  await letGo()
  expect(storedIds()).toBeUndefined()
})

test('what is selected after a pause is stored at once, and what follows at the latest when the page goes away', async () => {
  await leftSelected()
  await letGo()
  await restoreSelections()
  selection.add([device('a')])
  await letGo()
  expect(storedIds()).toEqual(['a'])
  selection.add([device('b')])
  await letGo()
  expect(storedIds()).toEqual(['a'])
  window.dispatchEvent(new Event('pagehide'))
  await letGo()
  expect(storedIds()).toEqual(['a', 'b'])
})

test('the jobs of earlier visits are shown when they come', async () => {
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
  const kept = persistJobs('u1')
  await tooLong()
  // The screen says that there are none, not that they are being read.
  expect(jobs).toMatchObject({ read: true, list: [] })
  await letGo()
  await kept
  await vi.waitFor(() => expect(namesOf(jobs.list.map(({ id }) => ({ name: id })))).toEqual(['old']))
})
