/** Stores the devices of a step in one statement: states, what lists show, findings, forecasts and their outcomes. */
import { sql, type SQL } from 'drizzle-orm'
import { inputValues, preparedInput } from '../../db/columnArrays.ts'
import type { Database } from '../../db/database.ts'
import { placeTogether } from '../../db/packed.ts'
import { prepareStatement } from '../../db/prepared.ts'
import {
  deviceColumns,
  forecastColumns,
  removedColumns,
  findingColumns,
  rowColumns,
  changeRows,
  supplyDayRows,
  type SteppedSlice,
} from './sliceRows.ts'
import { lifeValues, storingLives } from './lives.ts'
import { outcomeValues, storingOutcomes } from './storeOutcomes.ts'

const at = sql`${sql.placeholder('now')}::text::timestamptz`

const state = sql`substring(${sql.placeholder('states')}::bytea from input.state_at for input.state_length)`

/** Whether a shelved or dismissed finding is open again, because its time is over or it has grown. It is news then. */
const leavesShelf = sql`(stored.state in ('shelved', 'dismissed') and (stored.bssid, stored.number) in (select bssid, number from returned))`

/** A shelf that a finding has left says nothing of it any more, also once it has ended and begins again. */
const afterShelf = (column: string): SQL =>
  sql`case when stored.state = 'resolved' or ${leavesShelf} then null else ${sql.raw(`stored.${column}`)} end`

/**
 * The stored change that a found one is, with another beginning: as the days before it are forgotten, it seems to begin later. Both
 * go on at the same time and in the same direction, and no other found one has the stored beginning.
 */
const sameChange = sql`
  select known.began_at from supply_incidents as known
  where known.supply_key = change.supply_key and known.cause = change.cause and sign(known.value) = sign(change.value)
    and known.began_at <= coalesce(change.ended_at, 'infinity')
    and coalesce(known.ended_at, 'infinity') >= change.began_at
    and (known.began_at = change.began_at or not exists (select from shared as other
      where other.supply_key = known.supply_key and other.cause = known.cause and other.began_at = known.began_at))
  order by abs(extract(epoch from known.began_at - change.began_at)) limit 1`

