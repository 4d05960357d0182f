/** Where the browser stands. */

/** The path of the screen on display. */
export const currentPath = (): string => window.location.pathname

/** The whole address of a path of this console, for others to open. */
export const addressOf = (path: string): string => `${window.location.origin}${path}`
