/** The stored device counts, which lists use, always equal a count of the rows. */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database } from '../../../server/db/database.ts'
import { startServer } from '../support/harness.ts'

const { db } = await startServer()

interface Group {
  readonly vendor_id: string
  readonly model_id: string
  readonly filtration_system_id: string | null
  readonly n: number
}
const groups = async (on: Database, source: string, n: string) =>
  (
    await on.execute<Group & Record<string, unknown>>(
      sql`select vendor_id, model_id, filtration_system_id, ${sql.raw(n)}::integer as n from ${sql.raw(source)}
          group by 1, 2, 3 having ${sql.raw(n)} <> 0 order by 1, 2, 3`,
    )
  ).rows

async function expectCounts(on: Database = db): Promise<void> {
  expect(await groups(on, 'device_counts', 'sum(count)')).toEqual(await groups(on, 'devices', 'count(*)'))
}

const some = async (query: string) => (await db.execute<{ id: string }>(sql.raw(query))).rows.map(row => row.id)
const vendors = await some(`select id from accounts where role = 'vendor' order by id`)
const models = await some('select id from device_models order by id')
const systems = await some('select id from filtration_systems order by id')

const from = <T>(values: readonly T[]) => fc.constantFrom(...values)
const group = fc.record({ vendor: from(vendors), model: from(models), system: from([null, ...systems]) })
/** Few keys, so that the same ones are inserted and deleted repeatedly. */
const keys = fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 20 })
const change = fc.oneof(
  fc.record({ type: fc.constant('insert' as const), keys, group, else: from(['nothing', 'update'] as const) }),
  fc.record({ type: fc.constant('move' as const), keys, group }),
  fc.record({ type: fc.constant('touch' as const), keys }),
  fc.record({ type: fc.constant('delete' as const), keys }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const bssid = (place: number) => `C0:00:00:00:00:${place.toString(16).padStart(2, '0').toUpperCase()}`

async function apply(on: Database, one: Change): Promise<void> {
  const listed = sql`any(${sql.param(one.keys.map(bssid))}::text[])`
  if (one.type === 'delete') return void (await on.execute(sql`delete from devices where bssid = ${listed}`))
  if (one.type === 'touch')
    return void (await on.execute(sql`update devices set description = 'touched' where bssid = ${listed}`))
  const { vendor, model, system } = one.group
  const values = sql`vendor_id = ${vendor}, model_id = ${model}, filtration_system_id = ${system}`
  if (one.type === 'move') return void (await on.execute(sql`update devices set ${values} where bssid = ${listed}`))
  const otherwise = one.else === 'nothing' ? sql`do nothing` : sql`(bssid) do update set ${values}`
  return void (await on.execute(
    sql`insert into devices (bssid, platform, vendor_id, model_id, filtration_system_id)
        select key, 'p', ${vendor}, ${model}, ${system} from unnest(${sql.param(one.keys.map(bssid))}::text[]) as key
        on conflict ${otherwise}`,
  ))
}

test('stored counts are right for the demo fleet', () => expectCounts())

test('stored counts are right after any inserts, moves, deletions and rollbacks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.boolean(), async (changes, undone) => {
      const work = db.transaction(async tx => {
        for (const one of changes) await apply(tx, one)
        await expectCounts(tx)
        if (undone) throw new Error('undone')
      })
      if (undone) await expect(work).rejects.toThrow('undone')
      else await work
      await expectCounts()
    }),
    { numRuns: 60 },
  )
})

test('stored counts are right after concurrent writers, which do not wait for each other', async () => {
  const writer = (from: number) => async () => {
    for (let round = 0; round < 15; round++) {
      const own = [from, from + 1, from + 2]
      const at = (place: number) => ({ vendor: vendors[place % 2]!, model: models[0]!, system: null })
      await db.transaction(async tx => {
        // In opposite orders, so that waiting writers would deadlock.
        await apply(tx, { type: 'insert', keys: own, group: at(from), else: 'update' })
        await apply(tx, { type: 'move', keys: own, group: at(from + 1) })
        if (round % 3 > 0) await apply(tx, { type: 'delete', keys: own.slice(round % 3) })
      })
    }
  }
  await Promise.all([100, 111, 120, 131, 140, 151].map(from => writer(from)()))
  await expectCounts()
})

test('stored counts are empty after a truncate', async () => {
  await db.transaction(async tx => {
    await tx.execute(sql`truncate devices cascade`)
    await expectCounts(tx)
    expect(await tx.$count(sql`device_counts`)).toBe(0)
  })
})
