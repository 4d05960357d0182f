/** Which devices are charted and can be hidden, and when keys move the cursor. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import type { Context } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { chartAddedDevices } from '../../../../src/screens/charts/chartAddedDevices.ts'
import { chartedDevices, charts, maxCharted } from '../../../../src/store/charts.ts'
import { selections, type DeviceItem } from '../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const add = (...ids: readonly string[]) => selections.devices.add(ids.map(device))
const context: Context = { role: 'vendor', path: '/charts', list: undefined, targets: () => [], last: undefined }
const choicesOf = async (command: CommandId, query = '') => {
  const { choices } = commandOf(command).fields[0]!
  return (await choices!(context, query, new AbortController().signal)).map(({ value }) => value)
}

const reset = () => {
  selections.devices.clear()
  Object.assign(charts, {
    onlyDevice: undefined,
    chosenDevices: [],
    hiddenDevices: [],
    table: false,
    enlargedChart: undefined,
  })
}
beforeEach(reset)
afterEach(reset)

describe('a device added to the selection while the charts are on screen', () => {
  let stop: () => void
  const onScreen = () => (stop = chartAddedDevices())
  afterEach(() => stop())

  test('is charted together with the chosen devices', () => {
    add('A', 'B', 'C')
    charts.chosenDevices = ['B']
    onScreen()
    add('D')
    expect(chartedDevices()).toEqual(['B', 'D'])
    add('D')
    selections.devices.remove(['A'])
    expect(chartedDevices()).toEqual(['B', 'D'])
  })

  test('ends the view of a single device', () => {
    add('A')
    charts.onlyDevice = 'X'
    onScreen()
    selections.devices.refresh([{ ...device('A'), status: 3 }])
    expect(chartedDevices()).toEqual(['X'])
    add('B')
    expect(chartedDevices()).toEqual(['A', 'B'])
  })

  test('is not a match of a search that the selection follows: reading these keeps the view of a single device', () => {
    const search = { search: 'A', column: 'bssid', operator: 'co' }
    selections.devices.follow(search, 3)
    charts.onlyDevice = 'X'
    onScreen()
    selections.devices.setMatchCount(search, 2)
    selections.devices.replace(['A1', 'A2'].map(device), ['search'])
    expect(chartedDevices()).toEqual(['X'])
    add('B')
    expect(chartedDevices()).toEqual(['A1', 'A2', 'B'])
  })

  test('is charted with all selected devices if the chosen ones are no longer selected', () => {
    add('A', 'B')
    charts.chosenDevices = ['A', 'B']
    selections.devices.replace(['P', 'Q'].map(device), ['search'])
    onScreen()
    add('S')
    expect(chartedDevices()).toEqual(['P', 'Q', 'S'])
    add('A')
    expect(chartedDevices()).toEqual(['P', 'Q', 'S', 'A'])
  })

  test('has its lines, also if they were hidden when it was removed', () => {
    add('A', 'B')
    onScreen()
    charts.hiddenDevices = ['A', 'B']
    selections.devices.remove(['A'])
    add('A')
    expect(charts.hiddenDevices).toEqual(['B'])
  })
})

test('all selected devices are charted already if the chosen ones are no longer selected', () => {
  const { availability } = commandOf('charts.selected')
  add('A')
  charts.chosenDevices = ['A']
  expect(availability(context).is).toBe('ready')
  selections.devices.replace([device('P')], ['search'])
  expect(availability(context)).toMatchObject({ is: 'blocked', reason: 'All selected devices are charted' })
})

test('only charted devices are offered for hiding', async () => {
  add(...Array.from({ length: 120 }, (_, at) => `D${at}`))
  expect(await choicesOf('charts.hide')).toEqual(chartedDevices())
  expect(chartedDevices()).toHaveLength(maxCharted)
  charts.chosenDevices = ['D110', 'D7']
  expect(await choicesOf('charts.hide')).toEqual(['D110', 'D7'])
  expect(await choicesOf('charts.hide', ' d7')).toEqual(['D7'])
  charts.onlyDevice = 'X'
  expect(await choicesOf('charts.hide')).toEqual(['X'])
  expect(await choicesOf('charts.devices')).toHaveLength(100)
})

test('keys move the cursor only if a chart with lines is visible', () => {
  add('A')
  const isReady = (command: CommandId) => commandOf(command).availability(context).is === 'ready'
  const cursorCommands: readonly CommandId[] = [
    'charts.right',
    'charts.leftMarked',
    'charts.last',
    'charts.nextNotification',
    'charts.zoomIn',
  ]
  expect(cursorCommands.filter(isReady)).toEqual(cursorCommands)
  charts.table = true
  expect(cursorCommands.filter(isReady)).toEqual([])
  charts.enlargedChart = 'pressure'
  expect(cursorCommands.filter(isReady)).toEqual(cursorCommands)
})
