/**
 * Claims and reads the devices whose daily step is due: whole supplies as far as possible, so that neighbours are together.
 * The rows that belong to a device are read as text of arrays in place of JSON objects: PostgreSQL looks up the type of each
 * column of each object, which took most of the time.
 */
import { sql, type SQL } from 'drizzle-orm'
import { minEnds } from '../../../src/domain/health/lives/prefilters.ts'
import type { CartridgeKind, UncertainBasis } from '../../../src/domain/health/types/cartridges.ts'
import type { EarlierFinding } from '../../../src/domain/health/history/earlierFindings.ts'
import type { DiagnosisGroup, Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { SupplyDay } from '../../../src/domain/health/types/supply.ts'
import type { CauseVerdicts } from '../../../src/domain/health/verdicts/odds.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import type { PendingForecast } from './outcomes.ts'
import {
  dayColumns,
  maxDays,
  membraneFit,
  runningTemperature,
  sumsOfValues,
  type DueColumns,
  type DueDevice,
  type StoredForecast,
} from './slice.ts'
import type { SetAside } from './setAside.ts'
import { causeVerdicts } from './verdicts.ts'

/** Days back for which the changes of a supply are followed. */
const supplyReach = 120

/** Devices of a supply whose lives are read at most: the first by their ids, which say nothing about how long a life is. */
const maxLikeDevices = 200
const likeDevices = sql`(select bssid from device_health as alike where alike.supply_key = health.supply_key
  order by bssid limit ${sql.raw(String(maxLikeDevices))}) as alike`

/** Returns the milliseconds UTC of a column with times. */
const milliseconds = (column: string): SQL => sql`round(date_part('epoch', ${sql.raw(column)}) * 1000)`

/** Returns the aggregate of rows as JSON text: an array of numbers and quoted words for each; null without rows. */
const arrays = (...values: readonly SQL[]): SQL =>
  sql`'[' || string_agg('[' || concat_ws(',', ${sql.join([...values], sql`, `)}) || ']', ',') || ']'`
const column = (name: string): SQL => sql.raw(name)
const word = (name: string): SQL => sql.raw(`'"' || ${name} || '"'`)
/** A truth as 0 or 1; a number that may be null as -1: `concat_ws` leaves nulls out. */
const truth = (name: string): SQL => sql.raw(`${name}::integer`)
const orLess = (name: string): SQL => sql.raw(`coalesce(${name}, -1)`)

/** The values of a forecast in a table, which `forecastOf` reads. */
const forecastValues = (table: string): readonly SQL[] => [
  ...['made_at', 'due_at', 'early_at', 'late_at'].map(name => milliseconds(`${table}.${name}`)),
  word(`${table}.basis`),
  orLess(`${table}.like_ends`),
  truth(`${table}.typical`),
]

/** Whether the device is being recomputed, or this is its first step after that, when old findings are still to be ended. */
const isAnew = sql.raw('coalesce(coalesce(health.day, 0) <= health.earlier_day, false)')

/** A supply's medians of the feed as JSON: of days that no device steps any more, only these are looked at. */
const shared = sql.raw(
  `'{' || concat_ws(',', '"f":' || (supply.medians ->> 'f'), '"p":' || (supply.medians ->> 'p')) || '}'`,
)

/** A device as it is read: rows that belong to it are text. */
export interface ReadDevice extends DueColumns {
  readonly cartridges: string | null
  readonly days: string | null
  readonly supply_days: string | null
  readonly findings: string | null
  /** Whether it is stepped through days that it was stepped through before; then its findings and resets from before. */
  readonly is_anew: boolean
  readonly earlier: string | null
  readonly resets: string | null
  readonly forecasts: string | null
  readonly pending: string | null
  readonly life: string | null
  /** Of the first device only. */
  readonly verdicts: readonly CauseVerdicts[] | null
}

const isDue = sql`due_at <= ${sql.placeholder('now')}::text::timestamptz`
const dueFirst = (size: number): SQL => sql`${isDue} order by due_at, supply_key, bssid limit ${sql.raw(String(size))}`
const dueOfNamed = sql`${isDue} and bssid = any(${sql.placeholder('bssids')}::text[])`

/** `which`: the condition of the devices, with what may follow it. */
const claiming = (which: SQL): SQL => sql`
    with due as materialized (
      select bssid, supply_key, day from device_health where ${which} for update skip locked
    )
    select health.bssid, device.vendor_id, health.supply_key, device.water_supply, device.time_zone, device.bypass_state as bypass,
      model.bypass_flow_rates[device.bypass_state + 1] as bypass_rate,
      health.boosted, health.earlier_findings, fit.water_k, fit.salt_k, health.state, health.volumes,
      health.scores, (health.baselines ->> 'f')::float8 as feed_baseline, twin.feed, twin.permeate, twin.feed_tds,
      device.health_score, device.health_state, device.health_cause, device.health_change,
      ${milliseconds('device.due_at')} as next_due, ${milliseconds('device.next_replacement_at')} as next_replacement,
      case when water.vendor_id is not null then json_build_object('calcium_hardness', water.calcium_hardness,
        'alkalinity', water.alkalinity, 'ph', water.ph) end as water,
      case when water.vendor_id is not null then ${runningTemperature(sql`health.bssid`)} end as running_temperature,
      (select ${arrays(column('fitted.position'), column('type.type'), milliseconds('fitted.installed_at'), column('fitted.volume_before'), column('type.resource'), column('type.ttl'))}
        from device_cartridges as fitted join cartridge_types as type on type.id = fitted.cartridge_type_id
        where fitted.bssid = health.bssid) as cartridges,
      (select ${arrays(column('one.day'), ...dayColumns.map(name => sql`one.${sql.identifier(name)}`))} from (
        select * from health_days as days
        where days.bssid = health.bssid and days.day > coalesce(health.day, 0)
        order by days.day limit ${sql.raw(String(maxDays))}) as one) as days,
      case when row_number() over (partition by health.supply_key order by health.bssid) = 1 then
        (select ${arrays(
          column('supply.day'),
          sql`case when supply.day > due.first_day
            then supply.medians::text else ${shared} end`,
        )} from supply_days as supply
          where supply.supply_key = health.supply_key and supply.day > ${sql.placeholder('supply_from')}::integer) end as supply_days,
      (select ${arrays(column('finding.number'), word('finding.state'), sql`coalesce(${milliseconds('finding.shelved_until')}, -1)`, orLess('finding.shelved_size'))}
        from health_findings as finding
        where finding.bssid = health.bssid and finding.state in ('open', 'shelved', 'dismissed')) as findings,
      ${isAnew} as is_anew,
      case when ${isAnew} then
        (select ${arrays(column('finding.number'), word('finding."group"'), milliseconds('finding.began_early'), milliseconds('finding.detected_at'), sql`coalesce(${milliseconds('finding.ended_at')}, -1)`)}
          from health_findings as finding
          where finding.bssid = health.bssid and finding.number <= health.earlier_findings) end as earlier,
      case when ${isAnew} then
        (select '[' || string_agg(reset.day::text, ',') || ']' from baseline_resets as reset
          where reset.bssid = health.bssid and reset.day > coalesce(health.day, 0)) end as resets,
      (select ${arrays(column('stored.position'), ...forecastValues('stored'))}
        from cartridge_forecasts as stored where stored.bssid = health.bssid) as forecasts,
      -- Without the fence, the index of all that have not ended is read for each device.
      (select ${arrays(column('kept.position'), column('kept.kind'), column('kept.horizon'), milliseconds('kept.installed_at'), ...forecastValues('kept'))}
        from (select * from kept_forecasts as each where each.bssid = health.bssid offset 0) as kept where kept.ended_at is null) as pending,
      (select '[' || concat_ws(',', ${milliseconds('life.installed_at')}, life.volume_before, (life.litres is null)::integer) || ']'
        from prefilter_lives as life where life.bssid = health.bssid order by life.installed_at desc limit 1) as life,
      case when row_number() over (partition by health.supply_key order by health.bssid) = 1
          and (select count(*) from ${likeDevices} join prefilter_lives as life using (bssid) where life.clogged)
            >= ${sql.raw(String(minEnds))} then
        (select json_agg(json_build_object('ended', life.clogged,
            'length', greatest(0, coalesce(life.litres, counter.feed - life.volume_before))))
          from ${likeDevices} join prefilter_lives as life using (bssid) join device_twins as counter using (bssid))
        end as like_lives,
      case when row_number() over (partition by device.vendor_id order by health.supply_key, health.bssid) = 1 then
        (select json_agg(json_build_object('kind', kind, 'basis', basis, 'scores', scores, 'level', level))
          from forecast_scores as own where own.vendor_id = device.vendor_id) end as own_scores,
      case when row_number() over (order by health.supply_key, health.bssid) = 1 then (${causeVerdicts}) end as verdicts
    from (select bssid, min(coalesce(day, 0)) over (partition by supply_key) as first_day from due) as due
    join device_health as health using (bssid) join devices as device using (bssid)
    join device_models as model on model.id = device.model_id join device_twins as twin using (bssid)
    left join supply_waters as water
      on water.vendor_id = device.vendor_id and water.water_supply_key = device.water_supply_key
    left join lateral ${membraneFit(sql`health.bssid`)} as fit on true
    order by health.supply_key, health.bssid`

/** Statements by their number of devices, which is in their text, so that the kept plan is one for so many. */
const statements = new Map<number, ReturnType<typeof prepareStatement<ReadDevice>>>()

const namedStatement = prepareStatement<ReadDevice>('claim_named_health', claiming(dueOfNamed))

/** The values of the statements besides the devices. */
const valuesAt = (now: Date) => ({
  now: now.toISOString(),
  supply_from: Math.floor(now.getTime() / msPerDay) - supplyReach,
})

/** Claims those of the named devices that are due, as `claimSlice` does. */
export const claimNamed = (tx: Database, now: Date, bssids: readonly string[]): Promise<ReadDevice[]> =>
  namedStatement(tx, { ...valuesAt(now), bssids }, { keepPlan: false })

/** Claims the devices that are due, until the transaction ends. Other servers skip them. */
export async function claimSlice(tx: Database, now: Date, size: number): Promise<ReadDevice[]> {
  const statement =
    statements.get(size) ?? prepareStatement<ReadDevice>(`claim_health_${size}`, claiming(dueFirst(size)))
  statements.set(size, statement)
  return statement(tx, valuesAt(now), { keepPlan: true })
}

/** Returns a device with the rows that belong to it. */
export function dueDevice(row: ReadDevice): DueDevice {
  const findings = parse<FindingRow>(row.findings)
  const forecasts = parse<StoredForecastRow>(row.forecasts).map(storedForecast)
  return {
    ...row,
    cartridges: parse<readonly [number, CartridgeKind, number, number, number, number]>(row.cartridges)
      .map(([position, kind, installed_at, volume_before, resource, ttl]) => ({
        position,
        kind,
        installed_at,
        volume_before,
        resource,
        ttl,
      }))
      .toSorted((one, other) => one.position - other.position),
    days: new Map(parse<readonly [number, ...number[]]>(row.days).map(([day, ...sums]) => [day, sumsOfValues(sums)])),
    supply_days:
      row.supply_days === null
        ? null
        : parse<readonly [number, SupplyDay['medians']]>(row.supply_days).map(([day, medians]) => ({ day, medians })),
    set_aside: findings.filter(([, state]) => state !== 'open').map(each => setAside(each, row.earlier_findings)),
    unresolved: findings.map(([number]) => number),
    before: row.is_anew
      ? {
          findings: parse<EarlierRow>(row.earlier).map(each => earlierFinding(each, row.earlier_findings)),
          resets: parse<number>(row.resets),
        }
      : null,
    forecasts,
    pending: parse<PendingRow>(row.pending).map(each => pendingForecast(each, forecasts)),
    life: row.life === null ? null : storedLife(JSON.parse(row.life) as [number, number, number]),
  }
}

const parse = <Row>(text: string | null): readonly Row[] => (text === null ? [] : (JSON.parse(text) as Row[]))

type FindingRow = readonly [number, 'open' | 'shelved' | 'dismissed', number, number]

const setAside = ([number, state, until, size]: FindingRow, earlier: number): SetAside => ({
  number: number - earlier,
  until: state === 'shelved' ? until : Infinity,
  size: size < 0 ? null : size,
})

type EarlierRow = readonly [number, DiagnosisGroup, number, number, number]

/** Returns a finding from before. It has ended the day before the step that saw it. */
const earlierFinding = ([number, group, began, detected, ended]: EarlierRow, earlier: number): EarlierFinding => ({
  number: number - earlier,
  group,
  began: Math.floor(began / msPerDay),
  detected: Math.floor(detected / msPerDay),
  ended: ended < 0 ? null : Math.floor(ended / msPerDay) - 1,
})

type ForecastValues<Basis> = readonly [number, number, number, number, Basis, number, number]
type StoredForecastRow = readonly [number, ...ForecastValues<Forecast['basis']>]
type PendingRow = readonly [number, CartridgeKind, number, number, ...ForecastValues<UncertainBasis>]

const forecastOf = <Basis>([made, due, early, late, basis, likeEnds, typical]: ForecastValues<Basis>) => ({
  made,
  due,
  early,
  late,
  basis,
  like_ends: likeEnds < 0 ? null : likeEnds,
  typical: typical === 1,
})

const storedForecast = ([position, ...values]: StoredForecastRow): StoredForecast => ({
  position,
  ...forecastOf(values),
})

function pendingForecast(
  [position, kind, horizon, installed_at, ...values]: PendingRow,
  forecasts: readonly StoredForecast[],
): PendingForecast {
  const newest = forecasts.find(each => each.position === position)
  return {
    position,
    kind,
    horizon,
    installed_at,
    ...forecastOf(values),
    newest_made: newest?.made ?? null,
    newest_due: newest?.due ?? null,
  }
}

const storedLife = ([installed_at, volume_before, open]: [number, number, number]) => ({
  installed_at,
  volume_before,
  open: open === 1,
})
