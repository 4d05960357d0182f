/** The entries of the overview, in the order in which keys move through them. */
import { cachedMovers, cachedSummary, type Grouping } from '../../api/health/summary.ts'
import type { Finding } from '../../api/contract/findings.ts'
import type { HealthSummary } from '../../api/contract/health.ts'
import { healthStateNames, type HealthCondition } from '../../domain/columns/health.ts'
import { dueDays, stateSearch } from '../../domain/columns/healthSearches.ts'
import type { Role } from '../../domain/roles.ts'
import type { ListSearch } from '../../store/selection.ts'

/** How many devices are in which state. */
export type Counts = HealthSummary['counts']

/** Devices that the overview counts, and the search that finds them. */
export interface CountEntry {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly search: ListSearch
}
/** Devices of one cause, model, supply or vendor. */
export interface GroupEntry extends CountEntry {
  readonly counts: Counts
}
export interface MoverEntry {
  readonly id: string
  readonly finding: Finding
}
export type OverviewEntry = CountEntry | MoverEntry

/** The states, the one that needs work first. */
export const shownStates = ['act', 'watch', 'good', 'learning'] as const satisfies readonly HealthCondition[]

/** Groups that are shown of each grouping. */
export const maxGroups = 10

/** The columns of the list of devices by which groups are found, by name. */
const columns: Readonly<Record<Grouping, string>> = {
  cause: 'health_cause',
  model: 'model',
  supply: 'water_supply',
  vendor: 'company_name',
}

/** Returns the groupings that the role sees. All devices of a vendor are its own. */
export const groupingsOf = (role: Role | undefined): readonly Grouping[] =>
  role === 'vendor' ? ['cause', 'model', 'supply'] : ['cause', 'model', 'supply', 'vendor']

/** Returns the number of devices in all states. */
export const totalOf = (counts: Counts): number => shownStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)

/** Returns the counts by state, and of the devices that are due soon. */
export const stateEntries = ({ counts, due }: HealthSummary): readonly CountEntry[] => [
  ...shownStates.map(state => ({
    id: `state ${state}`,
    name: healthStateNames[state],
    count: counts[state] ?? 0,
    search: stateSearch(state),
  })),
  {
    id: 'due',
    name: `Due in ${dueDays} days`,
    count: due.count,
    search: { search: due.day, column: 'due_at', operator: 'le' },
  },
]

/** Returns the groups that are shown. */
export const groupEntries = (by: Grouping, { groups }: HealthSummary): readonly GroupEntry[] =>
  groups.slice(0, maxGroups).map(({ key, name, counts }) => ({
    id: `${by} ${key}`,
    name,
    count: totalOf(counts),
    counts,
    search: { search: name, column: columns[by], operator: 'eq' },
  }))

export const moverEntries = (movers: readonly Finding[]): readonly MoverEntry[] =>
  movers.map(finding => ({ id: `finding ${finding._id}`, finding }))

/** Returns the entries that have been loaded. */
export function loadedEntries(role: Role | undefined): readonly OverviewEntry[] {
  const all = cachedSummary('cause')
  const groups = groupingsOf(role).flatMap(by => {
    const summary = cachedSummary(by)
    return summary ? groupEntries(by, summary) : []
  })
  return [...(all ? stateEntries(all) : []), ...groups, ...moverEntries(cachedMovers() ?? [])]
}
