/** Running operations that are not jobs, such as reading rows or exporting a file. Newest last. */
import { proxy } from 'valtio'

export interface ActiveTask {
  readonly title: string
  readonly cancel: AbortController
}

const tasks = new Set<ActiveTask>()
/** `version` counts the tasks that have started and ended, for subscribers. */
export const activeTasks = proxy({ version: 0 })

/** Registers a task. Returns the function to call at its end. */
export function registerTask(task: ActiveTask): () => void {
  tasks.add(task)
  activeTasks.version++
  return () => {
    tasks.delete(task)
    activeTasks.version++
  }
}

/** Cancels all tasks, such as an export that would go on with the rows that another person sees. */
export function cancelTasks(): void {
  for (const { cancel } of tasks) cancel.abort()
}

/** Returns the newest task that has not been cancelled. */
export const newestTask = (): ActiveTask | undefined => [...tasks].findLast(({ cancel }) => !cancel.signal.aborted)
