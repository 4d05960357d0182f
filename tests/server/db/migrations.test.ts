/** The migrations match the schema: otherwise a changed table without a migration would fail only when it is used. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { countMigrations, migrate, migrationFiles } from '../../../server/db/migrations.ts'
import { startServer } from '../support/harness.ts'

const { db } = await startServer()

const folder = join(import.meta.dirname, '../../../server/db/schema')
const modules = await Promise.all(
  readdirSync(folder).map(name => import(join(folder, name)) as Promise<Record<string, unknown>>),
)
const tables = modules.flatMap(module => Object.values(module).filter(value => is(value, PgTable))).map(getTableConfig)

const texts = async (query: ReturnType<typeof sql>) =>
  (await db.execute<{ text: string }>(query)).rows.map(({ text }) => text).toSorted()

/** The number of migrations, which is the schema's version. */
const count = migrationFiles().length

/** PostgreSQL truncates longer names. */
const maxName = 63

describe.each(tables.map(table => [table.name, table] as const))('%s', (name, table) => {
  test('has its columns', async () => {
    const expected = table.columns.map(column => {
      const type = column.getSQLType().replace(' collate "C"', '').replace('timestamp (', 'timestamp(')
      return `${column.name} ${type}${column.notNull ? ' not null' : ''}`
    })
    const made = await texts(sql`
      select attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as text
      from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`)
    expect(made).toEqual(expected.toSorted())
  })

  test('has its indexes', async () => {
    const made = await texts(sql`select indexname as text from pg_indexes where tablename = ${name}`)
    expect(made).toEqual(expect.arrayContaining(table.indexes.map(({ config }) => config.name)))
  })

  test('has its references', async () => {
    const made = await texts(sql`select conname as text from pg_constraint where conrelid = ${name}::regclass`)
    expect(made).toEqual(expect.arrayContaining(table.foreignKeys.map(key => key.getName().slice(0, maxName))))
  })
})

test('a migration is not run twice', async () => {
  const applied = () => texts(sql`select hash as text from drizzle.__drizzle_migrations`)
  const before = await applied()
  expect(before).toHaveLength(count)
  await migrate(db)
  expect(await applied()).toEqual(before)
})

describe('a database of a newer version', () => {
  const refusal = (program: string | null) =>
    db
      .transaction(async tx => {
        await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at, program)
          values ('newer', 0, ${program})`)
        await migrate(tx)
      })
      .then(
        () => 'none',
        (error: unknown) => String(error),
      )

  test('is refused with both versions', async () => {
    const told = await refusal('9.8.7')
    expect(told).toContain(`Permeate 9.8.7 (schema ${count + 1}), and this is the older Permeate `)
    expect(told).toContain(`(schema ${count})`)
  })

  test('is refused by its schema if it does not say its version', async () => {
    expect(await refusal(null)).toContain(
      `a newer version of Permeate (schema ${count + 1}), and this is the older Permeate`,
    )
  })
})

test('a database of a version that did not record itself is recognized', async () => {
  await db.transaction(async tx => {
    await tx.execute(sql`alter table drizzle.__drizzle_migrations drop column program`)
    await migrate(tx)
    expect(await countMigrations(tx)).toBe(count)
    await tx.execute(sql`alter table drizzle.__drizzle_migrations add column program text`)
  })
})
