/** Claims and reads the devices whose daily step is due: whole supplies as far as possible, so that neighbours are together. */
import { sql, type SQL } from 'drizzle-orm'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import { fewestEnds } from '../../../src/domain/health/lives/prefilters.ts'
import type { Life } from '../../../src/domain/health/maths/survival.ts'
import type { CartridgeKind } from '../../../src/domain/health/types/cartridges.ts'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import type { SupplyDay } from '../../../src/domain/health/types/supply.ts'
import { observedChannels } from '../../../src/domain/health/types/channels.ts'
import type { OwnScores } from '../../../src/domain/health/outcomes/ownWidths.ts'
import type { SupplyWater } from '../../../src/domain/health/water/scaling.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import type { Volume } from '../../db/schema/health.ts'
import type { StoredLife } from './lives.ts'
import type { PendingForecast } from './outcomes.ts'

/** Devices per step. */
export const sliceSize = 500
/** New days of a device per step, so that a slice stays small where devices have a past. */
export const maxDays = 40
/** Days back for which the changes of a supply are followed. */
const supplyReach = 120

/** Devices of a supply whose lives are read at most: the first by their ids, which say nothing about how long a life is. */
const maxLikeDevices = 200
const likeDevices = sql`(select bssid from device_health as alike where alike.supply_key = health.supply_key
  order by bssid limit ${maxLikeDevices}) as alike`

/** A stored day, or an old week: the columns of `health_days`. */
export type StoredDay = Readonly<Record<string, number>> & { readonly day: number }

/** A device with what its step needs. */
export interface DueDevice extends Record<string, unknown> {
  readonly bssid: string
  readonly vendor_id: string
  readonly supply_key: string
  readonly water_supply: string | null
  readonly time_zone: string | null
  readonly bypass: number
  /** l/min that the bypass adds to the permeate in its state; null if the model does not say it. */
  readonly bypass_rate: number | null
  readonly boosted: boolean
  /** Corrections of the temperature coefficients of its membrane's type, K; null where none are fitted. */
  readonly water_k: number | null
  readonly salt_k: number | null
  /** Findings before its state began anew. */
  readonly earlier_findings: number
  /** In MessagePack. */
  readonly state: Uint8Array | null
  readonly volumes: readonly Volume[]
  readonly scores: readonly DayScore[]
  /** Lifetime litres. */
  readonly feed: number
  readonly permeate: number
  readonly feed_tds: number | null
  /** The analysis of its supply's water, and its temperature while water runs, °C; null without an analysis. */
  readonly water: SupplyWater | null
  readonly running_temperature: number | null
  readonly cartridges: readonly StoredCartridge[] | null
  /** The next days after the state's, oldest first, at most `maxDays`. */
  readonly days: readonly StoredDay[] | null
  /** Only with the first device of a supply: the supply's last days, oldest first. */
  readonly supply_days: readonly SupplyDay[] | null
  /** Numbers of the findings that a person has shelved or dismissed. */
  readonly set_aside: readonly number[] | null
  /** Its kept forecasts without outcome. */
  readonly pending: readonly PendingForecast[] | null
  /** The newest life of its pre-filters. */
  readonly life: StoredLife | null
  /** Only with the first device of a supply, if enough have ended to tell anything: the lives of its pre-filters, in litres. */
  readonly like_lives: readonly Life[] | null
  /** Only with the first device of a vendor: the vendor's outcomes. */
  readonly own_scores: readonly OwnScores[] | null
}

interface StoredCartridge {
  readonly position: number
  readonly kind: CartridgeKind
  /** Milliseconds UTC. */
  readonly installed_at: number
  /** Lifetime litres of the device when it was installed. */
  readonly volume_before: number
  readonly resource: number
  readonly ttl: number
}

/** Returns a subquery of the fitted coefficients of a device's membrane. */
export const membraneFit = (bssid: SQL): SQL => sql`(
  select fit.water_k, fit.salt_k, (extract(epoch from fit.fitted_at) * 1000)::float8 as fitted_at
  from device_cartridges as fitted
  join cartridge_types as type on type.id = fitted.cartridge_type_id and type.type = 2
  join membrane_fits as fit on fit.cartridge_type_id = type.id
  where fitted.bssid = ${bssid} order by fitted.position limit 1)`

