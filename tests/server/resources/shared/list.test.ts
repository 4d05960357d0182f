/** Lists: every operator and order on every column and any page, compared with filtering and sorting all rows. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { operators, type Operator } from '../../../../src/domain/lists/query.ts'
import type { ColumnKind } from '../../../../src/domain/columns/column.ts'
import { deviceColumns } from '../../../../src/domain/columns/devices.ts'
import { startServer } from '../../support/harness.ts'

const { call, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
}

type Column = keyof typeof deviceColumns
const columns = Object.keys(deviceColumns) as Column[]
const kindOf = (column: Column): ColumnKind => deviceColumns[column]

async function get(query: Record<string, string | number>, token = tokens.admin) {
  const url = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await call('GET', `/api/v3/devices?${url}`, { token })
  return { status: answer.statusCode, ...answer.json<{ data: { count: number; data: Device[] }; message: unknown }>() }
}
const all = (await get({ limit: 1000 })).data.data

type Value = string | number | boolean | null
const values: Partial<Record<Column, (device: Device) => Value>> = {
  model: device => device.model.name,
  filtration_system: device => device.filtration_system?.model ?? null,
  company_name: device => device.vendor.company_name,
  flush_smart: device => device.flush.smart,
  flush_mode: device => device.flush.mode,
  flush_frequency: device => device.flush.frequency,
  flush_duration: device => device.flush.duration,
  flush_volume: device => device.flush.volume,
  bypass_smart: device => device.bypass.smart,
  bypass_state: device => device.bypass.state,
  cartridges: device => device.cartridges.map(one => one.replace_at).toSorted()[0] ?? null,
}
const valueOf = (column: Column, device: Device): Value => {
  const read = values[column]
  return read ? read(device) : (device[column as keyof Device] as Value)
}
/** Returns the values that a search compares: for cartridges their models. */
const searchedValues = (column: Column, device: Device): Value[] =>
  column === 'cartridges' ? device.cartridges.map(one => one.model) : [valueOf(column, device)]

function displayedText(column: Column, value: Exclude<Value, null>): string {
  const kind = kindOf(column)
  return 'names' in kind
    ? (kind.names as Record<string, string>)[String(value)]!.toLowerCase()
    : String(value).toLowerCase()
}
const compare = <V extends string | number>(left: V, right: V) => (left < right ? -1 : left > right ? 1 : 0)
/** Returns a sortable value: lower-case text, or a boolean as a number. */
const sortValue = (value: Exclude<Value, null>): string | number =>
  typeof value === 'string' ? value.toLowerCase() : Number(value)

const comparisons: Record<'eq' | 'gt' | 'ge' | 'lt' | 'le', (order: number) => boolean> = {
  eq: order => order === 0,
  gt: order => order > 0,
  ge: order => order >= 0,
  lt: order => order < 0,
  le: order => order <= 0,
}
function passes(column: Column, operator: Operator, search: string, against: Value, value: Value): boolean {
  if (value === null) return false
  const text = displayedText(column, value)
  const needle = search.toLowerCase()
  if (operator === 'co') return text.includes(needle)
  if (operator === 'sw') return text.startsWith(needle)
  if (operator === 'ew') return text.endsWith(needle)
  if (operator === 'ne') return comparisons.eq(compare(sortValue(value), sortValue(against!)))
  return comparisons[operator](compare(sortValue(value), sortValue(against!)))
}
const expected = (column: Column, operator: Operator, search: string, against: Value) =>
  all
    .filter(device => {
      const found = searchedValues(column, device).some(value => passes(column, operator, search, against, value))
      return operator === 'ne' ? !found : found
    })
    .map(device => device.bssid)

/** Returns the first, middle and last of the occurring values. */
function samples(column: Column): Exclude<Value, null>[] {
  const found = new Set(all.flatMap(device => searchedValues(column, device)).filter(value => value !== null))
  const sorted = [...found].toSorted((left, right) => compare(sortValue(left) as number, sortValue(right) as number))
  return [...new Set([sorted[0], sorted[sorted.length >> 1], sorted.at(-1)])].filter(value => value !== undefined)
}

describe.each(columns)('search in %s', column => {
  test.each(operators)('%s', async operator => {
    for (const value of samples(column)) {
      const text = displayedText(column, value)
      const partial = { co: text.slice(1, 4), sw: text.slice(0, 3), ew: text.slice(-3) }
      const search = operator in partial ? partial[operator as keyof typeof partial] : text
      if (search === '') continue
      // Most values have no upper case.
      for (const spelling of new Set([search, search.toUpperCase()])) {
        const { status, data } = await get({ column, operator, search: spelling, limit: 1000 })
        expect(status).toBe(200)
        expect(data.data.map(device => device.bssid)).toEqual(expected(column, operator, search, value))
        expect(data.count).toBe(data.data.length)
      }
    }
  })
})

test('an enumerated value is found by its code and by its name', async () => {
  const byCode = await get({ column: 'status', operator: 'eq', search: '4', limit: 1000 })
  const byName = await get({ column: 'status', operator: 'eq', search: 'leak', limit: 1000 })
  expect(byCode.data.count).toBeGreaterThan(0)
  expect(byCode.data).toEqual(byName.data)
})

test('a date without a time matches its whole day', async () => {
  const day = all[0]!.created_at.slice(0, 10)
  const { data } = await get({ column: 'created_at', operator: 'eq', search: day, limit: 1000 })
  expect(data.data.map(one => one.bssid)).toEqual(
    all.filter(one => one.created_at.startsWith(day)).map(one => one.bssid),
  )
})