const statement = prepareStatement<{ changed: string[] | null }>(
  'store_health_slice',
  sql`
    with finding as materialized (
      select * from json_to_recordset(${sql.placeholder('findings')}::json) as finding (id text, bssid text,
        vendor_id text, number integer, "group" text, cause text, position smallint, severity text, tempo text,
        confidence real, alternatives jsonb, evidence jsonb, size real, detected_at timestamptz, began_early timestamptz,
        began_at timestamptz, began_late timestamptz, told_at timestamptz, claimed_cause text, claimed_confidence real)
    ),
    returned as materialized (
      select bssid, number from ${preparedInput('returned', findingColumns)}
    ),
    health as (
      update device_health as health set due_at = input.next_at, supply_key = coalesce(input.supply_key, health.supply_key),
        state = case when input.day is null then health.state else ${state} end,
        day = coalesce(input.day, health.day), baselines = coalesce(input.baselines, health.baselines),
        levels = input.levels, boosted = input.boosted,
        volumes = coalesce(input.volumes, health.volumes), scores = coalesce(input.scores, health.scores),
        shown = coalesce(input.shown, health.shown)
      from ${preparedInput('devices', deviceColumns)} where health.bssid = input.bssid
    ),
    changed as (
      update devices as device set health_score = input.health_score, health_state = input.health_state,
        health_cause = input.health_cause, health_change = input.health_change,
        due_at = coalesce(input.due_at, device.next_replacement_at)
      from ${preparedInput('rows', rowColumns)} where device.bssid = input.bssid
      returning device.bssid
    ),
    found as (
      insert into health_findings as stored (id, bssid, vendor_id, number, "group", cause, position, severity, tempo,
        confidence, alternatives, evidence, size, detected_at, began_early, began_at, began_late, told_at, claimed_cause,
        claimed_confidence, updated_at, description)
      select finding.*, ${at}, device.description from finding join devices as device using (bssid)
      on conflict (bssid, number) do update set (cause, position, severity, tempo, confidence, alternatives, evidence, size,
          began_early, began_at, began_late, updated_at, description)
        = (excluded.cause, excluded.position, excluded.severity, excluded.tempo, excluded.confidence, excluded.alternatives,
          excluded.evidence, excluded.size, excluded.began_early, excluded.began_at, excluded.began_late, ${at},
          excluded.description),
        told_at = case when ${leavesShelf} then coalesce(excluded.told_at, stored.told_at)
          else coalesce(stored.told_at, excluded.told_at) end,
        -- What a person has judged.
        claimed_cause = case when stored.verdict is null then excluded.claimed_cause else stored.claimed_cause end,
        claimed_confidence
          = case when stored.verdict is null then excluded.claimed_confidence else stored.claimed_confidence end,
        state = case when ${leavesShelf} then 'open'
          when stored.state = 'resolved' then case when stored.verdict = 'none' then 'dismissed' else 'open' end
          else stored.state end,
        ended_at = case when stored.state = 'resolved' then null else stored.ended_at end,
        shelved_until = ${afterShelf('shelved_until')}, shelved_size = ${afterShelf('shelved_size')},
        reason = ${afterShelf('reason')},
        login = case when ${leavesShelf} and stored.verdict is null then null else stored.login end
    ),
    resolved as (
      update health_findings as stored set state = 'resolved', ended_at = ${at}, updated_at = ${at}
      from ${preparedInput('resolved', findingColumns)}
      where stored.bssid = input.bssid and stored.number = input.number and stored.state in ('open', 'shelved', 'dismissed')
    ),
    forecasts as (
      insert into cartridge_forecasts (bssid, position, made_at, due_at, early_at, late_at, basis, like_ends, typical)
      select bssid, position, ${at}, due_at, early_at, late_at, basis, like_ends, typical
      from ${preparedInput('forecasts', forecastColumns)}
      on conflict (bssid, position) do update set (made_at, due_at, early_at, late_at, basis, like_ends, typical)
        = (excluded.made_at, excluded.due_at, excluded.early_at, excluded.late_at, excluded.basis, excluded.like_ends,
          excluded.typical)
    ),
    removed as (
      delete from cartridge_forecasts as stored using ${preparedInput('removed', removedColumns)}
      where stored.bssid = input.bssid and stored.position = input.position
    ),
    supply as (
      insert into supply_days (supply_key, day, medians)
      select * from json_to_recordset(${sql.placeholder('supply_days')}::json)
        as day (supply_key text, day integer, medians jsonb)
      on conflict (supply_key, day) do update set medians = excluded.medians
      returning supply_key
    ),
    shared as materialized (
      select * from json_to_recordset(${sql.placeholder('changes')}::json) as change (supply_key text,
        cause text, began_at timestamptz, vendor_id text, water_supply text, value real, devices integer, ended_at timestamptz,
        told_at timestamptz)
    ),
    changes as (
      insert into supply_incidents as stored (supply_key, cause, began_at, vendor_id, water_supply, value, devices, ended_at,
        told_at)
      select distinct on (change.supply_key, change.cause, coalesce(same.began_at, change.began_at)) change.supply_key,
        change.cause, coalesce(same.began_at, change.began_at), vendor_id, water_supply, value, devices, ended_at, told_at
      from shared as change left join lateral (${sameChange}) as same on true
      order by 1, 2, 3, change.began_at
      on conflict (supply_key, cause, began_at) do update set (value, devices, ended_at)
        = (case when abs(excluded.value) < abs(stored.value) then stored.value else excluded.value end, excluded.devices,
          excluded.ended_at)
      returning supply_key, cause, began_at
    ),
    -- A change that the days of its supply no longer show is the usual by now: they reach back 120 days.
    usual as (
      update supply_incidents as stored set ended_at = ${at}
      from (select distinct supply_key from supply) as stepped
      where stored.supply_key = stepped.supply_key and stored.ended_at is null
        and (stored.supply_key, stored.cause, stored.began_at) not in (select supply_key, cause, began_at from changes)
    ),
    ${storingOutcomes},
    ${storingLives}
    select json_agg(bssid) as changed from changed`,
)

/** Stores a slice, and returns the devices whose rows changed. */
export async function storeSlice(db: Database, { devices, supplies }: SteppedSlice, now: Date): Promise<string[]> {
  const { blob, places } = placeTogether(devices.map(({ state }) => state))
  const [stored] = await statement(
    db,
    {
      now: now.toISOString(),
      states: blob,
      ...inputValues(
        'devices',
        deviceColumns,
        devices.map((device, index) => ({ ...device, ...places[index]! })),
      ),
      ...inputValues(
        'rows',
        rowColumns,
        devices.flatMap(({ row }) => row ?? []),
      ),
      ...inputValues(
        'forecasts',
        forecastColumns,
        devices.flatMap(({ forecasts }) => forecasts),
      ),
      ...inputValues(
        'removed',
        removedColumns,
        devices.flatMap(({ removed }) => removed),
      ),
      ...inputValues(
        'resolved',
        findingColumns,
        devices.flatMap(({ resolved }) => resolved),
      ),
      ...inputValues(
        'returned',
        findingColumns,
        devices.flatMap(({ returned }) => returned),
      ),
      findings: JSON.stringify(devices.flatMap(({ findings }) => findings)),
      supply_days: JSON.stringify(supplies.flatMap(supplyDayRows)),
      changes: JSON.stringify(supplies.flatMap(supply => changeRows(supply, now))),
      ...outcomeValues(devices),
      ...lifeValues(devices),
    },
    { keepPlan: true },
  )
  return stored?.changed ?? []
}
