/** What running a script needs of the world, what it shows there, and how it ends. */
import type { Failure } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { Script } from '../../store/scripts.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command, ExecutionResult, BulkOperation, DryRun } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import type { PlanChange } from '../core/execution/planChanges.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'

/** A step that is about to run. */
export interface ReadyStep {
  /** Its place in the script, counted from 0. */
  readonly at: number
  readonly command: Command
  readonly input: Readonly<Record<string, unknown>>
  readonly targets: readonly AnyItem[]
  /** What the command itself asks before it is done. */
  readonly question: Question | undefined
  /** Why it cannot be done. */
  readonly blocked: string | undefined
  check(signal: AbortSignal): Promise<DryRun>
}

export interface ScriptPreview {
  readonly script: Script
  readonly ended: readonly StepEnd[]
  readonly steps: readonly ReadyStep[]
  /** What is known to come of each of the steps; undefined where it has yet to be asked for. */
  readonly plans: readonly DryRun[] | undefined
  /** What has changed since it was agreed to, by step. */
  readonly changed: readonly (readonly PlanChange[])[]
}

/** How a step ended. */
export interface StepEnd {
  readonly at: number
  readonly is: 'done' | 'failed' | 'nothing'
  /** On how many it was done. */
  readonly done: number
  readonly failed: readonly Failure[]
  /** Why it failed as a whole. */
  readonly message: string | undefined
}

/** What running needs of the world; a test hands in its own. */
export interface ScriptHost {
  context(): Context
  targets(command: Command, context: Context): Promise<readonly AnyItem[]>
  plan(order: BulkOperation, ids: readonly string[], signal: AbortSignal): Promise<DryRun>
  /** Shows what would happen; resolves with the plans that were agreed to, or undefined when the person backs out. */
  preview(asked: ScriptPreview): Promise<readonly DryRun[] | undefined>
  run(
    command: Command,
    given: { input: unknown; targets?: readonly AnyItem[]; approved: DryRun },
  ): Promise<ExecutionResult>
  /** Waits, but not for long, until what the screen still loads lets it be given. */
  ready(command: Command): Promise<void>
  /** Changes when something else is selected, or acted on because of the screen that is shown. */
  mark(): string
  /** A step begins. */
  begins(at: number): void
  /** Whether the person has stopped it, or cancelled what its last step did. */
  stopped(): boolean
  /** Stops it, also while it is looked up what its steps would do. */
  readonly signal: AbortSignal
}

export interface ScriptEnd {
  readonly ended: readonly StepEnd[]
  /** The first step that was not run; undefined where all were. */
  readonly next: number | undefined
  /** Why it did not go on: a step failed, or the person stopped it. */
  readonly why: 'failed' | 'left' | undefined
  /** The targets of the last step, for continuing the script. */
  readonly targets: ScriptInvocation['targets']
}