test.each(['', '-', ' ', '.'])('a device is found by its id and parts of it with “%s” for colons', async separator => {
  const { bssid } = all[0]!
  const found = async (operator: Operator, part: string) => {
    const { data } = await get({ column: 'bssid', operator, search: part.replaceAll(':', separator), limit: 1000 })
    return data.data.map(device => device.bssid)
  }
  for (const operator of ['co', 'sw', 'ew', 'eq'] as const) expect(await found(operator, bssid)).toEqual([bssid])
  expect(await found('co', bssid.slice(3, 14))).toContain(bssid)
  expect(await found('sw', bssid.slice(0, 13))).toContain(bssid)
  expect(await found('ew', bssid.slice(4))).toContain(bssid)
  expect(await found('co', bssid.slice(4, 13))).toContain(bssid)
})

test('a range matches all values between its ends', async () => {
  const found = (operator: Operator) =>
    get({ column: 'temperature', operator, search: '10..20', limit: 1000 }).then(({ data }) => data.count)
  const counted = (passing: (temperature: number) => boolean) =>
    all.filter(({ temperature }) => temperature !== null && passing(temperature)).length
  expect(counted(one => one >= 10 && one <= 20)).toBeGreaterThan(0)
  expect(await found('eq')).toBe(counted(one => one >= 10 && one <= 20))
  expect(await found('ne')).toBe(all.length - (await found('eq')))
  expect(await found('gt')).toBe(counted(one => one > 20))
  expect(await found('ge')).toBe(counted(one => one >= 10))
  expect(await found('lt')).toBe(counted(one => one < 10))
  expect(await found('le')).toBe(counted(one => one <= 20))
})

test.each(['%', '_', '\\', '%_', "'", '"; drop table devices; --'])('%s is matched literally', async search => {
  for (const column of ['description', 'bssid', 'model', 'temperature', 'created_at'] as const) {
    const { data } = await get({ column, search })
    expect(data.count).toBe(expected(column, 'co', search, null).length)
  }
})

test('an empty search matches all rows with any operator', async () => {
  for (const operator of operators)
    expect((await get({ search: '', operator, column: 'temperature' })).data.count).toBe(all.length)
})

test.each([
  ['temperature', 'warm', 'Temperature must be a number'],
  ['temperature', '20..10', 'Temperature must be a number'],
  ['temperature', '10..', 'Temperature must be a number'],
  ['status', 'fine', 'Status must be one of Ready, Working'],
  ['last_active', 'yesterday', 'Last active must be an ISO 8601 date or time'],
  ['created_at', '2026-13-01', 'Created at must be an ISO 8601 date or time'],
  ['created_at', '2026-02-30', 'Created at must be an ISO 8601 date or time'],
  ['created_at', '2025-02-29T12:00:00+02:00', 'Created at must be an ISO 8601 date or time'],
])('a search of %s refuses %s', async (column, search, message) => {
  const answer = await get({ column, operator: 'eq', search })
  expect(answer.status).toBe(400)
  expect(String(answer.message)).toContain(message)
})

test.each(['column', 'sort'])('an unknown %s is refused with the valid names', async name => {
  for (const unknown of ['password_hash', 'constructor', 'bssid; --']) {
    const answer = await get({ [name]: unknown, search: 'x' })
    expect(answer.status).toBe(400)
    expect(String(answer.message)).toContain('bssid')
  }
})

test('an empty search, column and sort count as absent', async () => {
  const { status, data } = await get({ search: '', column: '', operator: 'co', sort: '', direction: 'asc' })
  expect(status).toBe(200)
  expect(data).toEqual((await get({})).data)
})

/** Returns the sorted ids: rows without a value are last in both directions, and equal ones are ordered by id. */
function sorted(column: Column, direction: 'asc' | 'desc', rows: readonly Device[]): string[] {
  const sign = direction === 'asc' ? 1 : -1
  const key = (device: Device) => {
    const value = valueOf(column, device)
    return value === null ? null : sortValue(value)
  }
  return rows
    .toSorted((left, right) => {
      const [a, b] = [key(left), key(right)]
      if ((a === null) !== (b === null)) return a === null ? 1 : -1
      return sign * (a === null || b === null || a === b ? compare(left.bssid, right.bssid) : a < b ? -1 : 1)
    })
    .map(device => device.bssid)
}

describe.each(['asc', 'desc'] as const)('sorted %s', direction => {
  test.each(columns)('by %s', async column => {
    const { data } = await get({ sort: column, direction, limit: 1000 })
    expect(data.data.map(device => device.bssid)).toEqual(sorted(column, direction, all))
  })
})

test('pages of any size form the whole list without gaps or repetitions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        sort: fc.constantFrom(...columns),
        direction: fc.constantFrom('asc' as const, 'desc' as const),
        limit: fc.integer({ min: 7, max: 60 }),
        search: fc.constantFrom('', 'kitchen', 'a'),
        who: fc.constantFrom('admin' as const, 'vendor' as const),
      }),
      async ({ sort, direction, limit, search, who }) => {
        const query = { sort, direction, limit, column: 'description', search }
        const keys: string[] = []
        let count = 0
        do {
          const { data } = await get({ ...query, offset: keys.length }, tokens[who])
          count = data.count
          keys.push(...data.data.map(device => device.bssid))
          if (data.data.length === 0) break
        } while (keys.length < count)
        const seen = all.filter(
          device =>
            device.description.toLowerCase().includes(search) &&
            (who === 'admin' || device.vendor.company_name === 'Aquaterra Water Systems'),
        )
        expect(keys).toEqual(sorted(sort, direction, seen))
      },
    ),
    { numRuns: 60 },
  )
})

test('a page beyond the end is empty', async () => {
  const { data } = await get({ offset: 1_000_000, sort: 'model' })
  expect(data).toEqual({ count: all.length, data: [] })
})
