/** SWR's cache of the server's responses, in which rows are found that have been loaded. */
import { SWRConfig, unload, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/**
 * Clears the cache when the account changes, so that nobody sees what another person has read. Responses to pending
 * requests are discarded.
 * @param reload Whether what the open screen shows is requested again, for the next account.
 */
export const clearCache = ({ reload = false } = {}): void => unload({ revalidate: reload })
