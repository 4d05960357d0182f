/** Checksums of the database, for tests that nothing has changed. */
import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../../../server/db/database.ts'
import { prepareStatement } from '../../../../server/db/prepared.ts'

const schemaFolder = join(import.meta.dirname, '../../../../server/db/schema')

/** Tables that refused calls may write to: failed logins, sessions, mails, idempotency keys and the audit log. */
const bookkeeping = [
  'login_failures',
  'access_tokens',
  'refresh_tokens',
  'sessions',
  'known_addresses',
  'login_tickets',
  'passkey_challenges',
  'mail_tokens',
  'queued_mails',
  'idempotency_keys',
  'audit',
  'audit_links',
  'audit_chain',
]

async function schemaTables(): Promise<string[]> {
  const modules = await Promise.all(
    (await readdir(schemaFolder)).map(file => import(join(schemaFolder, file)) as Promise<Record<string, unknown>>),
  )
  const exported: unknown[] = modules.flatMap(module => Object.values(module))
  const names = exported.filter(value => is(value, PgTable)).map(table => getTableName(table))
  return names.filter(name => !bookkeeping.includes(name)).toSorted()
}

const tables = await schemaTables()

const sums = tables.map(
  // Of two sets of rows that differ, the sums of 64-bit hashes are equal with a probability of 2⁻⁶⁴, and need no sorting.
  name => sql`select ${sql.raw(`'${name}'`)} as name, count(*)::text || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) as sum
    from ${sql.identifier(name)} t`,
)
// Planning it takes longer than reading the rows of a test.
const readSums = prepareStatement<{ name: string; sum: string }>('checksum', sql.join(sums, sql` union all `))

/** Counts each statement that writes to one of the tables, also in transactions that are rolled back. */
const countStatements = sql.raw(`
  create sequence test_statements;
  create function test_count_statement() returns trigger language plpgsql as
    $$ begin perform nextval('test_statements'); return null; end $$;
  ${tables
    .map(
      name => `create trigger test_count_statement after insert or update or delete or truncate on "${name}"
        execute function test_count_statement();`,
    )
    .join('\n')}`)
const readCount = prepareStatement<{ count: string; isQuiet: boolean }>(
  'statements',
  // Without a transaction in progress, all that was counted is in the tables.
  sql`select last_value::text as count, pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()) as "isQuiet"
    from test_statements`,
)

const known = new WeakMap<Database, { count: string; sum: string } | undefined>()

/**
 * Returns a checksum over all rows of all tables except `bookkeeping`. Tests of refused calls ask some thousand times, so
 * the sums are only read again after a statement has written to the tables.
 */
export async function checksum(db: Database): Promise<string> {
  if (!known.has(db)) await db.execute(countStatements)
  const last = known.get(db)
  known.set(db, last)
  const [statements] = await readCount(db, {}, { keepPlan: true })
  const { count, isQuiet } = statements!
  if (last?.count === count) return last.sum
  const rows = await readSums(db, {}, { keepPlan: true })
  const sum = JSON.stringify(rows.toSorted((a, b) => a.name.localeCompare(b.name)))
  known.set(db, isQuiet ? { count, sum } : undefined)
  return sum
}

/** Returns all rows that do not belong to an account, as text. */
export async function rowsOfOthers(db: Database, account: string): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select t::text from devices t where vendor_id <> ${account}
    union all select t::text from device_cartridges t join devices using (bssid) where vendor_id <> ${account}
    union all select t::text from notifications t join devices using (bssid) where devices.vendor_id <> ${account}
    union all select t::text from events t join event_devices e on e.event_id = t.id join devices using (bssid)
      where devices.vendor_id <> ${account}
    union all select t::text from event_devices t join devices using (bssid) where devices.vendor_id <> ${account}
    union all select t::text from accounts t where id <> ${account}
    union all select t::text from device_models t where owner_id is distinct from ${account}
    union all select t::text from device_model_vendors t where vendor_id <> ${account}
    union all select t::text from filtration_systems t
    union all select t::text from filtration_system_cartridges t
    union all select t::text from filtration_system_groups t
    union all select t::text from cartridge_types t
    order by 1`)
  return rows
}
