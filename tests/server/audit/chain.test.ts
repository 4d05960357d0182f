/** The chain of the audit log: what verification finds, beside servers that write, and from the command line. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openRecorder, type CallColumns } from '../../../server/audit/recorder.ts'
import { verifyChain, type LinkName } from '../../../server/audit/verify.ts'
import type { Database } from '../../../server/db/database.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { migrate } from '../../../server/db/migrations.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { runScript } from '../support/processes/runScript.ts'

/** The number of migrations before the one that adds the chain. */
const migrationsBefore = 6

const { call, databaseUrl, db, signIn } = await startServer()

const entry = (name: string): CallColumns => ({
  at: new Date(),
  account_id: 'a',
  login: name,
  role: 'admin',
  action: `POST /${name}`,
  // What may be cut differently must not look alike, and numbers are kept as PostgreSQL writes them.
  ids: ['1:a,', '-,', '', 'ünï, 💧'],
  values: { b: [1e21, 0.1, null, { c: '"\\\n' }], a: -0 },
  address: '::1',
})
const outcome = (created_ids: string[] | null = null) =>
  ({ outcome: 'done', status: 200, done: null, failed: 1, message: 'ä', created_ids, ended_at: new Date() }) as const

beforeAll(async () => {
  const recorder = openRecorder(db)
  for (const name of ['one', 'two', 'three']) await recorder.end(await recorder.begin(entry(name)), outcome(['x', '']))
  await recorder.refuse({ ...entry('refused'), ...outcome(), outcome: 'refused' })
  await recorder.count({ ...entry('counted'), ...outcome() })
  await recorder.begin(entry('open'))
  const { access_token: token } = await signIn('admin')
  await call('DELETE', '/api/v3/vendors', { token, body: { ids: ['nobody', '\ud800'] } })
})

/** Returns what verification says after some statements, which are rolled back. */
async function verdictAfter(...statements: SQL[]): Promise<string> {
  let verdict = ''
  const verdictReached = new Error('Rolled back')
  const changed = db.transaction(async tx => {
    await tx.execute(sql`set local session_replication_role = replica`)
    for (const statement of statements) await tx.execute(statement)
    verdict = await verifyChain(tx).then(
      () => 'whole',
      (error: unknown) => String(error),
    )
    throw verdictReached
  })
  await expect(changed).rejects.toBe(verdictReached)
  return verdict
}

/** Allows to change ids. */
const anyId = sql`alter table audit alter column id drop identity`
const idOf = (login: string) => sql`(select id from audit where login = ${login})`
const idsOf = async (db: Database) =>
  new Map((await db.select().from(audit)).map(({ login, id }) => [login ?? '', id] as const))

