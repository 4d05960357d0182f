/** Stores the devices of a step in one statement: states, what lists show, findings, forecasts and their outcomes. */
import { sql, type SQL } from 'drizzle-orm'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import type { Assessment, Finding } from '../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { SupplyDay, SupplyIncident } from '../../../src/domain/health/types/supply.ts'
import { isoOf, msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { packedArray } from '../../db/packed.ts'
import type { ShownHealth, Volume } from '../../db/schema/health.ts'
import type { FollowedForecasts } from './outcomes.ts'
import { storingOutcomes } from './storeOutcomes.ts'

export interface SteppedDevice {
  readonly bssid: string
  readonly vendor_id: string
  readonly supply_key: string
  readonly due_at: Date
  readonly state: HealthState | undefined
  readonly baselines: ByChannel<number>
  readonly levels: ByChannel<number>
  readonly boosted: boolean
  readonly earlier_findings: number
  readonly volumes: readonly Volume[]
  readonly scores: readonly DayScore[]
  /** By how many points the score has moved in a month; null if by few. */
  readonly change: number | null
  /** Undefined before the first day with data. */
  readonly assessment: Assessment | undefined
  /** The same without the findings that a person has set aside. */
  readonly shown: Assessment | undefined
  readonly followed: FollowedForecasts
}

export interface SteppedSupply {
  readonly vendor_id: string
  readonly supply_key: string
  readonly water_supply: string | null
  /** Its new days. */
  readonly days: readonly SupplyDay[]
  readonly incidents: readonly SupplyIncident[]
}

export interface SteppedSlice {
  readonly devices: readonly SteppedDevice[]
  readonly supplies: readonly SteppedSupply[]
}

/** A finding that has grown by this factor since it was shelved is open again. */
const growth = 1.5

/**
 * What lists show is written only if it changed noticeably: a score by 2, a time by a day and 2 % of the time left. Scores
 * and forecasts waver a little each day, and a row of `devices` has many indexes.
 */
const minScoreChange = 2
const moved = (stored: SQL, found: SQL, now: SQL): SQL =>
  sql`abs(extract(epoch from ${found} - ${stored})) > greatest(86400, 0.02 * extract(epoch from ${found} - ${now}))`

/** Stores a slice, and returns the devices whose rows changed. */
export async function storeSlice(tx: Database, { devices, supplies }: SteppedSlice, now: Date): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await tx.execute<{ changed: string[] | null }>(sql`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(devices.map(deviceRow))}::json) as input (bssid text, supply_key text,
        next_at timestamptz, day integer, baselines jsonb, levels jsonb, boosted boolean, volumes jsonb, scores jsonb,
        shown jsonb, health_score smallint, health_state text, health_cause text, health_change smallint, due_at timestamptz)
    ),
    packed as materialized (
      select * from unnest(${sql.param(devices.map(({ bssid }) => bssid))}::text[],
        ${packedArray(devices.map(({ state }) => state))}::text::bytea[]) as packed (bssid, state)
    ),
    finding as materialized (
      select * from json_to_recordset(${JSON.stringify(devices.flatMap(findingRows))}::json) as finding (id text, bssid text,
        vendor_id text, number integer, "group" text, cause text, position smallint, severity text, tempo text,
        confidence real, alternatives jsonb, evidence jsonb, size real, detected_at timestamptz, began_early timestamptz,
        began_at timestamptz, began_late timestamptz)
    ),
    forecast as materialized (
      select * from json_to_recordset(${JSON.stringify(devices.flatMap(forecastRows))}::json) as forecast (bssid text,
        position smallint, due_at timestamptz, early_at timestamptz, late_at timestamptz, basis text, typical boolean)
    ),
    health as (
      update device_health as health set due_at = input.next_at, supply_key = input.supply_key,
        state = coalesce(packed.state, health.state),
        day = coalesce(input.day, health.day), baselines = input.baselines, levels = input.levels, boosted = input.boosted,
        volumes = input.volumes, scores = input.scores, shown = input.shown
      from input join packed using (bssid) where health.bssid = input.bssid
    ),
    changed as (
      update devices as device set health_score = input.health_score, health_state = input.health_state,
        health_cause = input.health_cause, health_change = input.health_change,
        due_at = coalesce(input.due_at, device.next_replacement_at)
      from input where device.bssid = input.bssid
        and ((device.health_state, device.health_cause, device.health_score is null, device.health_change is null,
              device.due_at is null)
            is distinct from (input.health_state, input.health_cause, input.health_score is null,
              input.health_change is null, coalesce(input.due_at, device.next_replacement_at) is null)
          or abs(device.health_score - input.health_score) >= ${minScoreChange}::integer
          or abs(device.health_change - input.health_change) >= ${minScoreChange}::integer
          or ${moved(sql`device.due_at`, sql`coalesce(input.due_at, device.next_replacement_at)`, at)})
      returning device.bssid
    ),
    found as (
      insert into health_findings as stored (id, bssid, vendor_id, number, "group", cause, position, severity, tempo,
        confidence, alternatives, evidence, size, detected_at, began_early, began_at, began_late, updated_at)
      select finding.*, ${at} from finding
      on conflict (bssid, number) do update set (cause, position, severity, tempo, confidence, alternatives, evidence, size,
          began_early, began_at, began_late, updated_at)
        = (excluded.cause, excluded.position, excluded.severity, excluded.tempo, excluded.confidence, excluded.alternatives,
          excluded.evidence, excluded.size, excluded.began_early, excluded.began_at, excluded.began_late, ${at}),
        state = case when stored.state = 'shelved'
            and (stored.shelved_until <= ${at} or excluded.size >= ${growth}::real * stored.shelved_size) then 'open'
          when stored.state = 'resolved' then 'open' else stored.state end,
        ended_at = case when stored.state = 'resolved' then null else stored.ended_at end
    ),
    resolved as (
      update health_findings as stored set state = 'resolved', ended_at = ${at}, updated_at = ${at}
      from input where stored.bssid = input.bssid and stored.state in ('open', 'shelved') and input.day is not null
        and not exists (select from finding where finding.bssid = stored.bssid and finding.number = stored.number)
    ),
    forecasts as (
      insert into cartridge_forecasts (bssid, position, made_at, due_at, early_at, late_at, basis, typical)
      select bssid, position, ${at}, due_at, early_at, late_at, basis, typical from forecast
      on conflict (bssid, position) do update set (made_at, due_at, early_at, late_at, basis, typical)
        = (excluded.made_at, excluded.due_at, excluded.early_at, excluded.late_at, excluded.basis, excluded.typical)
      where (cartridge_forecasts.basis, cartridge_forecasts.typical) is distinct from (excluded.basis, excluded.typical)
        or ${sql.join(
          ['due_at', 'early_at', 'late_at'].map(name =>
            moved(sql`cartridge_forecasts.${sql.identifier(name)}`, sql`excluded.${sql.identifier(name)}`, at),
          ),
          sql` or `,
        )}
    ),
    removed as (
      delete from cartridge_forecasts as stored
      where stored.bssid = any(${sql.param(devices.map(({ bssid }) => bssid))}::text[])
        and not exists (select from forecast where forecast.bssid = stored.bssid and forecast.position = stored.position)
    ),
    supply as (
      insert into supply_days (supply_key, day, medians)
      select * from json_to_recordset(${JSON.stringify(supplies.flatMap(supplyDayRows))}::json)
        as day (supply_key text, day integer, medians jsonb)
      on conflict (supply_key, day) do update set medians = excluded.medians
    ),
    incidents as (
      insert into supply_incidents as stored (supply_key, cause, began_at, vendor_id, water_supply, value, devices, ended_at)
      select * from json_to_recordset(${JSON.stringify(supplies.flatMap(incidentRows))}::json) as incident (supply_key text,
        cause text, began_at timestamptz, vendor_id text, water_supply text, value real, devices integer, ended_at timestamptz)
      on conflict (supply_key, cause, began_at) do update set (value, devices, ended_at)
        = (excluded.value, excluded.devices, excluded.ended_at)
    ),
    ${storingOutcomes(devices)}
    select json_agg(bssid) as changed from changed`)
  return rows[0]?.changed ?? []
}

