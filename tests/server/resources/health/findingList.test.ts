/** The list of findings: its order, and the descriptions of the devices. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListQuery } from '../../../../src/api/contract/endpoint.ts'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import { findingStates } from '../../../../src/domain/columns/findings.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { healthFindings } from '../../../../server/db/schema/health.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { findingList } from '../../../../server/resources/health/findings.ts'
import { listPage } from '../../../../server/resources/shared/list.ts'
import { ownFindings } from '../../../../server/resources/shared/scope.ts'
import { startServer } from '../../support/harness.ts'
import { newFinding } from '../../support/subjects.ts'

const { call, db, pool, signIn } = await startServer()
const tokens = { admin: (await signIn('admin')).access_token, vendor: (await signIn('vendor')).access_token }
const [vendor, other] = [demoId('account vendor'), demoId('account vendor2')]
const own = await db
  .select({ bssid: devices.bssid })
  .from(devices)
  .where(eq(devices.vendor_id, vendor))
  .orderBy(asc(devices.bssid))
const [kitchen, lobby] = own.map(({ bssid }) => bssid) as [string, string]
const edit = (bssid: string, description: string) =>
  call('PUT', `/api/v3/devices/${bssid}`, { token: tokens.vendor, body: { description } })
const list = async (by: keyof typeof tokens, query: Record<string, string> = {}) => {
  const answer = await call('GET', `/api/v3/health/findings?${new URLSearchParams(query)}`, { token: tokens[by] })
  return answer.json<{ data: { count: number; data: Finding[] } }>().data
}
const descriptions = ({ data }: { readonly data: readonly Finding[] }) => data.map(({ description }) => description)

const hours = (n: number) => new Date(Date.UTC(2026, 10, 1) + n * 3_600_000)
await edit(kitchen, 'Kitchen, Ärztehaus')
await edit(lobby, 'Atrium')
for (let n = 0; n < 24; n++)
  await newFinding(db, vendor, {
    bssid: n % 2 === 0 ? kitchen : lobby,
    state: findingStates[n % 4]!,
    // Some are found at the same time.
    detected_at: hours(Math.floor(n / 3)),
  })
await newFinding(db, other, { detected_at: hours(100) })

test('open findings come first, and the newest before others', async () => {
  const { count, data } = await list('admin', { limit: '100' })
  expect(count).toBe(25)
  const keyOf = ({ state, detected_at, _id }: Finding) => [state === 'open' ? 1 : 0, detected_at, _id].join(' ')
  const keys = data.map(keyOf)
  expect(keys).toEqual(keys.toSorted().toReversed())
  expect(data[0]).toMatchObject({ state: 'open', detected_at: hours(100).toISOString() })
  expect((await list('vendor')).count).toBe(24)
})

test.each([
  ['eq', kitchen.replaceAll(':', '').toLowerCase()],
  ['ew', kitchen.replaceAll(':', '').slice(-5)],
  ['co', kitchen.replaceAll(':', '-')],
])('the device of a finding is found however its BSSID is written: %s %s', async (operator, search) => {
  const { count, data } = await list('vendor', { column: 'bssid', operator, search })
  expect([count, ...new Set(data.map(({ bssid }) => bssid))]).toEqual([12, kitchen])
})

test('open findings are read by when they were notified, however long ago they were found', async () => {
  const inDays = (n: number) => new Date(Date.now() + n * 86_400_000)
  const late = await newFinding(db, other, { detected_at: hours(-900), told_at: inDays(2) })
  const early = await newFinding(db, other, { detected_at: hours(-1), told_at: inDays(1) })
  const never = await newFinding(db, other, { detected_at: hours(300), told_at: null })
  const query = { search: 'Open', column: 'state', operator: 'eq', sort: 'told_at', direction: 'desc', limit: '100' }
  const ids = (await list('admin', query)).data.map(({ _id }) => _id)
  expect(ids.slice(0, 2)).toEqual([late, early])
  expect(ids.at(-1)).toBe(never)
  await db.delete(healthFindings).where(inArray(healthFindings.id, [late, early, never]))
})

test('any page, of few or many matches, is a part of the whole list', async () => {
  const whole = (scoped: boolean) =>
    pageOf(findingList, scoped ? vendor : null, { limit: 1000 }).then(({ keys }) => keys)
  const lists = { all: await whole(false), own: await whole(true) }
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.nat({ max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async (isScoped, offset, limit, few) => {
        const keys = isScoped ? lists.own : lists.all
        const page = await pageOf({ ...findingList, ...(few && { fewMatches: 0 }) }, isScoped ? vendor : null, {
          offset,
          limit,
        })
        expect(page).toEqual({ count: keys.length, keys: keys.slice(offset, offset + limit) })
      },
    ),
    { numRuns: 100 },
  )
})

test('deep pages across the end of the open findings are the same in any order of reading', async () => {
  const { keys } = await pageOf(findingList, null, { limit: 1000 })
  const deep = { ...findingList, fewMatches: 0 }
  const last = keys.length - 1
  for (const offset of [...keys.keys(), ...keys.map((_, index) => last - index)])
    for (const limit of [1, 3, 7])
      expect({ offset, limit, keys: (await pageOf(deep, null, { offset, limit })).keys }).toEqual({
        offset,
        limit,
        keys: keys.slice(offset, offset + limit),
      })
})

test('it is searched and sorted by the descriptions of devices, in any case', async () => {
  const found = await list('vendor', { column: 'description', search: 'ÄRZTE' })
  expect(new Set(descriptions(found))).toEqual(new Set(['Kitchen, Ärztehaus']))
  expect(found.count).toBe(12)
  expect(descriptions(await list('vendor', { sort: 'description', limit: '1' }))).toEqual(['Atrium'])
  expect(descriptions(await list('vendor', { sort: 'description', direction: 'desc', limit: '1' }))).toEqual([
    'Kitchen, Ärztehaus',
  ])
})

test('a new description of a device is that of its findings', async () => {
  await edit(lobby, 'Winter garden')
  const found = await list('admin', { column: 'bssid', operator: 'eq', search: lobby })
  expect(new Set(descriptions(found))).toEqual(new Set(['Winter garden']))
  expect((await list('admin', { column: 'description', search: 'atrium' })).count).toBe(0)
})

test('the first page is read from an index, however many findings there are', async () => {
  const [row] = await db.select({ bssid: healthFindings.bssid }).from(healthFindings).limit(1)
  await db.execute(sql`
    insert into health_findings (id, bssid, vendor_id, number, "group", cause, severity, tempo, confidence, alternatives,
      evidence, size, detected_at, began_early, began_at, began_late, updated_at, state, description,
      claimed_cause, claimed_confidence)
    select 'many ' || n, bssid, vendor_id, 1000 + n, "group", cause, severity, tempo, confidence, alternatives, evidence, size,
      detected_at - n * interval '1 minute', began_early, began_at, began_late, updated_at,
      case when n % 20 = 0 then 'open' else 'resolved' end, 'Device ' || n, claimed_cause, claimed_confidence
    from generate_series(1, 20000) as n, (select * from health_findings where bssid = ${row!.bssid} limit 1) as one`)
  await db.execute(sql`analyze health_findings`)
  expect(await planOf({ direction: 'desc' })).toMatch(/Scan Backward using health_findings_open_newest/)
  expect(await planOf({ direction: 'desc', offset: 19_000 })).toMatch(/Scan.* using health_findings_newest/)
  expect(await planOf({ sort: 'description' })).toMatch(/Index Only Scan using health_findings_by_description/)
  expect(await planOf({ column: 'description', search: 'device 123' })).toContain('health_findings_description_search')
})

const callerOf = (vendor: string | null) => ({ vendor })
const pageOf = (of: typeof findingList, by: string | null, query: ListQuery) =>
  listPage(db, of, ownFindings(callerOf(by)), ListQuery.parse({ direction: 'desc', ...query }))

/** Returns how PostgreSQL reads the keys of a page. */
async function planOf(query: ListQuery): Promise<string> {
  const statements: { readonly text: string; readonly values: unknown[] }[] = []
  const logged = drizzle(pool, { logger: { logQuery: (text, values) => statements.push({ text, values }) } })
  await listPage(logged, findingList, undefined, ListQuery.parse(query))
  const { text, values } = statements.at(-1)!
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}