describe('verification', () => {
  test('finds nothing where nothing was changed', async () => {
    expect(await verdictAfter()).toBe('whole')
    expect(await verifyChain(db)).toEqual({
      entries: await db.$count(audit),
      counting: 1,
      last: { position: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  test.each<[string, SQL, string]>([
    ['time', sql`at = at + interval '1 ms'`, 'two'],
    ['account', sql`account_id = 'b'`, 'two'],
    ['action', sql`action = 'GET /'`, 'two'],
    ['ids', sql`ids = ids[1:3]`, 'two'],
    ['order of ids', sql`ids = array['-,', '1:a,', '', 'ünï, 💧']`, 'two'],
    ['values', sql`"values" = '{}'`, 'two'],
    ['address', sql`address = '::2'`, 'two'],
    ['outcome', sql`outcome = 'failed'`, 'two'],
    ['message', sql`message = ''`, 'two'],
    ['created ids', sql`created_ids = null`, 'two'],
    ['end', sql`ended_at = null`, 'two'],
    ['outcome of a refusal', sql`outcome = 'done'`, 'refused'],
    ['outcome of an open call', sql`outcome = 'done', status = 200`, 'open'],
    ['outcome of an open call, to interrupted', sql`outcome = 'interrupted'`, 'open'],
    ['message of an open call', sql`message = 'x'`, 'open'],
  ])('finds a changed %s', async (_, change, login) => {
    const id = (await idsOf(db)).get(login)!
    expect(await verdictAfter(sql`update audit set ${change} where id = ${id}`)).toContain(`ntry ${id} `)
  })

  test('finds a changed id', async () => {
    const id = (await idsOf(db)).get('two')!
    expect(await verdictAfter(anyId, sql`update audit set id = id + 1000 where id = ${id}`)).toContain(`Entry ${id} `)
  })

  test('finds removed, added and moved entries, and names the first one', async () => {
    const ids = await idsOf(db)
    const [two, three] = [ids.get('two')!, ids.get('three')!]
    const remove = sql`delete from audit where id in (${two}, ${three})`
    expect(await verdictAfter(remove)).toContain(`Entry ${two} `)
    expect(await verdictAfter(remove, sql`delete from audit_links where entry in (${two}, ${three})`)).toMatch(
      /Link \d+ was removed/,
    )
    // Also if the gap is closed: two calls have four links.
    const from = sql`(select min(position) from audit_links where entry = ${ids.get('refused')!})`
    const close = [
      sql`update audit_links set position = -position where position >= ${from}`,
      sql`update audit_links set position = -position - 4 where position < 0`,
    ]
    const removeLinks = sql`delete from audit_links where entry in (${two}, ${three})`
    expect(await verdictAfter(remove, removeLinks, ...close)).toContain(`Entry ${ids.get('refused')} `)

    const copy = sql`insert into audit (at, action, ids, "values", address, outcome, status, message)
      select at, action, ids, "values", address, outcome, status, message from audit where id = ${two}`
    expect(await verdictAfter(copy)).toMatch(/Entry \d+ was added/)

    // The same contents under each other's ids.
    const other = sql`case id when ${two} then ${three}::bigint else ${two}::bigint end`
    const swap = [
      sql`update audit set id = -(${other}) where id in (${two}, ${three})`,
      sql`update audit set id = -id where id < 0`,
    ]
    expect(await verdictAfter(anyId, ...swap)).toContain(`Entry ${two} `)
    // The same links in another order.
    const swapLinks = sql`update audit_links set entry = case entry when ${two} then ${three}::bigint else ${two}::bigint end
      where entry in (${two}, ${three})`
    expect(await verdictAfter(swapLinks)).toMatch(/Entry \d+ /)
  })

  test('finds a missing end, and that a link of an earlier verification is missing or another one', async () => {
    const { last } = await verifyChain(db)
    const cut = sql`delete from audit_links where position = ${last.position}`
    expect(await verdictAfter(cut)).toContain(`Link ${last.position} was removed`)
    expect(await verifyChain(db, last)).toMatchObject({ last })
    const other: LinkName = { position: last.position, hash: last.hash.replaceAll(/./g, 'a') }
    await expect(verifyChain(db, other)).rejects.toThrow(
      `Link ${last.position} is not the one that was verified earlier`,
    )
    const later = { position: last.position + 1, hash: last.hash }
    await expect(verifyChain(db, later)).rejects.toThrow('not the one that was verified earlier')
  })
})

test('the database refuses to change an entry that has an outcome, a count downwards, and links', async () => {
  const refused = [
    sql`update audit set outcome = 'started' where id = ${idOf('one')}`,
    sql`update audit set outcome = 'failed' where id = ${idOf('one')}`,
    sql`update audit set outcome = 'done', login = 'else' where id = ${idOf('open')}`,
    sql`update audit set outcome = 'interrupted', message = 'x' where id = ${idOf('open')}`,
    sql`update audit set count = 0 where count is not null`,
    sql`update audit set counting = now() where id = ${idOf('one')}`,
    sql`update audit_links set hash = ''`,
    sql`delete from audit_links`,
  ]
  for (const statement of refused)
    await expect(db.execute(statement)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: 'The audit is append-only' }),
    })
  await verifyChain(db)
})

test('entries of earlier versions are covered from the migration on', async () => {
  const { server } = inject('template')
  const name = `permeate_earlier_${process.pid}_${Date.now()}`
  const url = await createDatabase(server, name)
  onTestFinished(() => dropDatabase(server, name))
  const pool = new Pool({ connectionString: url })
  const earlier = drizzle(pool)
  await migrate(earlier, migrationsBefore)
  await earlier.execute(sql`insert into audit (at, login, action, ids, "values", address, outcome, status, done, message)
    select now(), 'earlier ' || n, 'POST /x', array['a', null, 'b'], '{"b": 1.50, "a": ["ü"]}', '::1', 'done', 200, n, ''
    from generate_series(1, 5) n`)
  await pool.end()
  const { db: migrated, close } = await openPostgres(addressOf(url))
  onTestFinished(close)
  expect(await verifyChain(migrated)).toMatchObject({ entries: 5, last: { position: 5 } })
  const recorder = openRecorder(migrated)
  await recorder.end(await recorder.begin(entry('new')), outcome())
  expect(await verifyChain(migrated)).toMatchObject({ entries: 6, last: { position: 7 } })
  await migrated.transaction(async tx => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`update audit set "values" = '{"b": 1.5, "a": ["ü"]}' where login = 'earlier 3'`)
  })
  await expect(verifyChain(migrated)).rejects.toThrow('Entry 3 ')
})

