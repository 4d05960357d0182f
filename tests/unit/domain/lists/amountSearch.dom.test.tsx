/** Searching by an amount in the unit that the person has chosen. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as client from '../../../../src/api/client.ts'
import { readMatches } from '../../../../src/api/readMatches.ts'
import { queryOf, readList } from '../../../../src/api/readList.ts'
import { listTable } from '../../../../src/commands/export/listTable.ts'
import { describeSearch } from '../../../../src/commands/selection/describe.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { searchInBaseUnit } from '../../../../src/domain/lists/amountInBase.ts'
import { quantities } from '../../../../src/domain/lists/amountSearch.ts'
import { formatAmount } from '../../../../src/domain/format.ts'
import { listColumns } from '../../../../src/domain/lists/lists.ts'
import { defaultUnits, type UnitChoice } from '../../../../src/domain/units.ts'
import { entities, lists, resetLists } from '../../../../src/store/lists.ts'
import { preferences } from '../../../../src/store/preferences.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'

const american: UnitChoice = { ...defaultUnits, temperature: 'F', pressure: 'psi', volume: 'gal', concentration: 'gpg' }
const progress = { report: () => undefined, signal: new AbortController().signal }
let queries: unknown[]

beforeEach(() => {
  queries = []
  vi.spyOn(client, 'call').mockImplementation((_, given) => {
    queries.push(given?.query)
    return Promise.resolve({ count: 0, data: [] } as never)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  clearSelections()
  resetLists()
  preferences.units = { ...defaultUnits }
})

const search = (column: string, operator: string, typed: string) =>
  Object.assign(lists.devices, { column, operator, search: typed })
const inBaseUnit = { column: 'temperature', operator: 'gt', search: '15.527778..15.583333' }

test('a search in the chosen unit is sent in the base unit', async () => {
  search('temperature', 'gt', '60')
  await readList('devices', queryOf(lists.devices))
  expect(queries.at(-1)).toMatchObject({ ...inBaseUnit, search: '60' })
  preferences.units = american
  await readList('devices', queryOf(lists.devices))
  expect(queries.at(-1)).toMatchObject(inBaseUnit)
  // An amount with a unit is in that unit.
  for (const [typed, expected] of [
    ['60 °C', '60'],
    ['60 °F', inBaseUnit.search],
  ] as const) {
    search('temperature', 'gt', typed)
    await readList('devices', queryOf(lists.devices))
    expect(queries.at(-1)).toMatchObject({ search: expected })
  }
})

test('every amount that is exported in the chosen unit is also searched in it', () => {
  for (const entity of entities)
    for (const [id, { quantity }] of Object.entries(listColumns(entity)))
      expect([id, quantities[id]]).toEqual([id, quantity])
})

test.each([
  ['temperature', 'F', 15.6],
  ['pressure', 'psi', 4.14],
  ['feed_tds', 'gpg', 312],
  ['waste', 'gal', 123.456],
  ['waste', 'gal', 12345.678],
])('%s in %s is found by the displayed number', (column, _unit, stored) => {
  const typed = formatAmount(stored, quantities[column]!, american).replace(',', '')
  const symbol = { F: '°F' }[_unit] ?? _unit
  const [min, max] = searchInBaseUnit({ column, operator: 'eq', search: `${typed} ${symbol}` })
    .search.split('..')
    .map(Number)
  expect(stored).toBeGreaterThanOrEqual(min!)
  expect(stored).toBeLessThanOrEqual(max!)
})

test.each([
  ['15..16', defaultUnits, 'eq', { operator: 'eq', search: '15..16' }],
  ['15 .. 16.5', defaultUnits, 'gt', { operator: 'gt', search: '15..16.5' }],
  // The digits of a range are in no stored number.
  ['15..16', defaultUnits, 'co', { operator: 'eq', search: '15..16' }],
  ['59..61', american, 'eq', { operator: 'eq', search: '14.972222..16.138889' }],
  ['59..61.25', american, 'co', { operator: 'eq', search: '14.972222..16.252778' }],
  ['-4..-3', american, 'le', { operator: 'le', search: '-20.027778..-19.416667' }],
  ['59..', american, 'eq', { operator: 'eq', search: '59.. °F' }],
] as const)('a range in the chosen unit is sent in the base unit: %s', async (typed, chosen, operator, expected) => {
  preferences.units = chosen
  search('temperature', operator, typed)
  await readList('devices', queryOf(lists.devices))
  expect(queries.at(-1)).toMatchObject(expected)
})

test('contains, starts with and ends with become equals in a converted unit', () => {
  for (const operator of ['co', 'sw', 'ew'])
    expect(searchInBaseUnit({ column: 'temperature', operator, search: '60.0 °F' })).toMatchObject({ operator: 'eq' })
  const inCelsius = { column: 'temperature', operator: 'co', search: '60' }
  expect(searchInBaseUnit({ ...inCelsius, search: '60 °C' })).toEqual(inCelsius)
})

test.each([
  ['temperature', 'warm'],
  ['temperature', '60 bananas'],
  ['model', '60'],
  ['recovery_rate', '60'],
])('a search of %s for %s is sent as typed', async (column, typed) => {
  preferences.units = american
  search(column, 'co', typed)
  await readList('devices', queryOf(lists.devices))
  expect(queries.at(-1)).toMatchObject({ column, operator: 'co', search: typed })
})

test('a followed search keeps its meaning and its text when other units are chosen', async () => {
  preferences.units = american
  search('temperature', 'gt', '60')
  const list = { entity: 'devices' as const, state: lists.devices, focus: {} as never, rows: [{ id: 'x' } as never] }
  await commandOf('list.selectAll')
    .prepare({ ...currentContext(), list: { ...list, count: 168 } }, {})
    .run({ progress } as unknown as Services)
  const selection = selections.devices
  expect(selection.covers()).toBe(true)
  preferences.units = { ...defaultUnits }
  expect(selection.covers()).toBe(false)
  expect(describeSearch('devices', selection.query!)).toBe('Temperature greater than “60 °F”')
  await readMatches('devices', selection.query!, progress)
  expect(queries.at(-1)).toMatchObject(inBaseUnit)
})

test('an export requests the same rows and describes the search in its notes', async () => {
  preferences.units = american
  search('temperature', 'gt', '60')
  const view = { units: american, zone: 'UTC', now: 0 }
  const { table } = listTable({ entity: 'devices', list: lists.devices, columns: 'shown', view, progress })
  for await (const page of table.pages) expect(page).toEqual([])
  expect(queries.at(-1)).toMatchObject(inBaseUnit)
  expect(table.notes()).toContain('Search: Temperature greater than ‘60 °F’')
})
