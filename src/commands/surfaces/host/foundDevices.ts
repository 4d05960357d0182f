/** The devices that a job of the server has found by its search. */
import { allTasks } from '../../../api/jobs/jobs.ts'
import type { AnyItem, ListSearch } from '../../../store/selection.ts'
import { session } from '../../../store/session.ts'
import { whenNothingPrompts } from '../../core/runs/pendingCommands.ts'
import { changeSelection } from '../../core/runs/selectionChanges.ts'
import { freezeSelection } from '../../selection/materialize.ts'
import { readDevices } from '../../selection/selectList.ts'
import { silentProgress } from '../toasts/progress.tsx'
import { toastFailure } from '../toasts/toasts.tsx'

interface FoundDevices {
  readonly ids: readonly string[]
  /** The devices that still exist. */
  readonly items: readonly AnyItem[]
}

/**
 * Reads the devices of a job on a search, and selects them in place of the search, whose matches the job may change. A
 * command that uses the selection waits for it. A failure is reported, and leaves the selection as it is.
 */
export async function findDevices(job: string, search: ListSearch | undefined): Promise<FoundDevices> {
  const { userId } = session
  const progress = silentProgress()
  const ids: string[] = []
  try {
    const items = await changeSelection(async () => {
      for await (const tasks of allTasks(job, progress)) ids.push(...tasks.map(({ bssid }) => bssid))
      const found = await readDevices(ids, progress)
      // A repeating job has no devices of its own.
      if (search && ids.length > 0 && session.userId === userId)
        whenNothingPrompts(() => freezeSelection('devices', search, found))
      return found
    })
    return { ids, items }
  } catch (error) {
    if (session.userId === userId) toastFailure(error)
    return { ids, items: [] }
  }
}
