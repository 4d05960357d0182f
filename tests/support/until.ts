/** Waiting in tests for a condition, never for a fixed time. */
import { vi } from 'vitest'

/** Waits until the expectation holds, and returns its result; rejects with its last error after 20 seconds. */
export const until = <Result>(holds: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(holds, { timeout: 20_000, interval: 10 })