/** Returns the milliseconds UTC of a column with times. */
const milliseconds = (column: string): SQL => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::bigint`

/** Returns a subquery of a device's mean temperature in °C on its last day with observations; null before one. */
export const runningTemperature = (bssid: SQL): SQL => sql`(
  select days.temperature / days.n from health_days as days where days.bssid = ${bssid} and days.n > 0
  order by days.day desc limit 1)`

/** Claims the devices that are due, until the transaction ends. Other servers skip them. */
export async function claimSlice(tx: Database, now: Date, size: number): Promise<DueDevice[]> {
  const today = Math.floor(now.getTime() / msPerDay)
  const { rows } = await tx.execute<DueDevice>(sql`
    with due as materialized (
      select bssid from device_health where due_at <= ${now.toISOString()}::timestamptz
      order by due_at, supply_key, bssid limit ${size} for update skip locked
    )
    select health.bssid, device.vendor_id, health.supply_key, device.water_supply, device.time_zone, device.bypass_state as bypass,
      model.bypass_flow_rates[device.bypass_state + 1] as bypass_rate,
      health.boosted, health.earlier_findings, fit.water_k, fit.salt_k, health.state, health.volumes,
      health.scores, twin.feed, twin.permeate, twin.feed_tds,
      case when water.vendor_id is not null then json_build_object('calcium_hardness', water.calcium_hardness,
        'alkalinity', water.alkalinity, 'ph', water.ph) end as water,
      case when water.vendor_id is not null then ${runningTemperature(sql`health.bssid`)} end as running_temperature,
      (select json_agg(json_build_object('position', fitted.position, 'kind', type.type,
          'installed_at', ${milliseconds('fitted.installed_at')}, 'volume_before', fitted.volume_before,
          'resource', type.resource, 'ttl', type.ttl) order by fitted.position)
        from device_cartridges as fitted join cartridge_types as type on type.id = fitted.cartridge_type_id
        where fitted.bssid = health.bssid) as cartridges,
      (select json_agg(one order by one.day) from (
        select * from health_days as days
        where days.bssid = health.bssid and days.day > coalesce(health.day, 0)
        order by days.day limit ${maxDays}) as one) as days,
      case when row_number() over (partition by health.supply_key order by health.bssid) = 1 then
        (select json_agg(json_build_object('day', day, 'medians', medians) order by day) from supply_days as supply
          where supply.supply_key = health.supply_key and supply.day > ${today - supplyReach}::integer) end as supply_days,
      (select json_agg(number - health.earlier_findings) from health_findings as finding
        where finding.bssid = health.bssid and finding.state in ('shelved', 'dismissed')) as set_aside,
      (select json_agg(json_build_object('position', kept.position, 'kind', kept.kind, 'horizon', kept.horizon,
          'installed_at', ${milliseconds('kept.installed_at')}, 'made', ${milliseconds('kept.made_at')},
          'due', ${milliseconds('kept.due_at')}, 'early', ${milliseconds('kept.early_at')}, 'late', ${milliseconds('kept.late_at')},
          'basis', kept.basis, 'like_ends', kept.like_ends, 'typical', kept.typical,
          'newest_made', ${milliseconds('newest.made_at')}, 'newest_due', ${milliseconds('newest.due_at')}))
        from kept_forecasts as kept left join cartridge_forecasts as newest using (bssid, position)
        where kept.bssid = health.bssid and kept.ended_at is null) as pending,
      (select json_build_object('installed_at', ${milliseconds('life.installed_at')}, 'volume_before', life.volume_before,
          'open', life.litres is null)
        from prefilter_lives as life where life.bssid = health.bssid order by life.installed_at desc limit 1) as life,
      case when row_number() over (partition by health.supply_key order by health.bssid) = 1
          and (select count(*) from ${likeDevices} join prefilter_lives as life using (bssid) where life.clogged)
            >= ${fewestEnds} then
        (select json_agg(json_build_object('ended', life.clogged,
            'length', greatest(0, coalesce(life.litres, counter.feed - life.volume_before))))
          from ${likeDevices} join prefilter_lives as life using (bssid) join device_twins as counter using (bssid))
        end as like_lives,
      case when row_number() over (partition by device.vendor_id order by health.supply_key, health.bssid) = 1 then
        (select json_agg(json_build_object('kind', kind, 'basis', basis, 'scores', scores, 'level', level))
          from forecast_scores as own where own.vendor_id = device.vendor_id) end as own_scores
    from due join device_health as health using (bssid) join devices as device using (bssid)
    join device_models as model on model.id = device.model_id join device_twins as twin using (bssid)
    left join supply_waters as water
      on water.vendor_id = device.vendor_id and water.water_supply_key = device.water_supply_key
    left join lateral ${membraneFit(sql`health.bssid`)} as fit on true
    order by health.supply_key, health.bssid`)
  return rows
}

/** Returns the sums of a stored day or week. */
export function sumsOf(day: StoredDay): DaySums {
  const sums: DaySums['channels'] = {}
  for (const channel of observedChannels) {
    const n = day[`${channel}_n`]!
    if (n > 0) sums[channel] = { n, sum: day[`${channel}_sum`]!, squares: day[`${channel}_squares`]! }
  }
  return {
    channels: sums,
    n: day['n']!,
    temperature: day['temperature']!,
    flows: day['flows']!,
    flow: day['flow']!,
    feed: day['feed']!,
    permeate: day['permeate']!,
    rest_litres: day['rest_litres']!,
    rest_hours: day['rest_hours']!,
    max_run: day['max_run']!,
    metered: day['metered']!,
    integrated: day['integrated']!,
    tank_runs: day['tank_runs']!,
    tank_litres: day['tank_litres']!,
    tank_relief: day['tank_relief']!,
    passages: day['passages']!,
    passage: day['passage']!,
    days: day['days']!,
  }
}
