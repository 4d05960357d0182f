/**
 * The health of a fleet as the overview shows it. The hooks read it and keep it up to date; the functions `cached…` return what
 * they have read so far, for commands, or undefined.
 */
import useSWR from 'swr'
import { cachedData } from '../cache.ts'
import { call } from '../client.ts'
import type { Finding } from '../contract/findings.ts'
import { health } from '../contract/health/endpoints.ts'
import type {
  Coverage,
  FindingGroup,
  groupings,
  HealthSummary,
  SupplyChange,
  Movers,
} from '../contract/health/fleet.ts'
import { useRefreshOptions, type Key } from '../hooks.ts'

export type Grouping = (typeof groupings)[number]

const summaryKey = (by: readonly Grouping[]): Key => [health.summary.path, by.join(',')]
const newestKey: Key = [health.newest.path, null]
const findingGroupsKey: Key = [health.findingGroups.path, null]
const moversKey: Key = [health.movers.path, null]
const changesKey: Key = [health.incidents.path, null]
const coverageKey: Key = [health.coverage.path, null]

/** Reads how many devices are in each state of health, in all and by the groupings. */
export const useHealthSummary = (by: readonly Grouping[]) =>
  useSWR<HealthSummary>(
    summaryKey(by),
    () => call(health.summary, { query: { by: by.join(',') } }),
    useRefreshOptions(),
  )

/** Reads the open findings of the last days: by severity, then by confidence. */
export const useNewestFindings = () =>
  useSWR<readonly Finding[]>(newestKey, () => call(health.newest), useRefreshOptions())

/** Reads the groups of open findings of one cause on one water supply, newest first. */
export const useFindingGroups = () =>
  useSWR<readonly FindingGroup[]>(findingGroupsKey, () => call(health.findingGroups), useRefreshOptions())

/** Reads the changes of feed water and feed pressure that devices of a supply share, newest first. */
export const useSupplyChanges = () =>
  useSWR<readonly SupplyChange[]>(changesKey, () => call(health.incidents), useRefreshOptions())

/** Reads the devices whose scores have fallen or risen most in a month, at most five each. */
export const useMovers = () => useSWR<Movers>(moversKey, () => call(health.movers), useRefreshOptions())

/** Reads how many cartridges ended inside the intervals of their forecasts, by kind. */
export const useCoverage = () =>
  useSWR<readonly Coverage[]>(coverageKey, () => call(health.coverage), useRefreshOptions())

export const cachedSummary = (by: readonly Grouping[]) => cachedData<HealthSummary>(summaryKey(by))
export const cachedNewestFindings = () => cachedData<readonly Finding[]>(newestKey)
export const cachedFindingGroups = () => cachedData<readonly FindingGroup[]>(findingGroupsKey)
export const cachedSupplyChanges = () => cachedData<readonly SupplyChange[]>(changesKey)
export const cachedMovers = () => cachedData<Movers>(moversKey)
