/** Conditions and notifications in the database. */
import { sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { retried } from '../../db/retry.ts'
import { deviceAlarms, notifications } from '../../db/schema/notifications.ts'
import { devices } from '../../db/schema/devices.ts'
import { keyOf, type ActiveConditions, type Transition } from './conditions.ts'

/** A transition of a device. */
export interface Step extends Transition {
  readonly bssid: string
  readonly at: Date
}

/** Steps in one statement: few enough that nobody waits for the embedded database. */
const batchSize = 1_000

/**
 * Stores what began and ended, in order. A condition that another process has begun already has not begun here: of
 * several processes exactly one tells it. Steps of devices that are gone are left out. Returns the notifications' ids.
 */
export async function storeSteps(db: Database, steps: readonly Step[]): Promise<string[]> {
  const made: string[] = []
  for (const round of rounds(steps))
    for (let from = 0; from < round.length; from += batchSize)
      made.push(...(await retried(() => storeRound(db, round.slice(from, from + batchSize)))))
  return made
}

/** Parts in which no condition stands twice, so that one statement stores each. Mostly there is one. */
function rounds(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = []
  const times = new Map<string, number>()
  for (const step of steps) {
    const key = `${step.bssid} ${keyOf(step)}`
    const nth = times.get(key) ?? 0
    times.set(key, nth + 1)
    ;(parts[nth] ??= []).push(step)
  }
  return parts
}

async function storeRound(db: Database, steps: readonly Step[]): Promise<string[]> {
  const given = steps.map(step => ({ ...step, id: newId() }))
  // Always in one order, so that processes that store the same do not lock each other out.
  const { rows } = await db.execute<{ id: string }>(sql`
    with given as materialized (
      select step.*, ${devices.vendor_id}
      from json_to_recordset(${JSON.stringify(given)}::json) as step
        (bssid text, type text, subject text, begins boolean, at timestamptz, id text, "values" jsonb)
      join ${devices} on ${devices.bssid} = step.bssid
      order by step.bssid, step.type, step.subject
      for key share of ${devices}
    ), ended as (
      delete from ${deviceAlarms} using given
      where not given.begins and ${deviceAlarms.bssid} = given.bssid and ${deviceAlarms.type} = given.type
        and ${deviceAlarms.subject} = given.subject
    ), begun as (
      insert into ${deviceAlarms} (bssid, type, subject, since)
      select bssid, type, subject, at from given where begins order by bssid, type, subject
      on conflict do nothing
      returning bssid, type, subject
    )
    insert into ${notifications} (id, bssid, vendor_id, type, created_at, "values")
    select id, bssid, vendor_id, type, at, "values" from given natural join begun where "values" is not null
    returning id`)
  return rows.map(({ id }) => id)
}

/** What holds of these types: of the devices named, or of all. Devices of which nothing holds are left out. */
export async function readActiveConditions(
  db: Database,
  types: readonly NotificationType[],
  bssids?: readonly string[],
): Promise<Map<string, ActiveConditions>> {
  const named = bssids && sql`and ${deviceAlarms.bssid} = any(${sql.param(bssids)}::text[])`
  const rows = await db
    .select()
    .from(deviceAlarms)
    .where(sql`${deviceAlarms.type} = any(${sql.param(types)}::text[]) ${named ?? sql``}`)
  const found = new Map<string, Map<string, number>>()
  for (const { bssid, since, ...condition } of rows) {
    const held = found.get(bssid) ?? new Map<string, number>()
    held.set(keyOf(condition), since.getTime())
    found.set(bssid, held)
  }
  return found
}
