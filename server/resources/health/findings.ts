/** The list of findings, and what people say of them. */
import { and, asc, desc, eq, gte, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { findings as findingsContract, type Finding } from '../../../src/api/contract/findings.ts'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { newestDays, type FindingGroup } from '../../../src/api/contract/health/fleet.ts'
import { findingColumns } from '../../../src/domain/columns/findings.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceHealth, healthFindings } from '../../db/schema/health.ts'
import { handler, isPreview, type Caller } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { listPage } from '../shared/list.ts'
import { bssidColumn, company, folded, storedColumns } from '../shared/listColumns.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { ownFindings } from '../shared/scope.ts'
import { readGroups } from './findingGroups.ts'

export const findingList: ListDefinition = {
  table: healthFindings,
  key: healthFindings.id,
  definition: findingsContract.list.columns!,
  columns: storedColumns(healthFindings, findingColumns, {
    bssid: bssidColumn(healthFindings.bssid),
    company_name: company(healthFindings.vendor_id),
    confidence: {
      value: sql`round(${healthFindings.confidence} * 100)`,
      order: { by: healthFindings.confidence, nullable: false },
    },
    login: folded(healthFindings.login),
  }),
  // A literal, as in the condition of the index that has them in this order.
  defaultOrder: { by: healthFindings.detected_at, first: sql`${healthFindings.state} = 'open'` },
}

type Row = typeof healthFindings.$inferSelect & { readonly company: string }
const percentOf = (share: number) => Math.round(share * 100)
const isoOrNull = (at: Date | null) => at?.toISOString() ?? null

const toFinding = (row: Row): z.input<typeof Finding> => ({
  _id: row.id,
  bssid: row.bssid,
  description: row.description,
  vendor: { _id: row.vendor_id, company_name: row.company },
  cause: row.cause,
  position: row.position,
  severity: row.severity,
  confidence: percentOf(row.confidence),
  alternatives: row.alternatives.map(({ cause, confidence }) => ({ cause, confidence: percentOf(confidence) })),
  evidence: row.evidence.map(each => ({ ...each, expected: [each.expected[0], each.expected[1]] })),
  tempo: row.tempo,
  detected_at: row.detected_at.toISOString(),
  began_early: row.began_early.toISOString(),
  began_at: row.began_at.toISOString(),
  began_late: row.began_late.toISOString(),
  state: row.state,
  shelved_until: isoOrNull(row.shelved_until),
  reason: row.reason,
  verdict: row.verdict,
  login: row.login,
  ended_at: isoOrNull(row.ended_at),
  told_at: isoOrNull(row.told_at),
})

const select = (db: Database) =>
  db
    .select({ finding: healthFindings, company: accounts.company_name })
    .from(healthFindings)
    .innerJoin(accounts, eq(accounts.id, healthFindings.vendor_id))

/** Returns the newest findings of a device. Does not check access. */
export async function findingsOfDevice(db: Database, bssid: string): Promise<z.input<typeof Finding>[]> {
  const rows = await select(db)
    .where(eq(healthFindings.bssid, bssid))
    .orderBy(sql`${healthFindings.number} desc`)
    .limit(maxOfDevice)
  return rows.map(({ finding, company }) => toFinding({ ...finding, company }))
}
const maxOfDevice = 50

/** Newest findings that are returned at most: more than the overview has lines. */
const maxNewest = 50

export const newest = handler(contract.newest, async ({ caller, services: { db, now } }) => {
  const isNew = and(
    ownFindings(caller),
    eq(healthFindings.state, 'open'),
    gte(healthFindings.detected_at, new Date(now().getTime() - newestDays * msPerDay)),
  )
  // `act` is before `watch`.
  const order = [
    asc(healthFindings.severity),
    desc(healthFindings.confidence),
    desc(healthFindings.detected_at),
  ] as const
  const read = (where: SQL | undefined) =>
    select(db)
      .where(where)
      .orderBy(...order)
      .limit(maxNewest)
  const all = await read(isNew)
  // A group is shown as one line, so only its first finding counts towards the maximum.
  const rows =
    all.length < maxNewest ? all : await read(and(isNew, firstOfLine(await readGroups(db, caller), isNew, order)))
  return rows.map(({ finding, company }) => toFinding({ ...finding, company }))
})

/** Returns the condition that a finding is in no group, or the first one of its group in an order. */
function firstOfLine(groups: readonly FindingGroup[], where: SQL | undefined, order: readonly SQL[]): SQL {
  const grouped = groups.flatMap(({ _id, findings }) => findings.map(id => ({ id, line: _id })))
  const line = sql`coalesce(grouped.line, ${healthFindings.id})`
  return sql`${healthFindings.id} in (
    select distinct on (${line}) ${healthFindings.id} from ${healthFindings}
    left join json_to_recordset(${JSON.stringify(grouped)}) as grouped(id text, line text) on grouped.id = ${healthFindings.id}
    where ${where} order by ${line}, ${sql.join([...order], sql`, `)})`
}

/** Notified findings that are read at most; the list of findings has all. */
const maxNotified = 200

export const notified = handler(contract.notified, async ({ query: { devices }, caller, services: { db } }) => {
  const rows = await select(db)
    .where(
      and(
        ownFindings(caller),
        eq(healthFindings.state, 'open'),
        isNotNull(healthFindings.told_at),
        devices && anyOf(healthFindings.bssid, devices),
      ),
    )
    .orderBy(desc(healthFindings.told_at), asc(healthFindings.id))
    .limit(maxNotified)
  return rows.map(({ finding, company }) => toFinding({ ...finding, company }))
})

export const list = handler(findingsContract.list, async ({ query, caller, services: { db } }) => {
  // By default open findings come first; within each part, the newest.
  const sorted = query.sort ? query : { ...query, direction: 'desc' as const }
  const { keys, ...counted } = await listPage(db, findingList, ownFindings(caller), sorted)
  const rows = await select(db).where(inArray(healthFindings.id, [...keys]))
  const byKey = new Map(rows.map(({ finding, company }) => [finding.id, toFinding({ ...finding, company })]))
  return { ...counted, data: keys.flatMap(key => byKey.get(key) ?? []) }
})

/** Locks the findings that the caller may see, after the health of their devices: the order of the daily step. */
async function lockFindings(tx: Database, caller: Caller, ids: readonly string[]) {
  const askedFindings = and(ownFindings(caller), anyOf(healthFindings.id, ids))
  const itsDevices = tx.select({ bssid: healthFindings.bssid }).from(healthFindings).where(askedFindings)
  await tx
    .select({ bssid: deviceHealth.bssid })
    .from(deviceHealth)
    .where(inArray(deviceHealth.bssid, itsDevices))
    .orderBy(asc(deviceHealth.bssid))
    .for('update')
  return tx.select().from(healthFindings).where(askedFindings).orderBy(asc(healthFindings.id)).for('update')
}

/** Lets the step of these findings' devices be due now, so that scores follow what people say within seconds. */
async function stepSoon(tx: Database, found: readonly { readonly bssid: string }[], at: Date): Promise<void> {
  const bssids = [...new Set(found.map(({ bssid }) => bssid))].toSorted()
  await tx.update(deviceHealth).set({ due_at: at }).where(inArray(deviceHealth.bssid, bssids))
}

/** Returns why a finding cannot be shelved; undefined if it can. */
const whyNotShelved = ({ state }: Pick<typeof healthFindings.$inferSelect, 'state'>): string | undefined =>
  state === 'dismissed' ? 'The finding was dismissed' : state === 'resolved' ? 'The finding has ended' : undefined

export const shelve = handler(contract.shelve, call => {
  const { ids, days, reason } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await lockFindings(tx, call.caller, ids)
    const outcomes = new Map(found.map(finding => [finding.id, whyNotShelved(finding)]))
    if (isPreview(call)) return bulkResponse('Finding', ids, outcomes)
    const at = now()
    const changing = found.filter(finding => whyNotShelved(finding) === undefined)
    await tx
      .update(healthFindings)
      .set({
        state: days === 0 ? 'open' : 'shelved',
        shelved_until: days === 0 ? null : new Date(at.getTime() + days * msPerDay),
        shelved_size: days === 0 ? null : sql`${healthFindings.size}`,
        reason: days === 0 ? null : reason,
        // Unshelving clears the login, unless a verdict needs it.
        login: days === 0 ? sql`case when ${healthFindings.verdict} is not null then login end` : call.caller.login,
        updated_at: at,
      })
      .where(
        inArray(
          healthFindings.id,
          changing.map(({ id }) => id),
        ),
      )
    call.affectedVendors(found.map(({ vendor_id }) => vendor_id))
    await stepSoon(tx, changing, at)
    // How long others were shelved is not restored: some of that time has passed.
    const previous = new Map(found.map(({ id, state }) => [id, state === 'open' ? { days: 0, reason: '' } : undefined]))
    return bulkResponse('Finding', ids, outcomes, previous)
  })
})