test('two servers write one chain at the same time', async () => {
  const servers = await Promise.all([openPostgres(addressOf(databaseUrl)), openPostgres(addressOf(databaseUrl))])
  onTestFinished(async () => void (await Promise.all(servers.map(server => server.close()))))
  const before = await verifyChain(db)
  const recorders = servers.map(server => openRecorder(server.db))
  const calls = Array.from({ length: 200 }, async (_, at) => {
    const recorder = recorders[at % 2]!
    const id = await recorder.begin(entry(`call ${at}`))
    await recorder.count({ ...entry('stranger'), ...outcome() })
    await recorder.end(id, outcome())
  })
  await Promise.all(calls)
  const after = await verifyChain(db)
  expect(after.last.position).toBe(before.last.position + 400)
  expect(after.entries).toBe(before.entries + 201)
  const { rows } = await db.execute<{ count: number }>(sql`select sum(count)::integer as count from audit
    where action = 'POST /stranger'`)
  expect(rows).toEqual([{ count: 200 }])
})

describe('npm run audit', () => {
  const run = (...args: readonly string[]) => runScript('audit', args, { DATABASE_URL: databaseUrl })

  test('exports the entries as JSON Lines, oldest first', async () => {
    const file = join(await temporaryFolder(), 'audit.jsonl')
    expect(await run('export', '--out', file)).toMatchObject({ code: 0, out: '' })
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const rows = await db.select().from(audit).orderBy(audit.id)
    expect(lines).toHaveLength(rows.length)
    const [first] = lines.map(line => JSON.parse(line) as Record<string, unknown>)
    expect(first).toMatchObject({
      id: rows[0]!.id,
      login: 'one',
      ids: rows[0]!.ids,
      values: rows[0]!.values,
      outcome: 'done',
      links: [
        { position: 1, kind: 'call', hash: expect.any(String) },
        { position: 2, kind: 'outcome', hash: expect.any(String) },
      ],
    })
  })

  test('verifies the chain and says so, also later by a known link, and fails if it was changed', async () => {
    const good = await run('verify')
    expect(good).toMatchObject({ code: 0, err: '' })
    const { last } = await verifyChain(db)
    const name = `${last.position}:${last.hash}`
    expect(good.out).toContain(name)
    const id = (await idsOf(db)).get('two')!
    await db.transaction(async tx => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql`update audit set login = 'nobody' where id = ${id}`)
    })
    const bad = await run('verify', '--since', name)
    expect(bad).toMatchObject({ code: 1, out: '' })
    expect(bad.err).toContain(`Entry ${id} `)
  })

  test.each([
    [['verify', '--since', 'x'], 'Usage: npm run audit'],
    [['forget'], 'Usage: npm run audit'],
  ])('%j fails with a reason', async (args, message) => {
    const { code, err } = await run(...args)
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
