/** What goes wrong with every message, or every device, is told once a minute. */
import type { Log } from '../../core/log.ts'

/** Milliseconds between two lines of the same text. */
const minInterval = 60_000

export type ThrottledLog = (text: string, error: unknown) => void

/** `text` names what goes wrong and no device, so that there are few. */
export function throttledLog(log: Log): ThrottledLog {
  const last = new Map<string, number>()
  return (text, error) => {
    const at = performance.now()
    if (at - (last.get(text) ?? -Infinity) < minInterval) return
    last.set(text, at)
    log.error(text, error)
  }
}
