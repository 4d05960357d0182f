/** Progress of bulk calls, which arrives on the stream. */

/** The numbers of a call's ids that are done and failed so far. */
export interface CallProgress {
  readonly done: number
  readonly failed: number
}
type Listener = (progress: CallProgress) => void

const tracked = new Map<string, Listener>()
let serial = 0

/** Starts tracking a call. Returns its progress id and a function that stops. */
export function trackCall(onProgress: Listener): { id: string; stop: () => void } {
  // Random, because the account's other tabs receive the same progress events.
  const id = `${Math.random().toString(36).slice(2)}-${serial++}`
  tracked.set(id, onProgress)
  return { id, stop: () => tracked.delete(id) }
}

/** Passes a progress event to the tracked call, if this tab sent it. */
export function reportProgress(id: string, progress: CallProgress): void {
  tracked.get(id)?.(progress)
}