export const verdict = handler(contract.verdict, call => {
  const { ids, verdict } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await lockFindings(tx, call.caller, ids)
    const outcomes = new Map(found.map(({ id }) => [id, undefined]))
    if (isPreview(call)) return bulkResponse('Finding', ids, outcomes)
    const at = now()
    const isDismissed = verdict === 'none'
    const isOnShelf = sql`shelved_until > ${at.toISOString()}::timestamptz`
    await tx
      .update(healthFindings)
      .set({
        verdict: verdict === 'found' ? sql`${healthFindings.cause}` : verdict,
        // Dismissed until the verdict is taken back or it has grown; a finding that has ended stays so.
        state: sql`case when ${isDismissed} and state in ('open', 'shelved') then 'dismissed'
          when ${isDismissed} or state <> 'dismissed' then state
          when ${isOnShelf} then 'shelved' else 'open' end`,
        shelved_size: sql`case when ${isDismissed} and state in ('open', 'shelved') then size
          when not ${isDismissed} and state = 'dismissed' and (${isOnShelf}) is not true then null
          else shelved_size end`,
        login:
          verdict === null
            ? sql`case when state = 'shelved' or state = 'dismissed' and ${isOnShelf} then login end`
            : call.caller.login,
        updated_at: at,
      })
      .where(
        inArray(
          healthFindings.id,
          found.map(({ id }) => id),
        ),
      )
    call.affectedVendors(found.map(({ vendor_id }) => vendor_id))
    await stepSoon(tx, found, at)
    const previous = new Map(found.map(finding => [finding.id, { verdict: finding.verdict }]))
    return bulkResponse('Finding', ids, outcomes, previous)
  })
})
