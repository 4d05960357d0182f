/** The commands that wait for the selection or for rows that are loading. All of them can be cancelled together. */

const waiting = new Set<AbortController>()

/** Whether any command waits. */
export const isWaiting = (): boolean => waiting.size > 0

export function cancelWaiting(): void {
  for (const cancel of waiting) cancel.abort()
}

/** Resolves with what `wait` resolves with, or with undefined as soon as the waiting commands are cancelled. */
export async function waitUnlessCancelled<Result>(
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const cancel = new AbortController()
  waiting.add(cancel)
  const cancelled = new Promise<undefined>(resolve => cancel.signal.addEventListener('abort', () => resolve(undefined)))
  try {
    return await Promise.race([wait(cancel.signal), cancelled])
  } finally {
    waiting.delete(cancel)
  }
}
