/** Hooks for the overview of health, and what commands read of it from the cache. */
import useSWR, { unstable_serialize } from 'swr'
import { cache } from '../cache.ts'
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

/** Reads how many devices are in which state, in all and by groupings. */
export const useHealthSummary = (by: readonly Grouping[]) =>
  useSWR<HealthSummary>(
    summaryKey(by),
    () => call(health.summary, { query: { by: by.join(',') } }),
    useRefreshOptions(),
  )

/** Reads the newest open findings, those that need work first. */
export const useNewestFindings = () =>
  useSWR<readonly Finding[]>(newestKey, () => call(health.newest), useRefreshOptions())

/** Reads which open findings belong together, newest first. */
export const useFindingGroups = () =>
  useSWR<readonly FindingGroup[]>(findingGroupsKey, () => call(health.findingGroups), useRefreshOptions())

/** Reads what the devices of a supply share, newest first. */
export const useSupplyChanges = () =>
  useSWR<readonly SupplyChange[]>(changesKey, () => call(health.incidents), useRefreshOptions())

/** Reads the devices whose scores have moved most. */
export const useMovers = () => useSWR<Movers>(moversKey, () => call(health.movers), useRefreshOptions())

/** Reads how forecasts turned out, by kind of cartridge. */
export const useCoverage = () =>
  useSWR<readonly Coverage[]>(coverageKey, () => call(health.coverage), useRefreshOptions())

const cached = (key: Key): unknown => cache.get(unstable_serialize(key))?.data

/** Returns a loaded summary; undefined while it is loading. */
export const cachedSummary = (by: readonly Grouping[]) => cached(summaryKey(by)) as HealthSummary | undefined
export const cachedNewestFindings = () => cached(newestKey) as readonly Finding[] | undefined
export const cachedFindingGroups = () => cached(findingGroupsKey) as readonly FindingGroup[] | undefined
export const cachedSupplyChanges = () => cached(changesKey) as readonly SupplyChange[] | undefined
export const cachedMovers = () => cached(moversKey) as Movers | undefined
