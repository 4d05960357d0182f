/** The environment of a running script: what it calls, what its previews show, and its result. */
import type { ChosenPolicy } from '../../api/jobs/jobs.ts'
import type { Failure } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { Script } from '../../store/scripts/scripts.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command, ExecutionResult, BulkOperation, DryRun } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import type { PlanChange } from '../core/execution/planChanges.ts'
import type { ScriptInvocation } from '../core/scriptInvocation.ts'

/** A step that is about to run. */
export interface ReadyStep {
  /** Its index in the script, from 0. */
  readonly index: number
  readonly command: Command
  readonly input: Readonly<Record<string, unknown>>
  /** The policy of its job; undefined if it has none. */
  readonly policy: ChosenPolicy | undefined
  readonly targets: readonly AnyItem[]
  /** The command's own confirmation. */
  readonly question: Question | undefined
  /** Why the step cannot run; undefined if it can. */
  readonly blocked: string | undefined
  /** Returns what the step would do now. Rejects with ApiError or AbortError. */
  dryRun(signal: AbortSignal): Promise<DryRun>
}

export interface ScriptPreview {
  readonly script: Script
  /** Results of the steps that have run. */
  readonly results: readonly StepResult[]
  /** The steps that are about to run. */
  readonly steps: readonly ReadyStep[]
  /** The dry run of each step; undefined if the preview has to request them. */
  readonly plans: readonly DryRun[] | undefined
  /** Changes since the approval, for each step. */
  readonly changed: readonly (readonly PlanChange[])[]
}

export interface StepResult {
  /** The index of the step, from 0. */
  readonly index: number
  /** `skipped`: no targets were left. */
  readonly is: 'done' | 'failed' | 'skipped'
  /** The number of targets on which it was done. */
  readonly done: number
  readonly failed: readonly Failure[]
  /** Why the step failed as a whole. */
  readonly message: string | undefined
}

/** The functions that a running script calls; the console has one implementation, and tests have their own. */
export interface ScriptHost {
  context(): Context
  /** Returns what the command acts on. With `allowFocus`, that is the focused row if nothing is selected. */
  targets(command: Command, context: Context, options: { readonly allowFocus: boolean }): Promise<readonly AnyItem[]>
  dryRun(
    operation: BulkOperation,
    ids: readonly string[],
    signal: AbortSignal,
    policy: ChosenPolicy | undefined,
  ): Promise<DryRun>
  /** Shows the preview; resolves with the approved dry runs, or undefined if the person cancels. */
  preview(preview: ScriptPreview): Promise<readonly DryRun[] | undefined>
  run(
    command: Command,
    options: { input: unknown; targets?: readonly AnyItem[]; approved: DryRun },
  ): Promise<ExecutionResult>
  /** Waits until the command is available, because the screen may still load; resolves after a timeout in any case. */
  waitUntilReady(command: Command): Promise<void>
  /** Returns a key that changes with the selection and with the device whose screen is open. */
  targetsKey(): string
  onStepStart(index: number): void
  /** Whether the person has stopped the script, or cancelled its last step. */
  isStopped(): boolean
  /** Aborts dry runs when the script is stopped. */
  readonly signal: AbortSignal
}

export interface ScriptResult {
  readonly results: readonly StepResult[]
  /** The index of the first step that was not run; undefined if all were. */
  readonly next: number | undefined
  /** Why the script did not continue; undefined if it did. */
  readonly stopReason: 'failed' | 'stopped' | undefined
  /** The targets of the last step, for continuing the script. */
  readonly targets: ScriptInvocation['targets']
}
