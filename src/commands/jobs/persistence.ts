/**
 * Stores jobs in the browser for each account, and loads them at the next visit. A job that was running when its page
 * was closed is loaded as lost.
 */
import { ref, subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { PreviousValues } from '../../api/contract/endpoint.ts'
import { uniqueId } from '../../domain/uniqueId.ts'
import { entities } from '../../store/lists.ts'
import { onLargeChanged, withStorageTimeout, largeStateNames, readLarge, writeLarge } from '../../store/persist.ts'
import { StoredItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { anyRunning, forgetJobs, jobs, noProgress, withoutIds, type Job } from '../core/runs/jobs.ts'

const prefix = 'job:'
/** Limits of the stored jobs and of their targets in total; older jobs are removed. */
const maxJobs = 100
const maxTargets = 500_000
/**
 * Milliseconds before the first and each further write of a running job. A write copies all targets, which takes a frame
 * for 10,000 of them. Running jobs are also written before the page is closed.
 */
const firstPause = 5000
const laterPause = 10_000

/** The id of this page. Each page holds a lock with its id, so that others do not treat its running jobs as lost. */
const page = uniqueId()
const lockOf = (of: string) => `permeate:page:${of}`

const StoredJob = z.object({
  owner: z.string(),
  page: z.string(),
  id: z.string(),
  title: z.string(),
  command: z.string(),
  entity: z.enum(entities),
  startedAt: z.number(),
  /** For a running job, the time of the write. */
  endedAt: z.number(),
  state: z.enum(['running', 'done', 'cancelled', 'broken', 'lost']),
  message: z.optional(z.string()),
  undone: z.boolean(),
  targets: z.array(StoredItem),
  skipped: z.array(z.string()),
  ended: z.array(z.tuple([z.string(), z.optional(z.string())])),
  before: z.array(PreviousValues),
  input: z.optional(z.unknown()),
})
type StoredJob = z.output<typeof StoredJob>

let owner: string | undefined
let begun = false
/** The fingerprint of each job's last write, by job id. */
const written = new Map<string, string>()
let waiting: ReturnType<typeof setTimeout> | undefined

/** Loads the account's stored jobs and stores changes from then on. Stored jobs of other accounts are deleted. */
export async function persistJobs(userId: string): Promise<void> {
  // Another person may have signed in in another tab.
  if (owner !== undefined && owner !== userId) forgetJobs()
  owner = userId
  if (!begun) begin()
  await withStorageTimeout(bringBack(userId))
  if (owner === userId) jobs.isLoaded = true
}

async function bringBack(userId: string): Promise<void> {
  const open = await openPages()
  const earlier: Job[] = []
  for (const name of await largeStateNames(prefix)) {
    const stored = await readLarge(name)
    const kept = z.safeParse(StoredJob, stored)
    if (owner !== userId) return
    if (kept.success && kept.data.owner === userId) {
      if (kept.data.state !== 'running' || !open.has(lockOf(kept.data.page))) earlier.push(jobOf(kept.data))
    } else if (stored !== undefined) void writeLarge(name, undefined)
  }
  addJobs(earlier)
}

function begin(): void {
  begun = true
  if ('locks' in navigator) void navigator.locks.request(lockOf(page), () => new Promise(() => undefined))
  subscribe(jobs, keep)
  onLargeChanged(prefix, name => void takeOver(name))
  const leaving = (event: BeforeUnloadEvent) => {
    if (!anyRunning()) return
    // The browser asks for confirmation; meanwhile the current state is written.
    event.preventDefault()
    writeRunning()
  }
  window.addEventListener('beforeunload', leaving)
  keep()
}

/** Returns the names of the locks that other open pages hold. */
async function openPages(): Promise<ReadonlySet<string | undefined>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.map(({ name }) => name).filter(name => name !== lockOf(page)))
}

/** Adds loaded jobs to the list, sorted by their start. */
function addJobs(earlier: readonly Job[]): void {
  const known = new Set(jobs.list.map(({ id }) => id))
  const added = earlier.filter(({ id }) => !known.has(id))
  if (added.length === 0) return
  for (const job of added) if (job.state !== 'lost') written.set(job.id, fingerprint(job))
  jobs.list = [...jobs.list, ...added].toSorted((a, b) => b.startedAt - a.startedAt)
}

