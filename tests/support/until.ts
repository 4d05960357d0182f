/** Waiting in tests: for what happens, never for a time. */
import { vi } from 'vitest'

/** Waits until the expectation holds, and returns what it does; rejects with what it says last, after 20 seconds. */
export const until = <Result>(holds: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(holds, { timeout: 20_000, interval: 10 })
