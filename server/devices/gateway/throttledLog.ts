/** A log for errors that may occur with every message: each text is logged at most once a minute. */
import type { Log } from '../../core/log.ts'

/** Minimum milliseconds between two logs of the same text. */
const minInterval = 60_000

export type ThrottledLog = (text: string, error: unknown) => void

/** Returns the log function. Texts must not contain variable parts such as device ids. */
export function throttledLog(log: Log): ThrottledLog {
  const loggedAt = new Map<string, number>()
  return (text, error) => {
    const at = performance.now()
    if (at - (loggedAt.get(text) ?? -Infinity) < minInterval) return
    loggedAt.set(text, at)
    log.error(text, error)
  }
}
