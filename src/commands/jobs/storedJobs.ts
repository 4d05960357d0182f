/** Jobs that earlier versions of the console have stored in the browser: shown until they are 30 days old. */
import { ref, subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { PreviousValues } from '../../api/contract/endpoint.ts'
import { msPerDay } from '../../domain/time.ts'
import { entities } from '../../store/lists.ts'
import { largeStateNames, readLarge, withStorageTimeout, writeLarge } from '../../store/persist.ts'
import { isStoredItem, restoredItem, type AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import { forgetJobs, jobs, noProgress, type Job } from '../core/runs/jobs.ts'

const prefix = 'job:'
const maxAge = 30 * msPerDay

const StoredJob = z.object({
  owner: z.string(),
  id: z.string(),
  title: z.string(),
  command: z.string(),
  entity: z.enum(entities),
  startedAt: z.number(),
  /** For a job that was running when its page was closed, the time of the last write. */
  endedAt: z.number(),
  state: z.enum(['running', 'done', 'cancelled', 'broken', 'lost']),
  message: z.optional(z.string()),
  undone: z.boolean(),
  targets: z.array(z.pipe(z.custom<AnyItem>(isStoredItem), z.transform(restoredItem))),
  skipped: z.array(z.string()),
  ended: z.array(z.tuple([z.string(), z.optional(z.string())])),
  before: z.array(PreviousValues),
  input: z.optional(z.unknown()),
})
type StoredJob = z.output<typeof StoredJob>

let owner: string | undefined
let stop: (() => void) | undefined

/**
 * Loads the account's stored jobs. Those that are deleted from the list are deleted from the storage, as are older ones
 * and those of other accounts. `now`: milliseconds UTC.
 */
export async function loadStoredJobs(userId: string, now: number): Promise<void> {
  // Another person may have signed in.
  if (owner !== undefined && owner !== userId) forgetJobs()
  owner = userId
  stop?.()
  await withStorageTimeout(restore(userId, now))
  if (owner === userId) jobs.isLoaded = true
}

async function restore(userId: string, now: number): Promise<void> {
  const loaded: Job[] = []
  for (const name of await largeStateNames(prefix)) {
    const { data } = z.safeParse(StoredJob, await readLarge(name))
    if (owner !== userId) return
    if (data?.owner === userId && data.startedAt > now - maxAge) loaded.push(jobOf(data))
    else void writeLarge(name, undefined)
  }
  if (loaded.length === 0) return
  jobs.list = [...jobs.list, ...loaded].toSorted((a, b) => b.startedAt - a.startedAt)
  const stored = new Set(loaded.map(({ id }) => id))
  stop = subscribe(jobs, () => {
    const ids = new Set(jobs.list.map(({ id }) => id))
    for (const id of stored) {
      if (ids.has(id)) continue
      stored.delete(id)
      void writeLarge(prefix + id, undefined)
    }
  })
}

function jobOf(stored: StoredJob): Job {
  const { id, title, command, entity, startedAt, endedAt, state, message, undone, targets, before, input } = stored
  const ended = new Map(stored.ended.map(([one, reason]) => [one, reason]))
  const failed = [...ended.values()].filter(reason => reason !== undefined).length
  return {
    id,
    title,
    command,
    entity,
    startedAt,
    endedAt,
    message,
    undone,
    state: state === 'running' ? 'lost' : state,
    total: targets.length,
    done: ended.size - failed,
    failed,
    inFlight: noProgress,
    cancelling: false,
    detail: ref({
      targets,
      skipped: new Set(stored.skipped),
      ended,
      before,
      restored: new Set<string>(),
      input,
      cancel: new AbortController(),
      again: undefined,
      // A getter, because scripts are registered as commands after the jobs are loaded.
      get inverse() {
        return findCommand(command)?.undo
      },
    }),
  }
}
