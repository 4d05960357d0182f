/** Progress of bulk calls on devices, published to the caller's streams. */
import type { Bus } from './bus.ts'

/** Milliseconds between two events of one call. */
const publishInterval = 500

export interface CallProgress {
  /** Counts one device as done or failed. */
  count(succeeded: boolean): void
  /** Stops publishing, before the response is sent. */
  stop(): void
}

/** Publishes the progress of a call while it changes; does nothing if the caller sent no progress id. */
export function callProgress(
  bus: Bus,
  { account, progressId }: { readonly account: string; readonly progressId: string | undefined },
  total: number,
): CallProgress {
  if (progressId === undefined) return { count: () => undefined, stop: () => undefined }
  let done = 0
  let failed = 0
  let published = 0
  const timer = setInterval(() => {
    if (done + failed === published) return
    published = done + failed
    bus.publish({ kind: 'progress', account, id: progressId, done, failed, total })
  }, publishInterval)
  return {
    count: succeeded => {
      if (succeeded) done++
      else failed++
    },
    stop: () => clearInterval(timer),
  }
}
