/** The values of each kind of column on screen and in an export. */
import { render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { columnsOf, type Row } from '../../../../src/api/lists.ts'
import { exportColumns } from '../../../../src/commands/export/exportColumns.ts'
import { tableColumns, type Cells } from '../../../../src/commands/surfaces/list/columns.tsx'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { deviceCells } from '../../../../src/screens/devices/cells.tsx'
import { listConfig } from '../../../../src/screens/lists/lists.tsx'
import { entities, type Entity } from '../../../../src/store/lists.ts'

const american = { ...defaultUnits, volume: 'gal', temperature: 'F', flow: 'gal/min' } as const
const now = Date.parse('2026-11-23T02:00:00Z')
const view = { units: american, zone: 'Asia/Kathmandu', now }
const times = { created_at: '2026-01-05T10:20:30.000Z', updated_at: '2026-02-06T11:20:30.000Z' }

const cartridge = (model: string, replace_at: string) => ({
  _id: model,
  model,
  type: 0,
  resource: 1000,
  ttl: 100,
  total: 0,
  installed_at: '2026-01-01T00:00:00.000Z',
  replace_at,
})
const device = {
  bssid: 'A4:1C:09:7E:33:0B',
  platform: 'esp32',
  model: { _id: 'm', name: 'RO-400' },
  filtration_system: null,
  vendor: { _id: 'v', company_name: 'Clearspring' },
  status: 5,
  locked: true,
  valve_closed: false,
  rejection_rate: 95.123,
  recovery_rate: null,
  temperature: 20.25,
  pressure: null,
  feed_tds: 300.4,
  permeate_tds: 12.3,
  feed: 12345.67,
  permeate: 999.96,
  waste: 3,
  flush: { smart: null, mode: 1, frequency: 5, duration: 18, volume: 2.5 },
  idle_protection: 120,
  bypass: { smart: 2, state: 3 },
  uv: 1,
  cartridges: [cartridge('C1', '2026-12-12T00:00:00.000Z'), cartridge('C2', '2026-11-30T00:00:00.000Z')],
  firmware: '1.2',
  last_active: '2026-11-23T01:00:00.000Z',
  description: '',
  power_mode: 2,
  battery_level: 55.5,
  time_zone: null,
  ...times,
} as Device
const model: Row<'models'> = {
  _id: 'm',
  platform: 'esp32',
  name: 'RO-400',
  company_name: '',
  capabilities: ['uv', 'flush'],
  bypass_flow_rates: [0, 1.5, 2, 3],
  vendors: [
    { _id: 'v', company_name: 'A' },
    { _id: 'w', company_name: 'B' },
  ],
  ...times,
}

const entry: Row<'audit'> = {
  _id: '1',
  at: times.created_at,
  account: null,
  login: null,
  role: null,
  key: null,
  action: 'POST /api/v3/auth/login/dashboard',
  title: 'Signed in',
  ids: [],
  ids_count: 0,
  values: {},
  address: '192.0.2.1',
  outcome: 'refused',
  status: 401,
  done: null,
  failed: null,
  message: 'Wrong login or password',
  count: null,
}

afterEach(() => void vi.useRealTimers())

/** Returns heading and value of a row's column on screen and in an export. */
function shownAndExported<E extends Entity>(entity: E, cells: Cells<E>, id: string, row: Row<E>) {
  vi.useFakeTimers({ now })
  const column = tableColumns(entity, cells, american).find(column => column.id === id)!
  const exported = exportColumns(entity, view).find(column => column.id === id)!
  return {
    shown: [column.title, render(column.cell(row)).container.textContent],
    exported: [exported.heading, exported.value(row)],
  }
}

test.each([
  ['bssid', ['Device', device.bssid], [{ name: 'Device' }, device.bssid]],
  ['status', ['Status', 'Error'], [{ name: 'Status' }, 'Error']],
  ['model', ['Model', 'RO-400'], [{ name: 'Model' }, 'RO-400']],
  ['filtration_system', ['Filtration system', '–'], [{ name: 'Filtration system' }, null]],
  ['rejection_rate', ['Rejection (%)', '95.1'], [{ name: 'Rejection', unit: '%' }, 95.123]],
  ['recovery_rate', ['Recovery (%)', '–'], [{ name: 'Recovery', unit: '%' }, null]],
  ['temperature', ['Temperature (°F)', '68.5'], [{ name: 'Temperature', unit: '°F' }, 68.45]],
  ['pressure', ['Pressure (bar)', '–'], [{ name: 'Pressure', unit: 'bar' }, null]],
  ['flush_smart', ['Smart flush', 'Disabled'], [{ name: 'Smart flush' }, 'Disabled']],
  ['flush_frequency', ['Flush every', '5th'], [{ name: 'Flush every' }, '5th']],
  ['flush_duration', ['Flush duration (s)', '18'], [{ name: 'Flush duration', unit: 's' }, 18]],
  ['bypass_state', ['Bypass valve', 'Rate 3'], [{ name: 'Bypass valve' }, 'Rate 3']],
  ['locked', ['Vendor lock', 'Locked'], [{ name: 'Vendor lock' }, 'Locked']],
  ['uv', ['UV', 'On'], [{ name: 'UV' }, 'On']],
  ['battery_level', ['Battery (%)', '56'], [{ name: 'Battery', unit: '%' }, 55.5]],
  ['last_active', ['Last active', '1 h'], [{ name: 'Last active', times: true }, '2026-11-23T06:45:00+05:45']],
  ['created_at', ['Created', 'Jan 5, 2026'], [{ name: 'Created', times: true }, '2026-01-05T16:05:30+05:45']],
  ['description', ['Description', ''], [{ name: 'Description' }, '']],
] as const)('the device column %s is shown and exported', (id, shown, [heading, value]) => {
  expect(shownAndExported('devices', deviceCells, id, device)).toEqual({
    shown,
    exported: [{ key: id, ...heading }, value],
  })
})

test('the days of a finding are calendar days, without a time or zone', () => {
  const finding = { began_at: '2026-01-05T00:00:00.000Z' } as Row<'findings'>
  expect(shownAndExported('findings', {}, 'began_at', finding)).toEqual({
    shown: ['Began', 'Jan 5, 2026'],
    exported: [{ key: 'began_at', name: 'Began' }, '2026-01-05'],
  })
})

test('cartridges are exported with their remaining life and expiry date', () => {
  const { exported } = shownAndExported('devices', deviceCells, 'cartridges', device)
  expect(exported[1]).toMatch(/^C1: .+ \(2026-12-12\); C2: .+ \(2026-11-30\)$/)
})

test.each([
  ['capabilities', 'UV module, Flush', 'UV module, Flush'],
  ['vendors', 'A, B', 'A, B'],
  ['bypass_flow_rate_2', '0.396', 0.396258],
  ['company_name', '–', ''],
])('the device model column %s is shown and exported', (id, text, value) => {
  const { shown, exported } = shownAndExported('models', listConfig('models').cells!, id, model)
  expect([shown[1], exported[1]]).toEqual([text, value])
})

test('a column is sortable exactly if it is searchable', () => {
  for (const entity of entities)
    for (const { id, sortable = true } of tableColumns(entity, {}, defaultUnits))
      expect([entity, id, sortable]).toEqual([entity, id, id in columnsOf(entity).kinds])
})

test.each<[Partial<Row<'audit'>>, string]>([
  [{}, 'Refused'],
  [{ count: 1 }, 'Refused'],
  [{ count: 23 }, 'Refused (23 times)'],
  [{ outcome: 'partly', done: 2, failed: 3 }, 'Partly done (2 of 5)'],
  [{ outcome: 'started' }, 'Started'],
  [{ outcome: 'interrupted' }, 'Interrupted'],
])('the outcome of an entry of the history with %j is %s', (values, expected) => {
  const { cells = {} } = listConfig('audit')
  const { shown, exported } = shownAndExported('audit', cells, 'outcome', { ...entry, ...values })
  expect(shown).toEqual(['Result', expected])
  expect(exported[1]).toBe(expected)
})
