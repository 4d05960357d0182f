/** Stores conditions and notifications. */
import { sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { withRetry } from '../../db/retry.ts'
import { deviceAlarms, incidents } from '../../db/schema/notifications.ts'
import { devices } from '../../db/schema/devices.ts'
import { unevaluatedReadings } from '../../db/schema/telemetry.ts'
import { lockNotifications, storeLimited } from './storeNotifications.ts'
import { conditionKey, type ActiveConditions, type Transition } from './conditions.ts'

/** A transition of a device at a time. */
export interface DeviceTransition extends Transition {
  readonly bssid: string
  readonly at: Date
}

/** What was stored. */
export interface StoreResult {
  /** The ids of the new notifications. */
  readonly created: readonly string[]
  /** The vendors whose incidents had a condition that has ended. */
  readonly incidentVendors: readonly string[]
}
const nothingStored: StoreResult = { created: [], incidentVendors: [] }
const both = (one: StoreResult, other: StoreResult): StoreResult => ({
  created: [...one.created, ...other.created],
  incidentVendors: [...one.incidentVendors, ...other.incidentVendors],
})

/** Transitions per statement; small enough not to block PGlite. */
const batchSize = 1_000

/**
 * Stores transitions in order. A condition that another process has already begun is skipped, so that exactly one
 * process creates the notification. Skips deleted devices.
 */
export async function storeTransitions(db: Database, transitions: readonly DeviceTransition[]): Promise<StoreResult> {
  let stored = nothingStored
  for (const chunk of chunksOf(transitions))
    stored = both(stored, await withRetry(() => db.transaction(tx => storeChunks(tx, chunk))))
  return stored
}

/**
 * Stores the transitions of a batch of readings and that it is evaluated, both or neither. Returns `undefined` and stores
 * nothing if another process has evaluated the batch.
 */
export const storeEvaluation = (
  db: Database,
  batch: string,
  transitions: readonly DeviceTransition[],
): Promise<StoreResult | undefined> =>
  withRetry(async () => {
    // Usually there are none, and one statement is enough.
    if (transitions.length === 0) return (await markEvaluated(db, batch)) ? nothingStored : undefined
    return db.transaction(async tx => {
      return (await markEvaluated(tx, batch)) ? storeChunks(tx, transitions) : undefined
    })
  })

/** Runs `work` and stores the transitions that follow from its result, both or neither. */
export const storeAlong = <Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
  transitionsOf: (result: Result) => readonly DeviceTransition[],
): Promise<{ readonly result: Result; readonly stored: StoreResult }> =>
  withRetry(() =>
    db.transaction(async tx => {
      const result = await work(tx)
      return { result, stored: await storeChunks(tx, transitionsOf(result)) }
    }),
  )

async function storeChunks(tx: Database, transitions: readonly DeviceTransition[]): Promise<StoreResult> {
  const notified = transitions.filter(({ begins, values }) => begins && values !== undefined)
  if (notified.length > 0)
    await lockNotifications(
      tx,
      notified.map(({ bssid }) => bssid),
    )
  let stored = nothingStored
  for (const chunk of chunksOf(transitions)) stored = both(stored, await storeChunk(tx, chunk))
  return stored
}

/** Deletes the row of a batch; returns whether there was one. */
async function markEvaluated(db: Database, batch: string): Promise<boolean> {
  return (await deleteBatch(db, { batch }, { keepPlan: true })).length > 0
}
const deleteBatch = prepareStatement<{ id: string }>(
  'delete_evaluated_batch',
  sql`delete from ${unevaluatedReadings} where id = ${sql.placeholder('batch')} returning id`,
)

/** Splits transitions into chunks that one statement can store. */
const chunksOf = (transitions: readonly DeviceTransition[]): DeviceTransition[][] =>
  splitRounds(transitions).flatMap(round =>
    Array.from({ length: Math.ceil(round.length / batchSize) }, (_, index) =>
      round.slice(index * batchSize, (index + 1) * batchSize),
    ),
  )

/** Splits transitions into rounds in which each condition occurs once, as a statement requires; usually one round. */
function splitRounds(transitions: readonly DeviceTransition[]): DeviceTransition[][] {
  const rounds: DeviceTransition[][] = []
  const counts = new Map<string, number>()
  for (const transition of transitions) {
    const key = `${transition.bssid} ${conditionKey(transition)}`
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    ;(rounds[nth] ??= []).push(transition)
  }
  return rounds
}

async function storeChunk(db: Database, transitions: readonly DeviceTransition[]): Promise<StoreResult> {
  const withIds = transitions.map(transition => ({ ...transition, id: newId() }))
  // Sorted, so that concurrent processes lock rows in the same order.
  const { rows } = await db.execute<{ id: string | null; vendor: string | null }>(sql`
    with input as materialized (
      select transition.*, ${devices.vendor_id}
      from json_to_recordset(${JSON.stringify(withIds)}::json) as transition
        (bssid text, type text, subject text, begins boolean, at timestamptz, id text, "values" jsonb)
      join ${devices} on ${devices.bssid} = transition.bssid
      order by transition.bssid, transition.type, transition.subject
      for key share of ${devices}
    ), ended as (
      delete from ${deviceAlarms} using input
      where not input.begins and ${deviceAlarms.bssid} = input.bssid and ${deviceAlarms.type} = input.type
        and ${deviceAlarms.subject} = input.subject
      returning ${deviceAlarms.incident_id}
    ), begun as (
      insert into ${deviceAlarms} (bssid, type, subject, since)
      select bssid, type, subject, at from input where begins order by bssid, type, subject
      on conflict do nothing
      returning bssid, type, subject
    ), ${storeLimited(sql`
      select id, bssid, vendor_id, type, at, "values" from input natural join begun where "values" is not null`)}
    select id, null as vendor from stored
    union all
    select distinct null, ${incidents.vendor_id} from ${incidents} join ended on ended.incident_id = ${incidents.id}`)
  return {
    created: rows.flatMap(({ id }) => id ?? []),
    incidentVendors: rows.flatMap(({ vendor }) => vendor ?? []),
  }
}

/** Returns the active conditions of these types by device; devices without any are absent. */
export async function readActiveConditions(
  db: Database,
  types: readonly NotificationType[],
  bssids: readonly string[],
): Promise<Map<string, ActiveConditions>> {
  const ofDevices = anyOf(deviceAlarms.bssid, bssids)
  const rows = await db
    .select()
    .from(deviceAlarms)
    .where(sql`${ofDevices} and ${deviceAlarms.type} = any(${sql.param(types)}::text[])`)
  const byDevice = new Map<string, Map<string, number>>()
  for (const { bssid, since, ...condition } of rows) {
    const conditions = byDevice.get(bssid) ?? new Map<string, number>()
    conditions.set(conditionKey(condition), since.getTime())
    byDevice.set(bssid, conditions)
  }
  return byDevice
}
