/** Returns the path of the current screen. */
export const currentPath = (): string => window.location.pathname

/** Returns the absolute URL of a path, for sharing. */
export const absoluteUrl = (path: string): string => `${window.location.origin}${path}`
