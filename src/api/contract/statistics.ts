/** A device's statistics over a day, week, month or year, in buckets. */
import * as z from 'zod/mini'
import { Time } from './fields.ts'

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

/** A bucket without readings. */
export const emptyPoint = {
  feed: null,
  permeate: null,
  waste: null,
  production_rate: null,
  recovery_rate: null,
  instant_recovery_rate: null,
  rejection_rate: null,
  feed_tds: null,
  permeate_tds: null,
  pressure: null,
  temperature: null,
} as const satisfies Omit<z.output<typeof Point>, 'at'>

export const Statistics = z.object({ from: Time, to: Time, bucket_seconds: z.number(), points: z.array(Point) })
