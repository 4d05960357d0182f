/** The colours of selected devices after a reload. */
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSelections, restoreSelections, selections } from '../../../src/store/selection.ts'
import { releaseStorage, stored } from '../support/storage.ts'

// All commands have been loaded already, and the real storage with them.
vi.hoisted(() => vi.resetModules())
vi.mock('idb-keyval', () => import('../support/storage.ts'))

const { devices } = selections
const add = (...ids: readonly string[]) =>
  devices.add(ids.map(id => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })))
const colours = () => new Map(devices.items().map(({ id }) => [id, devices.colourOf(id)]))
const storedIds = () =>
  (stored.get('selection:devices') as { picked: { item: { id: string } }[] } | undefined)?.picked.map(
    ({ item }) => item.id,
  )

/** Leaves in memory what a page has after a reload, before it has read the storage. */
async function reload() {
  const ids = devices.items().map(({ id }) => id)
  await vi.waitFor(() => expect(storedIds()).toEqual(ids))
  const atReload = structuredClone(stored.get('selection:devices'))
  clearSelections()
  await vi.waitFor(() => expect(storedIds()).toBeUndefined())
  stored.set('selection:devices', atReload)
}

beforeEach(async () => {
  clearSelections()
  await releaseStorage()
  stored.clear()
})

test('each device has its own colour, including devices that are selected after a reload', async () => {
  add('A', 'B', 'C')
  devices.remove(['A'])
  const before = colours()
  await reload()
  await restoreSelections()
  expect(colours()).toEqual(before)
  add('D', 'E')
  expect(new Set(colours().values()).size).toBe(4)
})

test('devices that are selected before the stored ones have been read differ from these', async () => {
  add('A', 'B')
  const before = colours()
  await reload()
  const restored = restoreSelections()
  add('C', 'B')
  await restored
  expect(colours()).toEqual(new Map([...before, ['C', devices.colourOf('C')]]))
  expect(new Set(colours().values()).size).toBe(3)
})
