/** Commands that select, and followed searches that become fixed selections. */
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { itemOf } from '../../../../src/api/lists.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { materializeSelection, matchingItems, applyMatches } from '../../../../src/commands/selection/materialize.ts'
import { host } from '../../../../src/commands/surfaces/host/host.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { overlay } from '../../../../src/store/overlays.ts'
import { clearSelections, selections, isPlaceholder, type DeviceItem } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf, fleetDevice, serveFleet, type FleetDevice } from '../../support/fleet.ts'

const progress = { report: () => undefined, signal: new AbortController().signal }
const services = { progress } as unknown as Services
const selection = selections.devices
const all = { search: '', column: undefined, operator: 'co' }
const selected = () =>
  selection
    .items()
    .map(({ id }) => id)
    .toSorted()
const items = (...at: number[]) => at.map(one => itemOf('devices', fleetDevice(one) as never))
let fleet: FleetDevice[]

/** Runs a command by its id with the list on screen. */
const runCommand = (id: CommandId, input: unknown = {}) =>
  commandOf(id)
    .prepare({ ...currentContext(), list: listed() }, input)
    .run(services)
const listed = () => ({
  entity: 'devices' as const,
  state: lists.devices,
  focus: { id: undefined, index: 0, anchor: undefined, moves: 0, pageLoads: 1, hasFailed: false, focusOnReturn: false },
  rows: items(0),
  count: fleet.length,
})

beforeEach(() => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'admin', login: 'admin' })
  fleet = [0, 1, 2, 3, 4].map(at => fleetDevice(at))
  overlay.pasteDialog = undefined
})
afterEach(() => {
  vi.restoreAllMocks()
  clearSelections()
  resetLists()
  clearSession()
})

