/** The queues of calls, one for each kind, so that no kind and no caller keeps the others waiting. */
import { availableParallelism } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { devices } from '../../src/api/contract/devices.ts'
import { jobs } from '../../src/api/contract/jobs.ts'
import { addressGroup } from '../core/addressGroup.ts'
import { openWorkQueue, type WorkQueue, type WorkQueueLimits } from '../core/workQueue.ts'

/**
 * The kinds: `access` is finding out who calls, where `KnownTokens` gives the turns; `signIns` are all calls that hash a password, which takes a core for
 * tens of milliseconds; `exports` are lists of many rows, and `lists` everything else that only reads. `uploads` receive a
 * file, `files` parse and store it. `plans` create or preview a job, which reads each of its devices: up to the whole fleet.
 */
export type QueueKind =
  | 'access'
  | 'signIns'
  | 'uploads'
  | 'files'
  | 'plans'
  | 'exports'
  | 'charts'
  | 'lists'
  | 'changes'

export type Queues = Readonly<Record<QueueKind, WorkQueue>>

/** Leaves a core to the rest of the server where there are several. */
const passwordCores = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Milliseconds that an upload waits for its turn. */
export const maxUploadWait = 60_000

const limits: Readonly<Record<QueueKind, WorkQueueLimits>> = {
  access: { running: 4, runningPerCaller: 2, waiting: 4000, waitingPerCaller: 1000, maxWait: 10_000 },
  signIns: { running: passwordCores, runningPerCaller: 1, waiting: 200, waitingPerCaller: 100, maxWait: 15_000 },
  // A body of up to 10 MB is in memory from here on, and received at the pace of its sender.
  uploads: { running: 6, runningPerCaller: 1, waiting: 60, waitingPerCaller: 10, maxWait: maxUploadWait },
  files: { running: 2, runningPerCaller: 1, waiting: 20, waitingPerCaller: 10, maxWait: 60_000 },
  // Reading and checking a body of 2 MB also keeps the server from everything else meanwhile.
  plans: { running: 3, runningPerCaller: 1, waiting: 100, waitingPerCaller: 20, maxWait: 30_000 },
  exports: { running: 3, runningPerCaller: 2, waiting: 100, waitingPerCaller: 30, maxWait: 30_000 },
  charts: { running: 2, runningPerCaller: 2, waiting: 200, waitingPerCaller: 60, maxWait: 15_000 },
  lists: { running: 8, runningPerCaller: 4, waiting: 1000, waitingPerCaller: 200, maxWait: 10_000 },
  // Commands wait for devices, mostly without using the server.
  changes: { running: 200, runningPerCaller: 40, waiting: 1000, waitingPerCaller: 200, maxWait: 15_000 },
}

export const openQueues = (): Queues => ({
  access: openWorkQueue(limits.access),
  signIns: openWorkQueue(limits.signIns),
  uploads: openWorkQueue(limits.uploads),
  files: openWorkQueue(limits.files),
  plans: openWorkQueue(limits.plans),
  exports: openWorkQueue(limits.exports),
  charts: openWorkQueue(limits.charts),
  lists: openWorkQueue(limits.lists),
  changes: openWorkQueue(limits.changes),
})

/** Rows of a page from which a list counts as an export. */
const exportLimit = 500

const chartCalls = new Set<Endpoint>([devices.detail, devices.statistics])
const planCalls = new Set<Endpoint>([jobs.create, jobs.retry, jobs.undo])

/** Returns whether a call of the endpoint hashes a password, or verifies one. */
const hashesPassword = ({ body }: Endpoint) =>
  'shape' in body && Object.keys(body.shape as object).some(name => name.includes('password'))

/** Returns the kind of a call; its query is not validated yet. */
export function kindOf(endpoint: Endpoint, query: unknown): QueueKind {
  if (endpoint.upload) return 'uploads'
  if (chartCalls.has(endpoint)) return 'charts'
  if (planCalls.has(endpoint)) return 'plans'
  if (endpoint.method !== 'GET') return hashesPassword(endpoint) ? 'signIns' : 'changes'
  return endpoint.columns && Number((query as { limit?: unknown }).limit) >= exportLimit ? 'exports' : 'lists'
}

/** Returns who takes turns with others: the account, or the address (IPv6: its /64) of a caller who has none. */
export const turnOf = ({ caller, ip }: FastifyRequest): string => caller?.account ?? addressGroup(ip)
