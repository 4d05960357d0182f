/** Waiting in tests for a condition, never for a fixed time. */
import { vi } from 'vitest'

/**
 * Waits until the expectation holds, and returns its result; rejects with its last error after `timeout` milliseconds.
 * It is tried every `interval` milliseconds: longer ones leave the processor to other tests while a slow thing is awaited.
 */
export const until = <Result>(
  holds: () => Result | Promise<Result>,
  { timeout = 20_000, interval = 10 }: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<Result> => vi.waitFor(holds, { timeout, interval })