describe('a followed search', () => {
  test('has an exact count, also where the list shows an estimate', async () => {
    const requests = serveFleet(() => fleet)
    lists.devices.search = 'A4'
    const list = { ...listed(), count: 7000, isEstimate: true }
    await commandOf('list.selectAll')
      .prepare({ ...currentContext(), list }, {})
      .run(services)
    expect(requests).toHaveLength(1)
    expect(selection).toMatchObject({ size: 5, query: { search: 'A4', operator: 'co' } })
  })

  test('has only a search and a count, and reads nothing until it is needed', async () => {
    const requests = serveFleet(() => fleet)
    lists.devices.search = 'A4'
    await runCommand('list.selectAll')
    expect(requests).toEqual([])
    expect(selection).toMatchObject({ size: 5, query: { search: 'A4', operator: 'co' } })
    expect(selection.items()).toEqual([])
    selection.setMatchCount(selection.query!, 7)
    expect(selection.size).toBe(7)
    const targets = currentContext().targets('devices')
    expect(targets).toHaveLength(7)
    expect(targets.every(isPlaceholder)).toBe(true)
  })

  test('marks rows as selected only in a list that it covers', () => {
    lists.devices.search = 'A4'
    selection.follow({ ...all, search: 'A4' }, 5)
    expect(selection.colourOf('any')).toBeDefined()
    lists.devices.search = 'B0'
    expect(selection.colourOf('any')).toBeUndefined()
    selection.follow(all, 5)
    expect(selection.colourOf('any')).toBeDefined()
  })

  test('becomes the current matches when a command that changes them starts', async () => {
    fleet = Array.from({ length: 2300 }, (_, at) => fleetDevice(at))
    const requests = serveFleet(() => fleet)
    selection.follow(all, 2000)
    const context = currentContext()
    const targets = await host.targets(commandOf('device.lock'), context)
    expect(targets).toHaveLength(2300)
    expect(new Set(targets.map(({ id }) => id)).size).toBe(2300)
    expect(requests.map(({ query }) => query.limit)).toEqual([1000, 1000, 1000])
    expect(selection.query).toBeUndefined()
    expect(selection.size).toBe(2300)
    expect(selection.sources).toEqual(['all devices'])
  })

  test('is not read for a command that changes nothing', async () => {
    const requests = serveFleet(() => fleet)
    selection.follow(all, 5)
    expect(await host.targets(commandOf('device.preview'), currentContext())).toHaveLength(5)
    expect(requests).toEqual([])
    expect(selection.query).toBeDefined()
  })

  test.each(['device.copyIds', 'health.explain'] as const)('is read for %s, which needs each target', async id => {
    serveFleet(() => fleet)
    selection.follow(all, 5)
    const targets = await host.targets(commandOf(id), currentContext())
    expect(targets.map(target => target.id)).toEqual([0, 1, 2, 3, 4].map(bssidOf))
  })

  test('works for every list, whose rows are read when a command starts', async () => {
    const vendors = ['ann', 'bob', 'cid'].map((login, at) => ({ _id: `v${at}`, login, company_name: login }))
    const requests = serveFleet(() => fleet, { vendors })
    const rows = vendors.slice(0, 2).map(row => itemOf('vendors', row as never))
    const list = { ...listed(), entity: 'vendors' as const, state: lists.vendors, rows, count: 2 }
    expect(
      await commandOf('list.selectAll')
        .prepare({ ...currentContext(), list }, {})
        .run(services),
    ).toBe('Selected 2 vendors')
    expect(requests).toEqual([])
    expect(selections.vendors).toMatchObject({ size: 2, query: all })
    const placeholders = currentContext().targets('vendors')
    expect(placeholders).toHaveLength(2)
    expect(placeholders.every(isPlaceholder)).toBe(true)
    // Placeholders are created once, also if those of another list are read in between.
    selection.follow(all, 5)
    currentContext().targets('devices')
    expect(currentContext().targets('vendors')).toBe(placeholders)
    const targets = await host.targets(commandOf('vendors.block'), currentContext())
    expect(targets.map(({ id }) => id)).toEqual(['v0', 'v1', 'v2'])
    expect(selections.vendors).toMatchObject({ size: 3, query: undefined, sources: ['all vendors'] })
  })

  test('is unchanged if reading it is cancelled, and does not replace a newer selection', async () => {
    serveFleet(() => fleet)
    selection.follow(all, 5)
    const cancelled = { ...progress, signal: AbortSignal.abort() }
    await expect(materializeSelection('devices', cancelled)).rejects.toThrow('abort')
    expect(selection.size).toBe(5)
    expect(selection.query).toBeDefined()
    const materializing = materializeSelection('devices', progress)
    selection.replace(items(1), ['selected individually'])
    expect(await materializing).toHaveLength(5)
    expect(selected()).toEqual([bssidOf(1)])
  })
})

describe('selecting by a property', () => {
  test('by status: replaces, adds to, keeps within or removes from the selection', async () => {
    fleet = [fleetDevice(0), fleetDevice(1, { status: 4 }), fleetDevice(2, { status: 4 }), fleetDevice(3)]
    serveFleet(() => fleet)
    selection.replace(items(0, 1), ['selected individually'])
    expect(await runCommand('select.status', { status: 4 })).toBe('Selected 2 devices')
    expect(selected()).toEqual([bssidOf(1), bssidOf(2)])
    expect(selection.sources).toEqual(['Status equals “Leak”'])
    selection.replace(items(0, 1), [])
    await runCommand('select.status', { status: 4, how: 'add' })
    expect(selected()).toEqual([0, 1, 2].map(bssidOf))
    selection.replace(items(0, 1), [])
    await runCommand('select.status', { status: 4, how: 'keep' })
    expect(selected()).toEqual([bssidOf(1)])
    selection.replace(items(0, 1), [])
    await runCommand('select.status', { status: 4, how: 'without' })
    expect(selected()).toEqual([bssidOf(0)])
  })

  test('by vendor: excludes other vendors with the same company name', async () => {
    const twin = { _id: 'v2', company_name: 'Clearspring' }
    fleet = [fleetDevice(0), fleetDevice(1, { vendor: twin }), fleetDevice(2, { vendor: { ...twin, _id: 'v3' } })]
    serveFleet(() => fleet, { vendors: [{ ...twin, login: 'second' }] })
    await runCommand('select.vendor', { vendor: 'v2' })
    expect(selected()).toEqual([bssidOf(1)])
    await expect(runCommand('select.vendor', { vendor: 'gone' })).rejects.toThrow('no longer')
    expect(selected()).toEqual([bssidOf(1)])
  })

  test('without matches is an error, and keeps the selection', async () => {
    serveFleet(() => fleet)
    selection.replace(items(1), ['selected individually'])
    await expect(runCommand('select.status', { status: 4 })).rejects.toThrow('the selection is unchanged')
    expect(selected()).toEqual([bssidOf(1)])
  })
})

