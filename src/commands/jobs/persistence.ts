/**
 * Jobs outlive their page: each is kept in the browser's storage, by whose it is, and read again at the next visit. One
 * that ran when its page went away comes back as lost.
 */
import { ref, subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { PreviousValues } from '../../api/contract/endpoint.ts'
import { uniqueId } from '../../domain/uniqueId.ts'
import { entities } from '../../store/lists.ts'
import { onLargeChanged, withStorageTimeout, largeNames, readLarge, writeLarge } from '../../store/persist.ts'
import { StoredItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { anyRunning, forgetJobs, jobs, noneEnded, without, type Job } from '../core/runs/jobs.ts'

const prefix = 'job:'
/** Older ones are forgotten, and so are those whose targets would be too many together. */
const maxJobs = 100
const maxTargets = 500_000
/**
 * Milliseconds after which one that runs is written first, and again: each time all its targets are copied, which for
 * ten thousand takes a frame. When its page goes away it is written besides.
 */
const firstPause = 5000
const laterPause = 10_000

/** Which page a job runs in, so that another one that is open does not take it for lost. */
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
  /** Of one that ran, when this was written. */
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
/** What was written last of each job. */
const written = new Map<string, string>()
let waiting: ReturnType<typeof setTimeout> | undefined

/** Brings back this person's jobs, and from then on keeps them; those of somebody else are removed. */
export async function persistJobs(userId: string): Promise<void> {
  // Another tab may have signed somebody else in.
  if (owner !== undefined && owner !== userId) forgetJobs()
  owner = userId
  if (!begun) begin()
  await withStorageTimeout(bringBack(userId))
  if (owner === userId) jobs.read = true
}

async function bringBack(userId: string): Promise<void> {
  const open = await openPages()
  const earlier: Job[] = []
  for (const name of await largeNames(prefix)) {
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
    // The browser asks, and meanwhile what is known is written.
    event.preventDefault()
    writeRunning()
  }
  window.addEventListener('beforeunload', leaving)
  keep()
}

/** The locks of the pages that are open, this one's aside. */
async function openPages(): Promise<ReadonlySet<string | undefined>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  return new Set(held.map(({ name }) => name).filter(name => name !== lockOf(page)))
}

/** Adds those that another visit left, each in its place. */
function addJobs(earlier: readonly Job[]): void {
  const known = new Set(jobs.list.map(({ id }) => id))
  const added = earlier.filter(({ id }) => !known.has(id))
  if (added.length === 0) return
  for (const job of added) if (job.state !== 'lost') written.set(job.id, fingerprint(job))
  jobs.list = [...jobs.list, ...added].toSorted((a, b) => b.startedAt - a.startedAt)
}

/** Another tab has put back what one of these replaced: then it is not put back here once more. */
async function takeOver(name: string): Promise<void> {
  const here = () => jobs.list.find(({ id, state }) => prefix + id === name && state !== 'running')
  // Most that other tabs write is of jobs that run there, and each may have 100,000 targets.
  if (!here()) return
  const kept = z.safeParse(StoredJob, await readLarge(name)).data
  const job = here()
  if (!job || !kept || kept.owner !== owner) return
  // Where something was put back here at the same time, less is left than either knows, and that is written in turn.
  const left = new Set(kept.before.flatMap(({ ids }) => ids))
  const gone = job.detail.before.flatMap(({ ids }) => ids.filter(id => !left.has(id)))
  written.set(job.id, fingerprint({ ...job, undone: kept.undone, detail: { ...job.detail, before: kept.before } }))
  job.detail.before = without(new Set(gone), job.detail.before)
  job.undone ||= kept.undone
  // What a job's detail holds is not seen otherwise.
  jobs.list = [...jobs.list]
}

/** What makes it worth writing again. */
const fingerprint = ({ state, done, failed, undone, detail }: Job) =>
  `${state} ${done} ${failed} ${undone} ${countEarlier(detail.before)}`

/** Counted once: what can be put back is replaced as a whole, and this is asked of every job at every change. */
const counted = new WeakMap<readonly PreviousValues[], number>()
function countEarlier(before: readonly PreviousValues[]): number {
  const count = counted.get(before) ?? before.reduce((sum, { ids }) => sum + ids.length, 0)
  counted.set(before, count)
  return count
}

/** Writes what has changed, and removes what is forgotten. */
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

/** One that still runs is never forgotten. */
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
    meanwhile: noneEnded,
    cancelling: false,
    detail: ref({
      targets,
      skipped: new Set(kept.skipped),
      ended,
      before,
      input,
      cancel: new AbortController(),
      again: undefined,
      // A person's scripts are commands that come later.
      get inverse() {
        return findCommand(command)?.undo
      },
    }),
  }
}
