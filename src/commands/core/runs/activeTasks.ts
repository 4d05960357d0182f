/** What takes its time and is not a job: rows that are read, a file that is made. Newest last. */
import { proxy } from 'valtio'

export interface ActiveTask {
  readonly title: string
  readonly cancel: AbortController
}

const all = new Set<ActiveTask>()
/** Counts what begins and ends. */
export const activeTasks = proxy({ version: 0 })

/** It begins; returns what to call at its end. */
export function registerTask(one: ActiveTask): () => void {
  all.add(one)
  activeTasks.version++
  return () => {
    all.delete(one)
    activeTasks.version++
  }
}

export const newestTask = (): ActiveTask | undefined => [...all].findLast(({ cancel }) => !cancel.signal.aborted)
