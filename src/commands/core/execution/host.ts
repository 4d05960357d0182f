/** The environment in which `execute` runs a command; a test passes its own. */
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import type { Question } from '../../../domain/commands/question.ts'
import type { AnyItem, ListSearch } from '../../../store/selection.ts'
import type { Entity } from '../../../store/lists.ts'
import type { Command, BulkOperation, DryRun, Services } from '../types.ts'
import type { Context } from '../context.ts'
import type { PlanChange } from './planChanges.ts'
import type { Outcome } from '../runs/outcome.ts'

/** The preview of a command on many targets, which the person has to approve. */
export interface Preview {
  readonly command: Command
  readonly targets: readonly AnyItem[]
  /** Where the targets come from: `Page 2`, `The focused row`; undefined for targets that were passed without one. */
  readonly source: string | undefined
  /** Returns the confirmation question of the command for a plan, if it has one. */
  question(plan: DryRun | undefined): Question | undefined
  /** The dry run; undefined until `check` has been called. */
  readonly plan: DryRun | undefined
  /** The policy from which the person starts; undefined if the command is no job of the server. */
  readonly policy: ChosenPolicy | undefined
  /** Whether the targets are those that a search finds, so that the policy may include later ones. */
  readonly isSearch: boolean
  /** Whether the targets are those of an earlier job, so that the policy cannot repeat it. */
  readonly isRetry: boolean
  /** The changes since the previous approval. */
  readonly changed: readonly PlanChange[]
  /** Sends the dry run. Rejects with ApiError, or with AbortError once `progress.signal` is aborted. */
  check(progress: DryRunProgress, policy?: ChosenPolicy): Promise<DryRun>
}

/** Receives the progress of a dry run, and can abort it. */
export interface DryRunProgress {
  readonly signal: AbortSignal
  report(done: number, total: number): void
}

export interface RunDetails {
  readonly input: unknown
  readonly targets: readonly AnyItem[]
  /** The targets that it does not act on, each with the reason. */
  readonly skipped: readonly Failure[]
  /** The policy of a job of the server. */
  readonly policy: ChosenPolicy | undefined
  /** The search of the selection whose matches the targets are. */
  readonly search: ListSearch | undefined
}

/** A run of a command, from its first call to its end. */
export interface Run {
  readonly services: Services
  /** The id of its job, if it is one. */
  readonly job?: string
  /** Returns the devices that its job has found, once it has been carried out; undefined if they were known before. */
  readonly targets?: () => readonly AnyItem[] | undefined
  /** Called once at the end, also after a failure. */
  end(how: RunEnd): void
}
export type RunEnd =
  | { is: 'done'; outcome: Outcome | undefined; message: string | undefined; before: readonly PreviousValues[] }
  | { is: 'failed'; error: unknown }

export interface Host {
  context(): Context
  /** Resolves with all targets of the command; the matches of a followed search are read from the server. */
  targets(command: Command, context: Context): Promise<readonly AnyItem[]>
  /**
   * Returns the search that the selection follows, if the command changes its targets. They are then its matches, and the
   * selection follows it until the run begins.
   */
  searchOf(command: Command, context: Context): ListSearch | undefined
  /** Resolves with all rows that match a search. */
  matches(entity: Entity, search: ListSearch): Promise<readonly AnyItem[]>
  /** Returns where these targets come from, such as `Page 2 · only Status equals “Leak”`. */
  sourceOf(command: Command, context: Context): string | undefined
  /**
   * Prompts for the arguments in the palette; resolves with undefined if the person cancels. The context has the frozen
   * targets.
   */
  ask(command: Command, context: Context, start: InitialArguments | undefined): Promise<unknown>
  /** `source` is where the targets come from, as in a preview. */
  confirm(question: Question, command: Command, source: string | undefined): Promise<boolean>
  /** Resolves with what an operation would do to each id. Without `progress`, the host shows the progress itself. */
  dryRun(
    operation: BulkOperation,
    ids: readonly string[],
    progress?: DryRunProgress,
    policy?: ChosenPolicy,
  ): Promise<DryRun>
  /** Shows a preview; resolves with the approved plan, or with undefined if the person cancels. */
  preview(preview: Preview): Promise<DryRun | undefined>
  /** Starts a run. */
  begin(command: Command, details: RunDetails): Run | Promise<Run>
  blocked(reason: string): void
  /** Reports that a command that has waited did not run; the keys typed after it must not run either. */
  didNotRun(reason: string): void
  /** Says that a command waits, and that Esc cancels it. Returns the function to call when it no longer waits. */
  waiting(text: string): () => void
  /** `job` is the id of the run in `LastRun`: its job's id, or a new one if it acted on many targets without a job. */
  finished(command: Command, message: string, outcome: Outcome | undefined, job: string | undefined): void
  failed(error: unknown): void
}

/** The known arguments when the host prompts for the others. */
export interface InitialArguments {
  /** The values by field; `names` are their texts on the pages, for values that are only ids. */
  readonly input: Readonly<Record<string, unknown>>
  readonly names?: Readonly<Record<string, string>>
  /** Text that is already typed: on the page of `field`, which is then the first, or on the first page. */
  readonly typed?: { readonly field?: string; readonly text: string }
  /** A message shown on the first page. */
  readonly problem?: string
  /** Whether to prompt for the optional arguments that are not known. */
  readonly optional: boolean
  /** Whether the command runs only after Enter, even if no argument is missing. */
  readonly needsEnter: boolean
}
