/** How far a call on many devices is, for who follows it on the stream. */
import type { Bus } from './bus.ts'

/** Milliseconds between two tellings of one call. */
const publishInterval = 500

export interface CallProgress {
  /** One more has come to its end. */
  ended(done: boolean): void
  /** The call is about to be answered: there is nothing more to tell. */
  stop(): void
}

/** Tells twice a second how far a call is, as long as that changes; nothing where the caller gave the call no id. */
export function callProgress(
  bus: Bus,
  { account, progressId }: { readonly account: string; readonly progressId: string | undefined },
  total: number,
): CallProgress {
  if (progressId === undefined) return { ended: () => undefined, stop: () => undefined }
  let done = 0
  let failed = 0
  let published = 0
  const timer = setInterval(() => {
    if (done + failed === published) return
    published = done + failed
    bus.publish({ kind: 'progress', account, id: progressId, done, failed, total })
  }, publishInterval)
  return {
    ended: succeeded => {
      if (succeeded) done++
      else failed++
    },
    stop: () => clearInterval(timer),
  }
}
