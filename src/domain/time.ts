/** Lengths of time in milliseconds, and instants as text. */
export const msPerSecond = 1000
export const msPerMinute = 60 * msPerSecond
export const msPerHour = 60 * msPerMinute
export const msPerDay = 24 * msPerHour
export const msPerYear = 365.25 * msPerDay

/** Returns an instant (milliseconds UTC) in ISO 8601. */
export const isoOf = (instant: number): string => new Date(instant).toISOString()
