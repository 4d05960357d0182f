import { proxy } from 'valtio'

/** Counts the screens that were opened, so that code that depends on the path reads it again. */
export const navigations = proxy({ count: 0 })

/** Returns the path of the current screen. */
export const currentPath = (): string => window.location.pathname

/** Returns the absolute URL of a path, for sharing. */
export const absoluteUrl = (path: string): string => `${window.location.origin}${path}`
