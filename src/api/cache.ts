/** SWR's cache, from which commands read the rows on screen. */
import { SWRConfig, unload, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/**
 * Clears the cache when the account changes. Pending responses are discarded too, and not deduplicated with requests
 * of the next account.
 */
export const clearCache = (): void => unload({ revalidate: false })
