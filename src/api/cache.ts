/** SWR's cache of the server's responses, in which rows are found that have been loaded. */
import { SWRConfig, unload, unstable_serialize, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/** Returns what the cache keeps for a key; undefined if it was not loaded. */
export const cachedData = <Data>(key: readonly unknown[]): Data | undefined =>
  cache.get(unstable_serialize(key))?.data as Data | undefined

/**
 * Clears the cache when the account changes, so that nobody sees what another person has read. Responses to pending
 * requests are discarded.
 * @param reload Whether what the open screen shows is requested again, for the next account.
 */
export const clearCache = ({ reload = false } = {}): void => unload({ revalidate: reload })
