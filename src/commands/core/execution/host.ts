/** What running a command needs of the world, and what it is given by it; a test hands in its own. */
import type { PreviousValues } from '../../../api/contract/endpoint.ts'
import type { Failure } from '../../../domain/commands/failures.ts'
import type { Question } from '../../../domain/commands/question.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Command, BulkOperation, DryRun, Services } from '../types.ts'
import type { Context } from '../context.ts'
import type { PlanChange } from './planChanges.ts'
import type { Outcome } from '../runs/outcome.ts'

/** What a person is shown before a command acts on many, and asked to agree to. */
export interface Preview {
  readonly command: Command
  readonly targets: readonly AnyItem[]
  /** What it asks besides, where it asks, if that is what it does. */
  question(plan: DryRun | undefined): Question | undefined
  /** What is known to come; undefined where it has yet to be asked for, by `check`. */
  readonly plan: DryRun | undefined
  /** What has changed since it was agreed to. */
  readonly changed: readonly PlanChange[]
  check(watch: DryRunProgress): Promise<DryRun>
}

/** Whoever waits for a plan: hears how far it is, and may lose interest. */
export interface DryRunProgress {
  readonly signal: AbortSignal
  at(done: number, total: number): void
}

/** One run, from its first call to its end. */
export interface Run {
  readonly services: Services
  /** The id of the job that it is, where it is one. */
  readonly job?: string
  /** Called once, whatever came of it. */
  end(how: RunEnd): void
}
export type RunEnd =
  | { is: 'done'; outcome: Outcome | undefined; message: string | undefined; before: readonly PreviousValues[] }
  | { is: 'failed'; error: unknown }

export interface Host {
  context(): Context
  /** What the command acts on, in full: where the selection is all that match, they are fetched now. */
  targets(command: Command, context: Context): Promise<readonly AnyItem[]>
  /** Palette pages or the panel's form; undefined when the person backs out. The context has the fixed targets. */
  ask(command: Command, context: Context, start: Start | undefined): Promise<unknown>
  confirm(question: Question, command: Command): Promise<boolean>
  /** What an order would do to each id; without a watch, it shows by itself that it takes its time. */
  dryRun(order: BulkOperation, ids: readonly string[], watch?: DryRunProgress): Promise<DryRun>
  /** Shows what would happen; resolves with the plan that was agreed to, or undefined when the person backs out. */
  preview(asked: Preview): Promise<DryRun | undefined>
  /** Begins a run; `skipped` are those of the targets that it leaves alone. */
  begin(
    command: Command,
    of: { input: unknown; targets: readonly AnyItem[]; skipped: readonly Failure[] },
  ): Run | Promise<Run>
  blocked(reason: string): void
  /** `job` is the run's id, as history has it: that of its job, or another where it was none but acted on many. */
  finished(command: Command, message: string, outcome: Outcome | undefined, job: string | undefined): void
  failed(error: unknown): void
}

/** What is known of the arguments when they are asked for. */
export interface Start {
  /** By field; what the pages show of each is `names`, where they cannot tell from the value. */
  readonly input: Readonly<Record<string, unknown>>
  readonly names?: Readonly<Record<string, string>>
  /** Typed already on the page of that field, which then comes first, or else on the first page that asks. */
  readonly typed?: { readonly field?: string; readonly text: string }
  /** Said on the first page. */
  readonly problem?: string
  /** Which of the optional ones are asked for: all that are not known, or none. */
  readonly optional: boolean
  /** Nothing runs without Enter, also where nothing is left to be asked for. */
  readonly waits: boolean
}
