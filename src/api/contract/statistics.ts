/** A device's statistics over a day, week, month or year, in buckets. */
import * as z from 'zod/mini'
import { BssidInput, commaList, Time, TimeInput, TimeZone } from './fields.ts'

const reading = z.nullable(z.number())

export const ranges = ['day', 'week', 'month', 'year'] as const
export type Range = (typeof ranges)[number]

/** Litres in the bucket; rates in l/min or %; null without a reading, a recovery also without enough water. */
export const Point = z.object({
  at: Time,
  feed: reading,
  permeate: reading,
  waste: reading,
  production_rate: reading,
  /** permeate/feed over the bucket. */
  recovery_rate: reading,
  /** permeate/feed of the last flows in the bucket. */
  instant_recovery_rate: reading,
  rejection_rate: reading,
  feed_tds: reading,
  permeate_tds: reading,
  pressure: reading,
  temperature: reading,
})

export const Statistics = z.object({ from: Time, to: Time, bucket_seconds: z.number(), points: z.array(Point) })

/** The most devices of one call for statistics. */
export const maxStatisticsDevices = 50

export const StatisticsQuery = z.object({
  /** Comma-separated. */
  ids: z.pipe(commaList, z.array(BssidInput).check(z.minLength(1), z.maxLength(maxStatisticsDevices))),
  range: z._default(z.enum(ranges), 'day'),
  until: z.optional(TimeInput),
  zone: z._default(TimeZone, 'UTC'),
  /** Whether the buckets of a device with a time zone follow that zone: the same dates as in `zone`. */
  in_device_zone: z._default(z.enum(['true', 'false']), 'false'),
})

/** Buckets that several devices share. */
export const StatisticsGrid = z.object({
  from: Time,
  to: Time,
  bucket_seconds: z.number(),
  /** The start of each bucket. */
  at: z.array(Time),
})

const { at: _, ...measures } = Point.shape
const series = Object.fromEntries(Object.keys(measures).map(name => [name, z.array(reading)])) as {
  readonly [Name in keyof typeof measures]: z.ZodMiniArray<typeof reading>
}

/** The statistics of several devices. Each measure is an array with a value for each bucket of the device's grid. */
export const ManyStatistics = z.object({
  grids: z.array(StatisticsGrid),
  devices: z.array(
    z.object({
      bssid: z.string(),
      description: z.string(),
      company_name: z.string(),
      /** An IANA name; null if it has not been set. */
      time_zone: z.nullable(z.string()),
      /** The place of its grid in `grids`. */
      grid: z.number(),
      series: z.object(series),
    }),
  ),
})
export type ManyStatistics = z.output<typeof ManyStatistics>
