/** What a job is created from. */
import type { SQL } from 'drizzle-orm'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import type { JobTarget } from '../../../src/api/contract/jobs.ts'
import type { Caller } from '../../endpoints/handler.ts'

/** The devices of a job, as a query of `bssid`, `state`, `reason` and `input` of its tasks. */
export interface Tasks {
  readonly target: JobTarget
  readonly rows: SQL
}

/** What a job does, for whom. */
export interface NewJob {
  readonly caller: Caller
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly policy: JobPolicy
  readonly tasks: Tasks
  /** Until when devices that come to match the search get a task. */
  readonly openUntil?: Date | undefined
  /** Set if the job creates others instead of having tasks: for these ids, or for what its search finds then. */
  readonly repeat?: { readonly ids: readonly string[] | null } | undefined
  readonly parent?: { readonly id: string; readonly kind: 'retry' | 'undo' | 'repeat' }
  /** The error if there is no device. */
  readonly emptyText: string
}
