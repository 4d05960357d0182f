/** Progress of bulk calls, which arrives on the stream. */

/** The numbers of a call's ids that are done and failed so far. */
export interface CallProgress {
  readonly done: number
  readonly failed: number
}
type Listener = (progress: CallProgress) => void

const tracked = new Map<string, Listener>()
/** Starts tracking the call with this progress id. Returns the function that stops. */
export function trackCall(id: string, onProgress: Listener): () => void {
  tracked.set(id, onProgress)
  return () => tracked.delete(id)
}

/** Passes a progress event to the tracked call, if this tab sent it. */
export function reportProgress(id: string, progress: CallProgress): void {
  tracked.get(id)?.(progress)
}
