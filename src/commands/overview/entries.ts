/** The entries of the overview, in the order in which keys move through them. */
import { cachedAlarmLoad } from '../../api/health/alarmLoad.ts'
import { groupsByFinding, lineIdOf } from '../../api/health/findingGroups.ts'
import { changeIdOf, isShownChange } from '../../api/health/supplyChanges.ts'
import {
  cachedFindingGroups,
  cachedMovers,
  cachedNewestFindings,
  cachedSummary,
  cachedSupplyChanges,
  type Grouping,
} from '../../api/health/summary.ts'
import type { Finding } from '../../api/contract/findings.ts'
import type { AnalysedSupply } from '../../api/contract/health/water.ts'
import type { FindingGroup, HealthSummary, SupplyChange, Mover, Movers } from '../../api/contract/health/fleet.ts'
import type { AlarmLoad } from '../../api/contract/notifications.ts'
import { healthStateNames, type HealthCondition } from '../../domain/columns/health.ts'
import { dueDays, stateSearch } from '../../domain/columns/healthSearches.ts'
import type { Role } from '../../domain/roles.ts'
import { overviewView } from '../../store/overview/view.ts'
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
  /** The water analyses of a supply; undefined for other groups. */
  readonly analyses?: readonly AnalysedSupply[] | undefined
}
/** One device, which is opened. */
export interface DeviceEntry {
  readonly id: string
  readonly bssid: string
}
export interface FindingEntry extends DeviceEntry {
  readonly finding: Finding
}
/** Findings of one cause on one water supply, which are one line. */
export interface FindingsEntry {
  readonly id: string
  readonly group: FindingGroup
  readonly search?: undefined
  readonly bssids: readonly string[]
}
export interface MoverEntry extends DeviceEntry {
  readonly mover: Mover
}
export interface WorstEntry extends DeviceEntry {
  readonly worst: AlarmLoad['worst'][number]
}
/**
 * A change that the devices of a supply share. They are searched for by its label; without a label, or where another vendor uses the
 * same one, it has its devices.
 */
export type SupplyChangeEntry = { readonly id: string; readonly change: SupplyChange } & (
  | { readonly search: ListSearch }
  | { readonly search?: undefined; readonly bssids: readonly string[] }
)
export type OverviewEntry = CountEntry | DeviceEntry | SupplyChangeEntry | FindingsEntry

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

/** Returns the groupings of the first column, below the new findings. All devices of a vendor are its own. */
export const firstGroupings = (role: Role | undefined): readonly Grouping[] =>
  role === 'vendor' ? ['cause'] : ['cause', 'vendor']

/** The groupings of the second column, below the movers. */
export const laterGroupings = ['model', 'supply'] as const satisfies readonly Grouping[]

/** Returns the groupings that the role sees. */
export const groupingsOf = (role: Role | undefined): readonly Grouping[] => [...firstGroupings(role), ...laterGroupings]

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

/** Returns the groups of a grouping, those with the most to do first. */
export const groupsOf = (by: Grouping, { groups }: HealthSummary): HealthSummary['groups'] =>
  groups.filter(group => group.by === by)

/** Returns the groups that are shown: those with the most to do, or all. */
export const groupEntries = (by: Grouping, summary: HealthSummary, all: boolean): readonly GroupEntry[] =>
  groupsOf(by, summary)
    .slice(0, all ? undefined : maxGroups)
    .map(({ key, name, counts, analyses }) => ({
      id: `${by} ${key}`,
      name,
      count: totalOf(counts),
      counts,
      analyses,
      search: { search: name, column: columns[by], operator: 'eq' },
    }))

/** Maximum changes of supplies that are shown. */
const maxSupplyChanges = 10

/** Returns the changes of supplies that are shown, lasting ones before ended ones. `now`: epoch milliseconds. */
export const supplyChangeEntries = (changes: readonly SupplyChange[], now: number): readonly SupplyChangeEntry[] =>
  changes
    .filter(change => isShownChange(change, now))
    .toSorted((one, other) => Number(one.ended_at !== null) - Number(other.ended_at !== null))
    .slice(0, maxSupplyChanges)
    .map(supplyChangeEntry)

/** Returns the entry of a change of a supply. */
export function supplyChangeEntry(change: SupplyChange): SupplyChangeEntry {
  const { water_supply: supply, bssids } = change
  const id = changeIdOf(change)
  return supply !== null && bssids === null
    ? { id, change, search: { search: supply, column: columns.supply, operator: 'eq' } }
    : { id, change, bssids: bssids ?? [] }
}

export const worstEntries = ({ worst }: Pick<AlarmLoad, 'worst'>): readonly WorstEntry[] =>
  worst.map(each => ({ id: `alarms ${each.device.bssid}`, bssid: each.device.bssid, worst: each }))

/** Maximum lines of new findings that are shown. */
const maxFindings = 10

/** Returns new findings, those of a group as one line. */
export function findingEntries(
  findings: readonly Finding[],
  groups: readonly FindingGroup[],
): readonly (FindingEntry | FindingsEntry)[] {
  const groupOf = groupsByFinding(groups)
  const lines = new Map(
    findings.map(finding => {
      const group = groupOf.get(finding._id)
      const entry = group ? findingsEntry(group) : findingEntry(finding)
      return [entry.id, entry] as const
    }),
  )
  return [...lines.values()].slice(0, maxFindings)
}
const findingEntry = (finding: Finding): FindingEntry => ({
  id: `finding ${finding._id}`,
  bssid: finding.bssid,
  finding,
})
const findingsEntry = (group: FindingGroup): FindingsEntry => ({
  id: lineIdOf(group),
  group,
  bssids: group.bssids,
})

/** Returns the devices that have moved, those that have become worse first. */
export const moverEntries = ({ fell, rose }: Movers): readonly MoverEntry[] =>
  [...fell, ...rose].map(mover => ({ id: `mover ${mover.bssid}`, bssid: mover.bssid, mover }))

/** Returns the entries that have been loaded. */
export function loadedEntries(role: Role | undefined): readonly OverviewEntry[] {
  const [summary, load] = [cachedSummary(groupingsOf(role)), cachedAlarmLoad(overviewView.range)]
  const [newest, findingGroups] = [cachedNewestFindings(), cachedFindingGroups()]
  const [movers, supplyChanges] = [cachedMovers(), cachedSupplyChanges()]
  const groups = (by: readonly Grouping[]) =>
    summary ? by.flatMap(each => groupEntries(each, summary, overviewView.allGroups)) : []
  return [
    ...(summary ? stateEntries(summary) : []),
    ...(load ? worstEntries(load) : []),
    ...(supplyChanges ? supplyChangeEntries(supplyChanges, Date.now()) : []),
    ...(newest && findingGroups ? findingEntries(newest, findingGroups) : []),
    ...groups(firstGroupings(role)),
    ...(movers ? moverEntries(movers) : []),
    ...groups(laterGroupings),
  ]
}
