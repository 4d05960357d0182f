/** SWR's cache, from which commands read the rows on screen. */
import { SWRConfig, unload, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/**
 * Clears the cache when the account changes. Responses to pending requests are discarded, and the requests of
 * the next account do not join them.
 */
export const clearCache = (): void => unload({ revalidate: false })
