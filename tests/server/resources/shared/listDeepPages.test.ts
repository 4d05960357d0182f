/** Pages far from both ends of a list, which are read from pages beside them, and counts that are estimates. */
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import { demoId } from '../../../../server/demo/random.ts'
import type { Database } from '../../../../server/db/database.ts'
import { deviceList } from '../../../../server/resources/devices/columns.ts'
import { listPage } from '../../../../server/resources/shared/list.ts'
import { memoryLifetime, openListMemory } from '../../../../server/resources/shared/listMemory.ts'
import { ownDevices } from '../../../../server/resources/shared/scope.ts'
import { startServer } from '../../support/harness.ts'

const { db, call, signIn } = await startServer()
const token = (await signIn('admin')).access_token
const added = 12_000

/** Adds devices of all vendors, every third of them in a kitchen; their ids begin with `prefix`. */
async function addDevices(prefix: string, count: number, to: Database = db): Promise<void> {
  await to.execute(sql`
    insert into devices (bssid, platform, model_id, filtration_system_id, vendor_id, description)
    select ${prefix}::text || regexp_replace(lpad(to_hex(n), 6, '0'), '(..)', ':\\1', 'g'), platform, model_id,
      filtration_system_id, vendor_id, case when n % 3 = 0 then 'Kitchen ' || n % 100 else 'Office' end
    from generate_series(1, ${count}::integer) as n
    join (select *, row_number() over (order by bssid) as number, count(*) over () as devices from devices) as original
      on number = 1 + n % devices`)
  await to.execute(sql`
    update device_values set status = abs(hashtext(bssid)) % 3,
      temperature = nullif(abs(hashtext(bssid)) % 300, 7) / 10.0 where bssid like ${`${prefix}%`}`)
}

beforeAll(async () => {
  await addDevices('50:00:00', added)
  await db.execute(sql`vacuum analyze devices, device_values`)
})

async function get(query: ListQuery): Promise<{ count: number; count_is?: string; keys: string[] }> {
  const url = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await call('GET', `/api/v3/devices?${url}`, { token })
  const { data, ...counted } = answer.json<{ data: { count: number; count_is?: string; data: Device[] } }>().data
  return { ...counted, keys: data.map(({ bssid }) => bssid) }
}

/** Reads the whole list in its order, in the largest pages from the start. */
async function wholeList(query: ListQuery): Promise<string[]> {
  const rows = await db.transaction(async tx => {
    const keys: string[] = []
    for (let offset = 0; ; offset += 1000) {
      const page = await listPage(tx, deviceList, undefined, ListQuery.parse({ ...query, offset, limit: 1000 }))
      keys.push(...page.keys)
      if (page.keys.length < 1000) return keys
    }
  })
  return rows
}

const kitchens = { search: 'kitchen', column: 'description' } as const
const orders: readonly ListQuery[] = [
  {},
  { sort: 'temperature' },
  { sort: 'temperature', direction: 'desc' },
  { sort: 'status' },
  { sort: 'company_name' },
  { search: '50:', sort: 'description' },
  { ...kitchens, search: 'i', sort: 'last_active' },
]

test.each(orders)(
  'pages in the middle of %o are the same in any order of reading, forwards and backwards',
  async query => {
    const whole = await wholeList(query)
    const middle = Math.floor(whole.length / 2) - 60
    const offsets = [
      middle,
      middle + 20,
      middle + 40,
      middle + 20,
      middle,
      middle - 20,
      middle - 50,
      middle + 33,
      middle,
    ]
    for (const offset of offsets) {
      const { count, keys } = await get({ ...query, offset })
      expect(keys).toEqual(whole.slice(offset, offset + 20))
      expect(count).toBe(whole.length)
    }
  },
)

test('pages that are turned while devices are added and deleted neither skip nor repeat a device', async () => {
  const whole = await wholeList({})
  const start = 6000
  const first = await get({ offset: start })
  await addDevices('00:00:00', 7)
  const second = await get({ offset: start + 20 })
  // The row from which the next page is read.
  await db.execute(sql`delete from devices where bssid like '00:00:00%' or bssid = ${second.keys.at(-1)}`)
  const third = await get({ offset: start + 40 })
  await addDevices('00:00:00', 3)
  const back = await get({ offset: start + 20 })
  expect([...first.keys, ...second.keys, ...third.keys]).toEqual(whole.slice(start, start + 60))
  expect(third.count).toBe(whole.length - 1)
  expect(back.keys).toEqual([...second.keys.slice(0, -1), third.keys[0]])
  await db.execute(sql`delete from devices where bssid like '00:00:00%'`)
})