/** Takes over an undo in another tab, so that the same values are not restored twice. */
async function takeOver(name: string): Promise<void> {
  const here = () => jobs.list.find(({ id, state }) => prefix + id === name && state !== 'running')
  // Most writes of other tabs are of their running jobs, which may have 100,000 targets: those are not read.
  if (!here()) return
  const kept = z.safeParse(StoredJob, await readLarge(name)).data
  const job = here()
  if (!job || !kept || kept.owner !== owner) return
  // If both tabs restored values at the same time, this tab drops those of both and writes the result.
  const left = new Set(kept.before.flatMap(({ ids }) => ids))
  const gone = job.detail.before.flatMap(({ ids }) => ids.filter(id => !left.has(id)))
  written.set(job.id, fingerprint({ ...job, undone: kept.undone, detail: { ...job.detail, before: kept.before } }))
  job.detail.before = withoutIds(new Set(gone), job.detail.before)
  job.undone ||= kept.undone
  // `detail` is outside the proxy, so subscribers see its changes only through a new list.
  jobs.list = [...jobs.list]
}

/** Returns a text that changes when the job has to be written again. */
const fingerprint = ({ state, done, failed, undone, detail }: Job) =>
  `${state} ${done} ${failed} ${undone} ${countEarlier(detail.before)}`

/** Cached by array, which is replaced as a whole: every change of any job counts the values of all jobs. */
const counted = new WeakMap<readonly PreviousValues[], number>()
function countEarlier(before: readonly PreviousValues[]): number {
  const count = counted.get(before) ?? before.reduce((sum, { ids }) => sum + ids.length, 0)
  counted.set(before, count)
  return count
}

/** Writes changed jobs, and deletes the stored data of removed ones. */
function keep(): void {
  forgetOldest()
  const ids = new Set<string>()
  for (const job of jobs.list) {
    ids.add(job.id)
    if (written.get(job.id) === fingerprint(job)) continue
    if (job.state !== 'running') write(job)
    else waiting ??= setTimeout(writeRunning, written.has(job.id) ? laterPause : firstPause)
  }
  for (const id of written.keys())
    if (!ids.has(id)) {
      written.delete(id)
      void writeLarge(prefix + id, undefined)
    }
}

/** Removes the oldest jobs over the limits, except running ones. */
function forgetOldest(): void {
  let count = 0
  let targets = 0
  const kept = jobs.list.filter(job => {
    count++
    targets += job.total
    return job.state === 'running' || (count <= maxJobs && targets <= maxTargets)
  })
  if (kept.length < jobs.list.length) jobs.list = kept
}

function writeRunning(): void {
  clearTimeout(waiting)
  waiting = undefined
  for (const job of jobs.list) if (job.state === 'running') write(job)
}

function write(job: Job): void {
  if (owner === undefined) return
  written.set(job.id, fingerprint(job))
  const { detail, id, title, command, entity, startedAt, state, message, undone } = job
  const kept: StoredJob = {
    owner,
    page,
    id,
    title,
    command,
    entity,
    startedAt,
    state,
    undone,
    ...(message !== undefined && { message }),
    endedAt: job.endedAt ?? Date.now(),
    targets: [...detail.targets],
    skipped: [...detail.skipped],
    ended: [...detail.ended],
    before: [...detail.before],
    ...(mayKeepInput(command) && { input: detail.input }),
  }
  void writeLarge(prefix + id, kept)
}

const mayKeepInput = (command: string): boolean =>
  findCommand(command)?.fields.every(field => !isPrivate(controlOf(field))) ?? false

function jobOf(kept: StoredJob): Job {
  const { id, title, command, entity, startedAt, endedAt, state, message, undone, targets, before, input } = kept
  const ended = new Map(kept.ended.map(([one, reason]) => [one, reason]))
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
      skipped: new Set(kept.skipped),
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
