/** Hooks for the overview of health, and what commands read of it from the cache. */
import useSWR, { unstable_serialize } from 'swr'
import { cache } from '../cache.ts'
import { call } from '../client.ts'
import type { Finding } from '../contract/findings.ts'
import { health, type groupings, type HealthSummary } from '../contract/health.ts'
import { useRefreshOptions, type Key } from '../hooks.ts'

export type Grouping = (typeof groupings)[number]

const summaryKey = (by: Grouping): Key => [health.summary.path, by]
const moversKey: Key = [health.movers.path, null]

/** Reads how many devices are in which state, by a grouping; nothing without one. */
export const useHealthSummary = (by: Grouping | undefined) =>
  useSWR<HealthSummary>(
    by === undefined ? null : summaryKey(by),
    () => call(health.summary, { query: { by: by ?? 'cause' } }),
    useRefreshOptions(),
  )

/** Reads the newest open findings, those that need work first. */
export const useMovers = () => useSWR<readonly Finding[]>(moversKey, () => call(health.movers), useRefreshOptions())

const cached = (key: Key): unknown => cache.get(unstable_serialize(key))?.data

/** Returns a loaded summary; undefined while it is loading. */
export const cachedSummary = (by: Grouping) => cached(summaryKey(by)) as HealthSummary | undefined
export const cachedMovers = () => cached(moversKey) as readonly Finding[] | undefined
