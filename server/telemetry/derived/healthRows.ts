/** Adds observations to the sums of devices' days, from which the daily step computes their health. */
import { sql, type SQL } from 'drizzle-orm'
import { observedChannels } from '../../../src/domain/health/types/channels.ts'
import type { HealthRow } from '../store.ts'
import type { ColumnOf } from '../../db/columnArrays.ts'

const added = [
  'temperature',
  'feed',
  'permeate',
  'rest_litres',
  'rest_hours',
  'metered',
  'integrated',
  'tank_litres',
  'tank_relief',
  'passage',
] as const

export const healthColumns: readonly ColumnOf<HealthRow>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'at', type: 'time', value: row => row.at },
  { name: 'day', type: 'whole', value: row => row.day },
  ...observedChannels.map((channel): ColumnOf<HealthRow> => ({
    name: channel,
    type: 'amount',
    value: ({ sums }) => sums.channels[channel]?.sum ?? null,
  })),
  { name: 'n', type: 'whole', value: ({ sums }) => sums.n },
  { name: 'passages', type: 'whole', value: ({ sums }) => sums.passages },
  { name: 'tank_runs', type: 'whole', value: ({ sums }) => sums.tank_runs },
  ...added.map((name): ColumnOf<HealthRow> => ({ name, type: 'amount', value: ({ sums }) => sums[name] })),
  { name: 'max_run', type: 'whole', value: ({ sums }) => Math.round(sums.max_run) },
]

/** The sums of the channels, by the name of their column. */
const channelColumns = observedChannels.flatMap(channel => {
  const value = sql.identifier(channel)
  return [
    { name: `${channel}_n`, sum: sql`count(${value})` },
    { name: `${channel}_sum`, sum: sql`coalesce(sum(${value}), 0)` },
    { name: `${channel}_squares`, sum: sql`coalesce(sum(${value} * ${value}), 0)` },
  ]
})
const columns = [
  ...channelColumns,
  ...['n', 'passages', 'tank_runs', ...added].map(name => ({ name, sum: sql`sum(${sql.identifier(name)})` })),
]
const names = sql.join(
  columns.map(({ name }) => sql.identifier(name)),
  sql`, `,
)
const values = sql.join(
  columns.map(({ sum }) => sum),
  sql`, `,
)
const additions = sql.join(
  columns.map(
    ({ name }) => sql`${sql.identifier(name)} = health_days.${sql.identifier(name)} + excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)

/** Returns the statement that adds the rows of a subquery, which has the columns of `healthColumns`, to the days. */
export const addHealthDays = (rows: SQL): SQL => sql`
  insert into health_days (bssid, day, ${names}, max_run)
  select bssid, day, ${values}, max(max_run) from ${rows} group by bssid, day order by bssid, day
  on conflict (bssid, day) do update set ${additions}, max_run = greatest(health_days.max_run, excluded.max_run)`
