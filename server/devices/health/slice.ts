/** The devices of a daily step as they are read, with their new days. */
import { sql, type SQL } from 'drizzle-orm'
import type { EarlierFinding } from '../../../src/domain/health/history/earlierFindings.ts'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import type { Life } from '../../../src/domain/health/maths/survival.ts'
import type { CartridgeKind } from '../../../src/domain/health/types/cartridges.ts'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import type { SupplyDay } from '../../../src/domain/health/types/supply.ts'
import { observedChannels } from '../../../src/domain/health/types/channels.ts'
import type { OwnScores } from '../../../src/domain/health/outcomes/ownWidths.ts'
import type { SupplyWater } from '../../../src/domain/health/water/scaling.ts'
import type { Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { Volume } from '../../db/schema/health.ts'
import type { StoredLife } from './lives.ts'
import type { SetAside } from './setAside.ts'
import type { PendingForecast } from './outcomes.ts'

/** Devices per step. */
export const sliceSize = 500
/** New days of a device per step, so that a slice stays small where devices have a past. */
export const maxDays = 40

/** A stored day, or an old week: the columns of `health_days`. */
export type StoredDay = Readonly<Record<string, number>> & { readonly day: number }

/** What lists show of a device, as it is stored. Times: milliseconds UTC. */
export interface StoredRow {
  readonly health_score: number | null
  readonly health_state: string
  readonly health_cause: string | null
  readonly health_change: number | null
  readonly next_due: number | null
  /** By its cartridges' dates alone. */
  readonly next_replacement: number | null
}

/** The columns of a device that are read as they are. */
export interface DueColumns extends StoredRow {
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
  /** The feed TDS that its health is compared with, as ln of ppm; null until that is learned. */
  readonly feed_baseline: number | null
  /** The analysis of its supply's water, and its temperature while water runs, °C; null without an analysis. */
  readonly water: SupplyWater | null
  readonly running_temperature: number | null
  /** Only with the first device of a supply, if enough have ended to show anything: the lives of its pre-filters, in litres. */
  readonly like_lives: readonly Life[] | null
  /** Only with the first device of a vendor: the vendor's outcomes. */
  readonly own_scores: readonly OwnScores[] | null
}

/** A device with what its step needs. */
export interface DueDevice extends DueColumns {
  readonly cartridges: readonly StoredCartridge[]
  /** The sums of the next days after the state's, at most `maxDays`. */
  readonly days: ReadonlyMap<number, DaySums>
  /** Only with the first device of a supply: the supply's last days. */
  readonly supply_days: readonly SupplyDay[] | null
  /** The findings that a person has shelved or dismissed. */
  readonly set_aside: readonly SetAside[]
  /** Numbers of the stored findings that have not ended. */
  readonly unresolved: readonly number[]
  /** While it is stepped through days that it was stepped through before: its findings, and the days of its resets. */
  readonly before: { readonly findings: readonly EarlierFinding[]; readonly resets: readonly number[] } | null
  /** Its stored forecasts. */
  readonly forecasts: readonly StoredForecast[]
  /** Its kept forecasts without outcome. */
  readonly pending: readonly PendingForecast[]
  /** The newest life of its pre-filters. */
  readonly life: StoredLife | null
}

/** A forecast as it is stored, and when it was made, in milliseconds UTC. */
export interface StoredForecast extends Pick<
  Forecast,
  'position' | 'due' | 'early' | 'late' | 'basis' | 'like_ends' | 'typical'
> {
  readonly made: number
}

export interface StoredCartridge {
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

/** Returns a subquery of a device's mean temperature in °C on its last day with observations; null before one. */
export const runningTemperature = (bssid: SQL): SQL => sql`(
  select days.temperature / days.n from health_days as days where days.bssid = ${bssid} and days.n > 0
  order by days.day desc limit 1)`

/** Columns of `health_days` that sums are made of. */
export const dayColumns: readonly string[] = [
  ...observedChannels.flatMap(channel => [`${channel}_n`, `${channel}_sum`, `${channel}_squares`]),
  'n',
  'temperature',
  'flows',
  'flow',
  'feed',
  'permeate',
  'rest_litres',
  'rest_hours',
  'max_run',
  'metered',
  'integrated',
  'tank_runs',
  'tank_litres',
  'tank_relief',
  'passages',
  'passage',
  'days',
]

/** Returns the sums of a stored day or week. */
export const sumsOf = (day: StoredDay): DaySums => sumsOfValues(dayColumns.map(name => day[name]!))

/** Returns the sums of the values of `dayColumns`. */
export function sumsOfValues(values: readonly number[]): DaySums {
  const channels: DaySums['channels'] = {}
  let at = 0
  for (const channel of observedChannels) {
    const n = values[at]!
    if (n > 0) channels[channel] = { n, sum: values[at + 1]!, squares: values[at + 2]! }
    at += 3
  }
  return {
    channels,
    n: values[at]!,
    temperature: values[at + 1]!,
    flows: values[at + 2]!,
    flow: values[at + 3]!,
    feed: values[at + 4]!,
    permeate: values[at + 5]!,
    rest_litres: values[at + 6]!,
    rest_hours: values[at + 7]!,
    max_run: values[at + 8]!,
    metered: values[at + 9]!,
    integrated: values[at + 10]!,
    tank_runs: values[at + 11]!,
    tank_litres: values[at + 12]!,
    tank_relief: values[at + 13]!,
    passages: values[at + 14]!,
    passage: values[at + 15]!,
    days: values[at + 16]!,
  }
}
