/** Waiting in tests for a condition, never for a fixed time. */
import { vi } from 'vitest'

/** Waits until the expectation holds, and returns its result; rejects with its last error after `timeout` milliseconds. */
export const until = <Result>(
  holds: () => Result | Promise<Result>,
  { timeout = 20_000 }: { readonly timeout?: number } = {},
): Promise<Result> => vi.waitFor(holds, { timeout, interval: 10 })