test('what a list remembers is used for a minute', () => {
  let now = 0
  const memory = openListMemory(() => now)
  memory.addCount('search', 7)
  memory.addBorders('rows', [{ index: 3, key: 'a', value: null, countedAt: now }])
  now = memoryLifetime - 1
  expect([memory.countOf('search'), memory.bordersOf('rows').length]).toEqual([7, 1])
  now = memoryLifetime
  expect([memory.countOf('search'), memory.bordersOf('rows').length]).toEqual([undefined, 0])
})

/** The list of devices as if it were too large to count all matches. */
const large = { ...deviceList, countedRows: 1000 }
const callers = (['admin', 'vendor'] as const).map(role => ({
  role,
  login: role,
  vendor: role === 'vendor' ? demoId('account vendor') : null,
  account: demoId(`account ${role}`),
  session: '',
}))

test.each(callers)(
  'for $login a large list estimates many matches if it may, with the rows of the exact list',
  async caller => {
    for (const order of [{}, { sort: 'temperature' }, { sort: 'company_name' }, { sort: 'filtration_system' }]) {
      for (const direction of ['asc', 'desc'] as const) {
        const query = { ...kitchens, ...order, direction, offset: 40 }
        const scope = ownDevices(caller)
        const exact = await listPage(db, deviceList, scope, ListQuery.parse(query))
        // A database without what the exact list has left in memory.
        const estimated = await db.transaction(tx =>
          listPage(tx, large, scope, ListQuery.parse({ ...query, count: 'estimate' })),
        )
        expect(exact.count_is).toBeUndefined()
        expect(estimated.count_is).toBe('estimate')
        expect(estimated.keys).toEqual(exact.keys)
        expect(Math.abs(estimated.count / exact.count - 1)).toBeLessThan(0.2)
      }
    }
  },
)

test('a large list counts few matches, pages far from those that were read, and pages at the end', async () => {
  const read = (query: ListQuery) =>
    db.transaction(tx => listPage(tx, large, undefined, ListQuery.parse({ ...query, count: 'estimate' })))
  const few = await read({ search: '50:00:00:00:00:1', column: 'bssid' })
  expect([few.count, few.count_is]).toEqual([16, undefined])
  const { count } = await listPage(db, deviceList, undefined, ListQuery.parse(kitchens))
  const last = await read({ ...kitchens, offset: count - 10 })
  expect([last.count, last.count_is]).toEqual([count, undefined])
  expect(last.keys).toHaveLength(10)
  const far = await read({ search: 'i', column: 'description', offset: 11_000 })
  expect(far.count_is).toBeUndefined()
})

test('what a small vendor has in a large list is counted', async () => {
  const vendor = {
    ...callers[1]!,
    login: 'vendor2',
    vendor: demoId('account vendor2'),
    account: demoId('account vendor2'),
  }
  const scope = ownDevices(vendor)
  const { count } = await listPage(db, deviceList, scope, ListQuery.parse({}))
  const read = (countedRows: number) =>
    db.transaction(tx =>
      listPage(tx, { ...deviceList, countedRows }, scope, ListQuery.parse({ ...kitchens, count: 'estimate' })),
    )
  expect((await read(count)).count_is).toBeUndefined()
  expect((await read(count - 1)).count_is).toBe('estimate')
})

test('after a page that was counted, pages beside it have its count as an estimate', async () => {
  const query = { search: 'i', column: 'description', count: 'estimate' } as const
  await db.transaction(async tx => {
    const read = (offset: number) =>
      listPage(tx, { ...large, fewMatches: 500 }, undefined, ListQuery.parse({ ...query, offset }))
    const counted = await read(11_000)
    expect(counted.count_is).toBeUndefined()
    const next = await read(11_020)
    expect(next).toMatchObject({ count: counted.count, count_is: 'estimate' })
    expect(next.keys).toEqual((await wholeList({ search: 'i', column: 'description' })).slice(11_020, 11_040))
  })
})

test('a page that reaches the end of what was estimated is counted, so that the rows behind it have pages', async () => {
  const query = { search: 'i', column: 'description', count: 'estimate' } as const
  await db.transaction(async tx => {
    const read = (offset: number) =>
      listPage(tx, { ...large, fewMatches: 500 }, undefined, ListQuery.parse({ ...query, offset }))
    const { count } = await read(11_000)
    await addDevices('00:00:00', 60, tx)
    expect(await read(count - 40)).toMatchObject({ count, count_is: 'estimate' })
    const last = await read(count - 20)
    expect([last.count, last.count_is]).toEqual([count + 60, undefined])
    expect(await read(count - 40)).toMatchObject({ count: count + 60, count_is: 'estimate' })
    await tx.execute(sql`delete from devices where bssid like '00:00:00%'`)
  })
})

test('a list of some thousand devices is always counted', async () => {
  const exact = await get(kitchens)
  expect(exact.count).toBeGreaterThan(4000 - 1)
  expect(await get({ ...kitchens, count: 'estimate' })).toEqual(exact)
  expect((await call('GET', '/api/v3/devices?count=guess', { token })).statusCode).toBe(400)
})
