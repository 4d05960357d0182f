/** Which devices are charted: one, or the selected ones. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentContext, withTargets } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { charts } from '../../../../src/store/charts.ts'
import { resetLists } from '../../../../src/store/lists.ts'
import { clearSelections, selections, type DeviceItem } from '../../../../src/store/selection.ts'
import { bssidOf } from '../../support/fleet.ts'
import '../../support/allCommands.ts'

const all = { search: '', column: undefined, operator: 'co' }
const device = (at: number): DeviceItem => ({
  id: bssidOf(at),
  name: bssidOf(at),
  vendor: 'v',
  company: 'Acme',
  status: 0,
  platform: 'esp32',
})
/** Shows the charts of these devices, or of the selected ones. */
const show = (...devices: readonly DeviceItem[]) =>
  commandOf('device.charts')
    .prepare(devices.length > 0 ? withTargets(currentContext(), 'devices', devices) : currentContext(), {})
    .run({ go: () => undefined } as unknown as Services)

beforeEach(() => {
  charts.onlyDevice = 'another'
})
afterEach(() => {
  charts.onlyDevice = undefined
  history.replaceState(null, '', '/')
  clearSelections()
  resetLists()
})

test('the selected devices are charted, also those of a followed search', async () => {
  selections.devices.replace([device(0), device(1)], [])
  await show()
  expect(charts.onlyDevice).toBeUndefined()
  charts.onlyDevice = 'another'
  selections.devices.follow(all, 400)
  await show()
  expect(charts.onlyDevice).toBeUndefined()
})

test('also if the list shows all matches', async () => {
  selections.devices.follow(all, 2)
  await show(device(0), device(1))
  expect(charts.onlyDevice).toBeUndefined()
})

test('a row is charted alone, whatever is selected', async () => {
  selections.devices.follow(all, 400)
  await show(device(1))
  expect(charts.onlyDevice).toBe(bssidOf(1))
})

test('the device of a device screen is charted alone, also if the only match may be another', async () => {
  history.replaceState(null, '', `/devices/${bssidOf(1)}`)
  selections.devices.follow(all, 1)
  await show(device(1))
  expect(charts.onlyDevice).toBe(bssidOf(1))
})
