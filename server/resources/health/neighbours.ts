/** Medians of the devices on a supply by day, against what each of them was when new. */
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { DeviceHealth } from '../../../src/api/contract/health/device.ts'
import { minNeighbours, minObservationsOf } from '../../../src/domain/health/residuals.ts'
import { observedChannels, type ByChannel } from '../../../src/domain/health/types/channels.ts'
import { inputRows, type ColumnOf } from '../../db/columnArrays.ts'
import type { Database } from '../../db/database.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { membraneFit } from '../../devices/health/slice.ts'
import type { Days } from './devicePoints.ts'

type Point = z.input<typeof DeviceHealth>['neighbours'][number]

/** Neighbours that are read at most. */
const maxNeighbours = 50

/** A neighbour: of each channel the value when new, as ln, and the day from which on its days are compared with it. */
interface Neighbour {
  readonly bssid: string
  readonly boosted: boolean
  readonly baselines: ByChannel<number>
  readonly since: ByChannel<number>
}

const columns: readonly ColumnOf<Neighbour>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'boosted', type: 'truth', value: ({ boosted }) => boosted },
  { name: 'baselines', type: 'json', value: ({ baselines }) => JSON.stringify(baselines) },
  { name: 'since', type: 'json', value: ({ since }) => JSON.stringify(since) },
]

/** Returns the other devices on a supply, which all belong to the same vendor. */
async function neighboursOn(db: Database, supply: string, bssid: string): Promise<Neighbour[]> {
  const stored = await db
    .select({ bssid: deviceHealth.bssid, boosted: deviceHealth.boosted, state: deviceHealth.state })
    .from(deviceHealth)
    .where(and(eq(deviceHealth.supply_key, supply), ne(deviceHealth.bssid, bssid), isNotNull(deviceHealth.state)))
    .orderBy(deviceHealth.bssid)
    .limit(maxNeighbours)
  return stored.map(({ state, ...device }) => {
    const [baselines, since]: [ByChannel<number>, ByChannel<number>] = [{}, {}]
    for (const channel of observedChannels) {
      const known = state?.channels[channel]
      if (known === undefined || known.baseline === null) continue
      baselines[channel] = known.baseline
      since[channel] = known.since
    }
    return { ...device, baselines, since }
  })
}

/**
 * Returns the medians of the other devices on a device's supply. Of each, only days since its baseline was learned count: what
 * another cartridge did before says nothing about the present one.
 */
export async function neighboursOf(
  db: Database,
  { bssid, supply }: { readonly bssid: string; readonly supply: string },
  { from, to }: Days,
  at: (day: number) => string,
): Promise<Point[]> {
  const neighbours = await neighboursOn(db, supply, bssid)
  if (neighbours.length < minNeighbours) return []
  const medians = observedChannels.map(channel => {
    const [n, sum] = [sql.identifier(`${channel}_n`), sql.identifier(`${channel}_sum`)]
    // As `dayValue`: with the fitted coefficients of each membrane.
    const coefficient = channel === 'a' ? sql`water_k` : channel === 'b' || channel === 'brief' ? sql`salt_k` : sql`0`
    const season = sql`coalesce(${coefficient}, 0) * (1 / 298.0 - 1 / (273 + temperature / nullif(n, 0)))`
    // With a pump, the pressure while water runs.
    const resting = channel === 'h' ? sql`case when boosted then p_sum / nullif(p_n, 0) else 0 end` : sql`0`
    const change = sql`case when ${n} >= ${minObservationsOf(channel)} and day >= (since ->> ${channel}::text)::integer
      then ${sum} / ${n} + ${resting} - ${season} - (baselines ->> ${channel}::text)::float8 end`
    return sql`case when count(${change}) >= ${minNeighbours}
      then percentile_cont(0.5) within group (order by ${change}) end as ${sql.identifier(channel)}`
  })
  const { rows } = await db.execute<Readonly<Record<string, number | null>>>(sql`
    with neighbour as materialized (
      select input.*, fit.water_k, fit.salt_k from ${inputRows(columns, neighbours)}
      left join lateral ${membraneFit(sql`input.bssid`)} as fit on true
    )
    select day, max(days) as days, ${sql.join(medians, sql`, `)} from neighbour join health_days using (bssid)
    where day between ${from} and ${to} group by day order by day`)
  return rows.flatMap(row => {
    const values: ByChannel<number> = {}
    for (const channel of observedChannels) {
      const value = row[channel]
      if (typeof value === 'number') values[channel] = value
    }
    return Object.keys(values).length > 0 ? [{ at: at(row['day']!), days: row['days']!, values }] : []
  })
}
