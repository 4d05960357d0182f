/** Endpoint of the overview: how many devices are in which state of health, in all and by groups. */
import { sql, type SQL } from 'drizzle-orm'
import { health as contract, type groupings } from '../../../src/api/contract/health.ts'
import { healthStates, type HealthCondition } from '../../../src/domain/columns/health.ts'
import { causeNames } from '../../../src/domain/health/texts/causeNames.ts'
import { dueDay } from '../../../src/domain/columns/healthSearches.ts'
import type { Cause } from '../../../src/domain/health/types.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/** Groups that are listed at most, of each grouping. */
const maxGroups = 50

type Grouping = (typeof groupings)[number]
type Counts = Readonly<Record<HealthCondition, number>>

/** The column of the devices that groups them, and where the names of its values are; without it they are names. */
const keys: Readonly<Record<Grouping, { readonly key: SQL; readonly name?: SQL }>> = {
  cause: { key: sql`${devices.health_cause}` },
  supply: { key: sql`${devices.water_supply}` },
  model: {
    key: sql`${devices.model_id}`,
    name: sql`(select ${deviceModels.name} from ${deviceModels} where ${deviceModels.id} = found.key)`,
  },
  vendor: {
    key: sql`${devices.vendor_id}`,
    name: sql`(select ${accounts.company_name} from ${accounts} where ${accounts.id} = found.key)`,
  },
}

interface Row extends Counts, Record<string, unknown> {
  /** Null for all devices. */
  readonly by: Grouping | null
  readonly key: string
  readonly name: string
  readonly due: number
}

const perState = sql.join(
  healthStates.map(
    state => sql`coalesce(sum(n) filter (where state = ${state}), 0)::integer as ${sql.identifier(state)}`,
  ),
  sql`, `,
)

export const summary = handler(contract.summary, async ({ query, caller, services: { db, now } }) => {
  const by = [...new Set(query.by)]
  const day = dueDay(now().getTime())
  const endOfDay = new Date(Date.parse(day) + msPerDay).toISOString()
  const scope = ownDevices(caller)
  // The devices are read once: what their groups have in common is counted, and the counts are added by group.
  const columns = by.map(each => sql`, ${keys[each].key} as ${sql.identifier(each)}`)
  const grouped = by.map(
    each => sql`union all (
      select *, ${keys[each].name ?? sql`found.key`} as name from (
        select ${each}::text as by, ${sql.identifier(each)} as key, ${perState}, 0 as due
        from cell where ${sql.identifier(each)} is not null
        group by 2 order by act desc, watch desc, key limit ${maxGroups}
      ) as found)`,
  )
  const { rows } = await db.execute<Row>(sql`
    with cell as materialized (
      select ${devices.health_state} as state${sql.join(columns)}, count(*) as n,
        count(*) filter (where ${devices.due_at} < ${endOfDay}::timestamptz) as due
      from ${devices} ${scope && sql`where ${scope}`} group by ${sql.join([sql`1`, ...by.map((_, index) => sql.raw(String(index + 2)))], sql`, `)}
    )
    select null as by, '' as key, ${perState}, coalesce(sum(due), 0)::integer as due, '' as name from cell
    ${sql.join(grouped, sql` `)}`)
  const all = rows.find(row => row.by === null)!
  return {
    counts: countsOf(all),
    due: { day, count: all.due },
    groups: by.flatMap(each =>
      rows
        .filter(row => row.by === each)
        .map(row => ({ by: each, key: row.key, name: nameOf(each, row), counts: countsOf(row) }))
        .toSorted(
          (one, other) => needing(other.counts) - needing(one.counts) || one.name.localeCompare(other.name, 'en'),
        ),
    ),
  }
})

const nameOf = (by: Grouping, { key, name }: Row): string => (by === 'cause' ? causeNames[key as Cause] : name)

const countsOf = (row: Row) => Object.fromEntries(healthStates.map(state => [state, row[state]])) as Counts

/** Orders groups by how many of their devices need work. */
const needing = ({ act, watch }: Counts) => act * 1e6 + watch
