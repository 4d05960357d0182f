/** Endpoint of the overview: how many devices are in which state of health, in all and by groups. */
import { and, lt, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import type { groupings } from '../../../src/api/contract/health/fleet.ts'
import { healthStates, type HealthCondition } from '../../../src/domain/columns/health.ts'
import { causeLabels } from '../../../src/domain/health/texts/causeNames.ts'
import { dueDay } from '../../../src/domain/columns/healthSearches.ts'
import type { Cause } from '../../../src/domain/health/types/assessment.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { nameKeys } from '../../db/caseFold.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'
import { hasPendingDays } from './pending.ts'
import { analysesByKey } from './supplies.ts'

/** Groups that are listed at most, of each grouping, and analyses of the supplies. */
const maxGroups = 50
const maxAnalyses = 500

type Grouping = (typeof groupings)[number]
type Counts = Readonly<Record<HealthCondition, number>>

/** The column of the devices that groups them. */
const keys: Readonly<Record<Grouping, PgColumn>> = {
  cause: devices.health_cause,
  supply: devices.water_supply_key,
  model: devices.model_id,
  vendor: devices.vendor_id,
}

interface Row extends Counts, Record<string, unknown> {
  /** Null for all devices. */
  readonly by: Grouping | null
  readonly key: string
  /** The label of a supply as one of its devices has it, because others may write it in another case; null for other groups. */
  readonly label: string | null
  readonly name: string
  readonly due: number
}

const perState = sql.join(
  healthStates.map(
    state => sql`count(*) filter (where ${devices.health_state} = ${state})::integer as ${sql.identifier(state)}`,
  ),
  sql`, `,
)

export const summary = handler(contract.summary, async ({ query, caller, services: { db, now } }) => {
  const by = [...new Set(query.by)]
  const day = dueDay(now().getTime())
  const endOfDay = new Date(Date.parse(day) + msPerDay)
  const scope = ownDevices(caller)
  // One pass over the devices counts them in all and by each grouping: of a set's row, the other columns are null.
  const sets = by.map(each => sql`, (${keys[each]})`)
  const label = by.includes('supply') ? sql`min(${devices.water_supply})` : sql`null::text`
  const names = by.map(each => sql` when grouping(${keys[each]}) = 0 then ${each}`)
  const { rows } = await db.execute<Row>(sql`
    with counted as materialized (
      select ${by.length > 0 ? sql`case ${sql.join(names)} end` : sql`null::text`} as by,
        coalesce(${sql.join([...by.map(each => keys[each]), sql`null`], sql`, `)}, '') as key,
        ${label} as label, ${perState}
      from ${devices} ${scope && sql`where ${scope}`} group by grouping sets (()${sql.join(sets)})
    ),
    placed as (
      select *, row_number() over (partition by by order by act desc, watch desc, key) as place
      from counted where by is null or key <> ''
    )
    select placed.*, coalesce(
        (select ${deviceModels.name} from ${deviceModels} where placed.by = 'model' and ${deviceModels.id} = placed.key),
        (select ${accounts.company_name} from ${accounts} where placed.by = 'vendor' and ${accounts.id} = placed.key),
        case when placed.by = 'supply' then placed.label end, placed.key) as name,
      case when placed.by is null then (
        select count(*)::integer from ${devices} where ${and(scope, lt(devices.due_at, endOfDay))}) end as due
    from placed where place <= ${maxGroups}`)
  const all = rows.find(row => row.by === null)!
  const groupsOf = (each: Grouping) =>
    mergeByName(rows.filter(row => row.by === each))
      .map(row => ({
        by: each,
        key: each === 'supply' ? row.name : row.key,
        name: nameOf(each, row),
        counts: countsOf(row),
      }))
      .toSorted((one, other) => needing(other.counts) - needing(one.counts) || one.name.localeCompare(other.name, 'en'))
  const groups = by.map(async each => (each === 'supply' ? withAnalyses(db, caller, groupsOf(each)) : groupsOf(each)))
  return {
    counts: countsOf(all),
    due: { day, count: all.due },
    pending: all.learning > 0 ? await pendingCount(db, caller, now()) : 0,
    groups: (await Promise.all(groups)).flat(),
  }
})

/** Merges groups with one name, such as models of two vendors: a search for the name finds the devices of both. */
function mergeByName(rows: readonly Row[]): readonly Row[] {
  const merged = new Map<string, Row>()
  for (const row of rows) {
    const key = row.name.toLowerCase()
    const before = merged.get(key)
    const sums = before && Object.fromEntries(healthStates.map(state => [state, before[state] + row[state]]))
    merged.set(key, before ? { ...before, ...sums } : row)
  }
  return [...merged.values()]
}

/** Devices that are looked at for days without a step, as in a new fleet all are learning. */
const maxPending = 1000

/** Returns how many learning devices have days before yesterday that no step has seen: a past that is still to be computed. */
async function pendingCount(db: Database, caller: Caller, now: Date): Promise<number> {
  const isPending = hasPendingDays({ bssid: sql`learning.bssid`, lastDay: sql`${deviceHealth.day}` }, now)
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from (
      select ${devices.bssid} as bssid from ${devices}
      where ${and(ownDevices(caller), sql`${devices.health_state} = 'learning'`)} limit ${maxPending}) as learning
    left join ${deviceHealth} on ${deviceHealth.bssid} = learning.bssid
    where ${isPending}`)
  return rows[0]!.count
}

const nameOf = (by: Grouping, { key, name }: Row): string => (by === 'cause' ? causeLabels[key as Cause] : name)

const countsOf = (row: Row) => Object.fromEntries(healthStates.map(state => [state, row[state]])) as Counts

/** Adds the water analyses of supplies. Each vendor that uses a label may have one. */
async function withAnalyses<Group extends { readonly key: string }>(
  db: Database,
  caller: Caller,
  groups: readonly Group[],
) {
  const labels = groups.map(({ key }) => key)
  // By keys, because a label may be written in another case where it was analysed.
  const keyOf = await nameKeys(db, labels)
  const analysesOf = await analysesByKey(db, caller, labels.map(keyOf), maxAnalyses)
  return groups.map(group => ({ ...group, analyses: analysesOf(keyOf(group.key)) }))
}

/** Orders groups by how many of their devices need work. */
const needing = ({ act, watch }: Counts) => act * 1e6 + watch
