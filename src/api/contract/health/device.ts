/** The health of a device: its channels, findings, forecasts, and the water of its supply. */
import * as z from 'zod/mini'
import { healthStates } from '../../../domain/columns/health.ts'
import { measuredChannels } from '../../../domain/health/history/measured.ts'
import { sensorFaults } from '../../../domain/health/types/sensors.ts'
import { channels } from '../../../domain/health/types/channels.ts'
import { Time } from '../fields.ts'
import { Finding } from '../findings.ts'
import { Coverage } from './fleet.ts'
import { StoredWater } from './water.ts'

/** What the water of a supply does in a device; its numbers are those of the last days. */
const Scaling = z.object({
  /** Share of the feed, °C, ppm of the feed. */
  recovery: z.number(),
  temperature: z.number(),
  tds: z.number(),
  /** Langelier indices; null above 10,000 ppm in the concentrate, for which there is none. */
  indices: z.nullable(z.object({ feed: z.number(), concentrate: z.number() })),
})
export type Scaling = z.output<typeof Scaling>

/** Flows of the membrane alone, l/min, in the last days with data. */
const RatedFlow = z.object({
  /** In the conditions of these days, and in those of NSF/ANSI 58 (50 psi, 25 °C, 750 ppm) at the same recovery. */
  flow: z.number(),
  rated: z.number(),
  /** bar, °C, ppm of the feed */
  pressure: z.number(),
  temperature: z.number(),
  tds: z.number(),
  /** Share of the feed that becomes permeate. */
  recovery: z.number(),
  /** TDS of the membrane's permeate from two minutes into a draw, ppm, in the same two conditions; null where it is not known. */
  permeate_tds: z.nullable(z.number()),
  rated_tds: z.nullable(z.number()),
})

/** When a cartridge is due: 80 % of the actual ends lie between early and late. */
const Forecast = z.object({
  position: z.number(),
  due_at: Time,
  early_at: Time,
  late_at: Time,
  /** What ends it first. */
  basis: z.enum(['date', 'litres', 'condition']),
  /**
   * If the forecast rests on other pre-filters of the same supply: how many of them were clogged. Null if it rests on the
   * device's own pressure, litres or date.
   */
  like_ends: z.nullable(z.number()),
  /** Whether the interval comes from simulated fleets, because there are too few own outcomes. */
  typical: z.boolean(),
})
export type Forecast = z.output<typeof Forecast>

/** A value of each channel that has one. */
const ByChannel = z.partialRecord(z.enum(channels), z.number())

/**
 * A local day, or a week that is older than 400 days. Values are changes against the baseline, as natural logarithms:
 * 100 · exp(value) is the channel in % of new.
 */
const HealthPoint = z.object({
  at: Time,
  /** Days that it covers from `at` on: 1, or 7 for a week. */
  days: z.number(),
  values: ByChannel,
})

/** The same of the device itself. */
const MeasuredPoint = z.extend(HealthPoint, {
  /** Standard errors of `values`, as natural logarithms: the band is value ± 2 errors. */
  errors: ByChannel,
  /** Flow and salt as measured, against what was measured while the baseline was learned. */
  measured: z.partialRecord(z.enum(measuredChannels), z.number()),
})

/** A forecast of a cartridge that has ended since, with what became of it. */
const PastForecast = z.object({
  position: z.number(),
  kind: z.number(),
  made_at: Time,
  due_at: Time,
  early_at: Time,
  late_at: Time,
  basis: z.enum(['litres', 'condition']),
  ended_at: Time,
  /** Whether it was replaced while it would have lasted longer. */
  replaced_early: z.boolean(),
  /** Whether it ended in the interval; null if that is unknown. */
  inside: z.nullable(z.boolean()),
})
export type PastForecast = z.output<typeof PastForecast>

export const DeviceHealth = z.object({
  /** 0–100; null while it learns. */
  score: z.nullable(z.number()),
  state: z.enum(healthStates),
  /** What decides the score: a channel, `life` or `finding`. */
  worst: z.nullable(z.string()),
  /** Days with data while it learns. */
  learned: z.number(),
  /**
   * While the first water of its membrane does not count, at least 3 days and 20 litres: days since the first one, and litres
   * of permeate so far. Null afterwards.
   */
  rinsed: z.nullable(z.object({ days: z.number(), litres: z.number() })),
  /** Whether it has no score yet, and stored days that are still to be computed. */
  pending: z.boolean(),
  /**
   * For each channel, as natural logarithms: the value when new, the trend's level besides ageing and neighbours, its standard
   * deviation, and its standard error, which is that with what sensors wander.
   */
  trends: z.partialRecord(
    z.enum(channels),
    z.object({ baseline: z.number(), level: z.number(), deviation: z.number(), error: z.number() }),
  ),
  /** Whether the bypass adds so much of the salt that the membrane's is not known: channels `b` and `brief` say nothing. */
  salt_hidden: z.boolean(),
  /** Channels that have not been measured in the last 30 days of use: their trends do not count any more. */
  stale: z.array(z.enum(channels)),
  /** Its sensors that are reported as defective. What needs them is not observed, and counts in the score as it was before, for 30 days. */
  defective_sensors: z.array(z.enum(sensorFaults)),
  /**
   * What its membrane's type adds to the general coefficients of the temperature correction, in K: of the water, and of the
   * salt. Null until enough devices of the type have been through the seasons.
   */
  correction: z.nullable(z.object({ water: z.number(), salt: z.number(), fitted_at: Time })),
  /** The first day of a device whose membrane was older then; null for others. What was worn before is not known. */
  first_seen: z.nullable(Time),
  points: z.array(MeasuredPoint),
  /** Medians of the devices on the same supply, of five or more. */
  neighbours: z.array(HealthPoint),
  /** The changes from which a finding is made, as natural logarithms. */
  thresholds: ByChannel,
  /** When cartridges were replaced. */
  replacements: z.array(z.object({ at: Time, position: z.number() })),
  findings: z.array(Finding),
  forecasts: z.array(Forecast),
  /** How forecasts of its vendor's cartridges turned out, of the kinds that it has. */
  coverage: z.array(Coverage),
  /** Forecasts of its own cartridges that have ended in the last 400 days, newest first: at most 20. */
  past_forecasts: z.array(PastForecast),
  /** The analysis of its supply's water; null without one. */
  water: z.nullable(StoredWater),
  /** Null without an analysis, and until recovery, temperature and feed TDS are known. */
  scaling: z.nullable(Scaling),
  /** Null until flow, pressure, temperature and feed TDS are known. */
  rated_flow: z.nullable(RatedFlow),
})
export type DeviceHealth = z.output<typeof DeviceHealth>
