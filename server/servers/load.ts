/** Measures the load of this process. */
import { msPerSecond } from '../../src/domain/time.ts'

export interface Load {
  /** % of a core since the last call. */
  readonly cpu: number
  /** The longest delay of the event loop since the last call, ms. */
  readonly lag: number
  /** Resident memory, MB. */
  readonly memory: number
}

/** Milliseconds between two measurements of the event loop's delay. */
const sampleInterval = msPerSecond

/** Starts to measure the process. */
export function measureLoad(): { take(): Load; close(): void } {
  let cpu = process.cpuUsage()
  let at = performance.now()
  let lag = 0
  let expected = at + sampleInterval
  // Cheaper than `monitorEventLoopDelay`, and enough to see a server that is overloaded.
  const timer = setInterval(() => {
    const now = performance.now()
    lag = Math.max(lag, now - expected)
    expected = now + sampleInterval
  }, sampleInterval).unref()
  return {
    take: () => {
      const [used, now] = [process.cpuUsage(cpu), performance.now()]
      // The timer has not run yet if the loop was blocked until now.
      const load = {
        // Microseconds per millisecond, as %.
        cpu: Math.round((used.user + used.system) / 10 / Math.max(1, now - at)),
        lag: Math.round(Math.max(lag, now - expected, 0)),
        memory: Math.round(process.memoryUsage.rss() / 1e6),
      }
      cpu = process.cpuUsage()
      at = now
      lag = 0
      return load
    },
    close: () => clearInterval(timer),
  }
}
