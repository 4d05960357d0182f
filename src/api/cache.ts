/** SWR's cache of the server's responses, in which rows are found that have been loaded. */
import { SWRConfig, unload, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/**
 * Clears the cache when the account changes. Responses to pending requests are discarded, and equal
 * requests of the next account are sent again.
 */
export const clearCache = (): void => unload({ revalidate: false })
