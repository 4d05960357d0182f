/** SWR's memory, where commands find the rows that are on screen. */
import { SWRConfig, unload, type Cache } from 'swr'

export const cache: Cache = SWRConfig.defaultValue.cache

/**
 * What one account has read is not for the next: neither what is there, nor an answer that is still on its way. Nor may
 * the next take a request of the one before for its own, which for a moment after its answer it would.
 */
export const emptyCache = (): void => unload({ revalidate: false })
