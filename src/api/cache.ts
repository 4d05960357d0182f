/** SWR's memory, where commands find the rows that are on screen. */
import { SWRConfig, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/** What one account has read is not for the next. */
export function emptyCache(): void {
  for (const key of cache.keys()) cache.delete(key)
}
