/** Lengths of time in milliseconds. */
export const msPerSecond = 1000
export const msPerMinute = 60 * msPerSecond
export const msPerHour = 60 * msPerMinute
export const msPerDay = 24 * msPerHour
export const msPerYear = 365.25 * msPerDay
