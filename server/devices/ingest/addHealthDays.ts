/** Adds sums to the stored days of devices' health. */
import { sql } from 'drizzle-orm'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import { observedChannels } from '../../../src/domain/health/types/channels.ts'
import { inputValues, preparedInput, type ColumnOf } from '../../db/columnArrays.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'

/** Sums over a part of a device's local day. */
export interface HealthDay {
  readonly bssid: string
  /** Days from 1 January 1970. */
  readonly day: number
  readonly sums: DaySums
}

const counts = ['n', 'flows', 'passages', 'tank_runs'] as const
const amounts = [
  'temperature',
  'flow',
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

/** Columns that are added to what is stored. */
const added: readonly ColumnOf<HealthDay>[] = [
  ...observedChannels.flatMap((channel): ColumnOf<HealthDay>[] => [
    { name: `${channel}_n`, type: 'whole', value: ({ sums }) => sums.channels[channel]?.n ?? 0 },
    { name: `${channel}_sum`, type: 'amount', value: ({ sums }) => sums.channels[channel]?.sum ?? 0 },
    { name: `${channel}_squares`, type: 'amount', value: ({ sums }) => sums.channels[channel]?.squares ?? 0 },
  ]),
  ...counts.map((name): ColumnOf<HealthDay> => ({ name, type: 'whole', value: ({ sums }) => sums[name] })),
  ...amounts.map((name): ColumnOf<HealthDay> => ({ name, type: 'amount', value: ({ sums }) => sums[name] })),
]
const columns: readonly ColumnOf<HealthDay>[] = [
  { name: 'bssid', type: 'key', value: row => row.bssid },
  { name: 'day', type: 'whole', value: row => row.day },
  ...added,
  { name: 'max_run', type: 'whole', value: ({ sums }) => Math.round(sums.max_run) },
]

const names = sql.join(
  columns.map(({ name }) => sql.identifier(name)),
  sql`, `,
)
const additions = sql.join(
  added.map(
    ({ name }) => sql`${sql.identifier(name)} = stored.${sql.identifier(name)} + excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)

const statement = prepareStatement<never>(
  'add_health_days',
  // In the order of the keys, so that two servers do not wait for one another in a circle.
  sql`
    insert into health_days as stored (${names})
    select ${names} from ${preparedInput('days', columns)}
    where exists (select from device_health as health where health.bssid = input.bssid)
    order by bssid, day
    on conflict (bssid, day) do update set ${additions}, max_run = greatest(stored.max_run, excluded.max_run)`,
)

/** Adds sums to the stored days, without those of devices that have been deleted. No two of `days` are the same day of a device. */
export async function addHealthDays(db: Database, days: readonly HealthDay[]): Promise<void> {
  await statement(db, inputValues('days', columns, days), { keepPlan: true })
}
