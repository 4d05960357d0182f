/** Publishes the progress of bulk calls on devices to the live streams of the caller. */
import type { Bus } from './bus.ts'

/** Milliseconds between two publications of one call's counts. */
const publishInterval = 500

export interface CallProgress {
  /** Counts a device that has ended; a skipped one as failed. */
  countOutcome(isDone: boolean): void
  /** Stops publishing, also of what is not published yet: the response has the result. */
  stop(): void
}

/** Publishes the counts of a caller’s call while they change, until it is stopped; does nothing without a progress id. */
export function publishProgress(
  bus: Bus,
  { account, vendor }: { readonly account: string; readonly vendor: string | null },
  progressId: string | undefined,
  total: number,
): CallProgress {
  if (progressId === undefined) return { countOutcome: () => undefined, stop: () => undefined }
  let done = 0
  let failed = 0
  let publishedCount = 0
  const timer = setInterval(() => {
    if (done + failed === publishedCount) return
    publishedCount = done + failed
    bus.publish({ kind: 'progress', account, vendor, id: progressId, done, failed, total })
  }, publishInterval)
  return {
    countOutcome: isDone => {
      if (isDone) done++
      else failed++
    },
    stop: () => clearInterval(timer),
  }
}