describe('a pasted list', () => {
  test('selects the devices found, and lists the others', async () => {
    serveFleet(() => fleet)
    const text = `${bssidOf(3)}; a41c09000001\n${bssidOf(900)}, kitchen`
    overlay.pasteDialog = { text, unknown: [] }
    expect(await runCommand('select.list', { devices: text })).toBe(
      'Selected 2 devices; 1 device not found, 1 invalid id',
    )
    expect(selected()).toEqual([bssidOf(1), bssidOf(3)])
    expect(overlay.pasteDialog).toEqual({ text: `${bssidOf(900)}\nkitchen`, unknown: [bssidOf(900)] })
  })

  test.each([
    ['was closed', undefined],
    ['has another text', { text: 'typed since', unknown: [] }],
  ])('leaves its dialog alone if that %s meanwhile', async (_, dialog) => {
    serveFleet(() => fleet)
    overlay.pasteDialog = { text: `${bssidOf(1)} kitchen`, unknown: [] }
    const run = runCommand('select.list', { devices: overlay.pasteDialog.text })
    overlay.pasteDialog = dialog
    await run
    expect(selected()).toEqual([bssidOf(1)])
    expect(overlay.pasteDialog).toEqual(dialog)
  })

  test('without an id is refused', async () => {
    serveFleet(() => fleet)
    await expect(runCommand('select.list', { devices: 'kitchen' })).rejects.toThrow('no device id')
  })
})

describe('selection modes', () => {
  const places = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 15 })

  test('law: add is a union, keep an intersection, without a difference, and none leaves nothing selected', async () => {
    await fc.assert(
      fc.asyncProperty(places, places, async (before, found) => {
        if (found.length === 0) return
        const expected = {
          add: new Set([...before, ...found]),
          keep: new Set(before.filter(at => found.includes(at))),
          without: new Set(before.filter(at => !found.includes(at))),
        }
        for (const mode of ['add', 'keep', 'without'] as const) {
          selection.replace(items(...before), [])
          const applied = applyMatches('devices', items(...found), { mode, source: 'those', progress })
          const left = expected[mode].size > 0 ? expected[mode] : new Set(before)
          if (expected[mode].size > 0) await applied
          else await expect(applied).rejects.toThrow('nothing would be left')
          expect(new Set(selected())).toEqual(new Set([...left].map(bssidOf)))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('inverting a selection of all matches is an error, and keeps it', async () => {
    serveFleet(() => fleet)
    selection.replace(items(0, 1, 2, 3, 4), [])
    await expect(runCommand('select.invert')).rejects.toThrow('the selection is unchanged')
    expect(selected()).toHaveLength(5)
  })

  test('law: inverting twice restores the selection among the matches', async () => {
    fleet = Array.from({ length: 20 }, (_, at) => fleetDevice(at))
    serveFleet(() => fleet)
    await fc.assert(
      fc.asyncProperty(places, async chosen => {
        if (!chosen.some(at => at < 20)) return
        selection.replace(items(...chosen), [])
        await runCommand('select.invert')
        await runCommand('select.invert')
        expect(new Set(selected())).toEqual(new Set(chosen.filter(at => at < 20).map(bssidOf)))
      }),
      { numRuns: 30 },
    )
  })
})

test('selecting by a search filters by its column', async () => {
  serveFleet(() => [...fleet, fleetDevice(9, { model: { _id: 'm2', name: 'RO-800' } })])
  await runCommand('select.search', { column: 'model', operator: 'co', search: '800' })
  expect(selected()).toEqual([bssidOf(9)])
  expect(await matchingItems('devices', all, progress)).toHaveLength(6)
  expect((selection.items()[0] as DeviceItem).company).toBe('Clearspring')
})