const isoOfDay = (day: number) => new Date(day * msPerDay).toISOString()

function deviceRow({ shown, ...device }: SteppedDevice): Readonly<Record<string, unknown>> {
  const [first] = shown?.findings ?? []
  const next = shown?.forecasts.toSorted((one, other) => one.due - other.due)[0]
  const details: ShownHealth | null = shown
    ? {
        confidence: first?.confidence ?? null,
        since: first ? isoOfDay(first.began.likely) : null,
        due_early: next ? isoOf(next.early) : null,
        due_late: next ? isoOf(next.late) : null,
        worst: shown.worst,
        learned: shown.learned,
      }
    : null
  return {
    bssid: device.bssid,
    supply_key: device.supply_key,
    next_at: device.due_at,
    day: device.state?.day ?? null,
    baselines: device.baselines,
    levels: device.levels,
    boosted: device.boosted,
    volumes: device.volumes,
    scores: device.scores,
    shown: details,
    health_score: shown?.score ?? null,
    health_state: shown?.state ?? 'learning',
    health_cause: first?.cause ?? null,
    health_change: device.change,
    due_at: next ? isoOf(next.due) : null,
  }
}

const findingRows = ({ bssid, vendor_id, earlier_findings, assessment }: SteppedDevice) =>
  (assessment?.findings ?? []).map((finding: Finding) => ({
    id: newId(),
    bssid,
    vendor_id,
    number: earlier_findings + finding.number,
    group: finding.group,
    cause: finding.cause,
    position: finding.position ?? null,
    severity: finding.severity,
    tempo: finding.tempo,
    confidence: finding.confidence,
    alternatives: finding.alternatives,
    evidence: finding.evidence,
    size: Math.max(...finding.evidence.map(({ value }) => Math.abs(value))),
    detected_at: isoOfDay(finding.detected),
    began_early: isoOfDay(finding.began.early),
    began_at: isoOfDay(finding.began.likely),
    began_late: isoOfDay(finding.began.late),
  }))

const forecastRows = ({ bssid, shown }: SteppedDevice) =>
  (shown?.forecasts ?? []).map(({ position, due, early, late, basis, typical }) => ({
    bssid,
    position,
    due_at: isoOf(due),
    early_at: isoOf(early),
    late_at: isoOf(late),
    basis,
    typical,
  }))

const supplyDayRows = ({ supply_key, days }: SteppedSupply) =>
  days.map(({ day, medians }) => ({ supply_key, day, medians }))

const incidentRows = ({ supply_key, vendor_id, water_supply, incidents }: SteppedSupply) =>
  incidents.map(({ cause, began, value, devices, ended }) => ({
    supply_key,
    cause,
    began_at: isoOfDay(began),
    vendor_id,
    water_supply,
    value,
    devices,
    ended_at: ended === undefined ? null : isoOfDay(ended),
  }))
