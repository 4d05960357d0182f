/** Endpoint of the overview: how many devices are in which state of health. */
import { and, count, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { health as contract, type groupings } from '../../../src/api/contract/health.ts'
import { healthStates, type HealthCondition } from '../../../src/domain/columns/health.ts'
import { causeNames } from '../../../src/domain/health/texts/causeNames.ts'
import { dueDay } from '../../../src/domain/columns/healthSearches.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/** Groups that are listed at most. */
const maxGroups = 50

interface Grouping {
  readonly key: PgColumn | SQL<string>
  /** The names of keys; without it a key is its own name. */
  readonly names?: {
    readonly table: typeof deviceModels | typeof accounts
    readonly id: PgColumn
    readonly name: PgColumn
  }
}

const keys: Readonly<Record<(typeof groupings)[number], Grouping>> = {
  cause: { key: devices.health_cause },
  supply: { key: devices.water_supply },
  model: { key: devices.model_id, names: { table: deviceModels, id: deviceModels.id, name: deviceModels.name } },
  vendor: { key: devices.vendor_id, names: { table: accounts, id: accounts.id, name: accounts.company_name } },
}

type Counts = Record<HealthCondition, number>
const emptyCounts = () => Object.fromEntries(healthStates.map(state => [state, 0])) as Counts

export const summary = handler(contract.summary, async ({ query: { by }, caller, services: { db, now } }) => {
  const { key, names } = keys[by]
  const day = dueDay(now().getTime())
  const totals = await db
    .select({ state: devices.health_state, n: count() })
    .from(devices)
    .where(ownDevices(caller))
    .groupBy(devices.health_state)
  const rows = await db
    .select({ key: sql<string>`${key}`, state: devices.health_state, n: count() })
    .from(devices)
    .where(and(ownDevices(caller), isNotNull(key)))
    .groupBy(key, devices.health_state)
  const ids = [...new Set(rows.map(row => row.key))]
  const named = names
    ? await db.select({ id: names.id, name: names.name }).from(names.table).where(inArray(names.id, ids))
    : []
  const nameOf = new Map(named.map(({ id, name }) => [String(id), String(name)]))
  const groups = [...Map.groupBy(rows, row => row.key)].map(([id, found]) => {
    const counts = emptyCounts()
    for (const { state, n } of found) counts[state] = n
    const name = by === 'cause' ? causeNames[id as keyof typeof causeNames] : (nameOf.get(id) ?? id)
    return { key: id, name, counts }
  })
  const counts = emptyCounts()
  for (const { state, n } of totals) counts[state] = n
  return {
    counts,
    due: { day, count: await db.$count(devices, and(ownDevices(caller), lt(devices.due_at, endOf(day)))) },
    groups: groups
      .toSorted((one, other) => needing(other.counts) - needing(one.counts) || one.name.localeCompare(other.name, 'en'))
      .slice(0, maxGroups),
  }
})

const endOf = (day: string) => new Date(Date.parse(day) + msPerDay)

/** Orders groups by how many of their devices need work. */
const needing = ({ act, watch }: Counts) => act * 1e6 + watch
