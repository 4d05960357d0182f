/** SQL expressions that compute rollups from readings and from finer rollups. */
import { sql, type SQL } from 'drizzle-orm'

/** Columns of a rollup that are summed when rollups are merged. */
export const summedColumns: SQL = sql`
  readings, feed, permeate, production_sum, production_count, feed_tds_sum, feed_tds_count, permeate_tds_sum,
  permeate_tds_count, pressure_sum, pressure_count, temperature_sum, temperature_count`

/** Select list that computes a rollup from readings. The production rate only counts readings with permeate flow. */
export const sumsOfReadings: SQL = sql`
  count(*)::integer as readings, sum(feed) as feed, sum(permeate) as permeate,
  coalesce(sum(permeate_flow) filter (where permeate_flow > 0), 0) as production_sum,
  count(*) filter (where permeate_flow > 0)::integer as production_count,
  coalesce(sum(feed_tds), 0) as feed_tds_sum, count(feed_tds)::integer as feed_tds_count,
  coalesce(sum(permeate_tds), 0) as permeate_tds_sum, count(permeate_tds)::integer as permeate_tds_count,
  coalesce(sum(pressure), 0) as pressure_sum, count(pressure)::integer as pressure_count,
  coalesce(sum(temperature), 0) as temperature_sum, count(temperature)::integer as temperature_count,
  max(array[extract(epoch from at)::float8, feed_flow, permeate_flow])
    filter (where permeate_flow > 0) as flow`

/** Select list that computes a rollup from rollups, whose newest flows are in the array `flow`. */
export const sumsOfRollups: SQL = sql`
  sum(readings)::integer as readings, sum(feed) as feed, sum(permeate) as permeate,
  sum(production_sum) as production_sum, sum(production_count)::integer as production_count,
  sum(feed_tds_sum) as feed_tds_sum, sum(feed_tds_count)::integer as feed_tds_count,
  sum(permeate_tds_sum) as permeate_tds_sum, sum(permeate_tds_count)::integer as permeate_tds_count,
  sum(pressure_sum) as pressure_sum, sum(pressure_count)::integer as pressure_count,
  sum(temperature_sum) as temperature_sum, sum(temperature_count)::integer as temperature_count,
  max(flow) as flow`

/** Expression that returns the newest flows of a stored rollup as such an array. */
export const newestFlow: SQL = sql`
  case when flow_at is not null then array[extract(epoch from flow_at)::float8, last_feed_flow, last_permeate_flow] end`

/** Select list of a rollup's values, in the order of `rollupColumns`. */
export const rollupValues: SQL = sql`${summedColumns}, to_timestamp(flow[1])::timestamptz(3), flow[2], flow[3]`
