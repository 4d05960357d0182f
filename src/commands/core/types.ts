/** The types of commands, of what they need to run and of their results. */
import type * as z from 'zod/mini'
import type { call } from '../../api/client.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { BulkEndpoint, BulkResponse, PreviousValues, Endpoint } from '../../api/contract/endpoint.ts'
import type { JobPreview } from '../../api/contract/jobs.ts'
import type { ChosenPolicy } from '../../api/jobs/jobs.ts'
import type { Role } from '../../domain/roles.ts'
import type { DeviceSearch, Failure } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { CommandId, InputOf } from './commandId.ts'
import type { Context } from './context.ts'
import type { InvalidInput } from './invalidInput.ts'
import type { Page } from './page.ts'
import type { Presentation, Surface } from './presentation.ts'
import type { Invocation, OnEnded, Outcome } from './runs/outcome.ts'
import type { SavedScriptInvocation } from './scriptInvocation.ts'

/** Returns what a command acts on in a context: a target, or the reason why the command is blocked. */
export type Needs<Target> = (context: Context) => { target: Target } | { blocked: string }

/** The result of an edit whose previous values are known. */
export interface MessageResult {
  readonly message: string
  readonly before: readonly PreviousValues[]
  /** The job that it has recorded itself, so that it can be undone. */
  readonly job?: string
}

/** The result of a run: the outcome of many ids, a message, or nothing. */
export type Result = Outcome | MessageResult | string | void

/** The effect that a run would have on its targets; every id is either affected or skipped. */
export interface DryRun {
  readonly affected: readonly string[]
  /** Each with the reason why it would be skipped. */
  readonly skipped: readonly Failure[]
  /** How the server's job goes about it, if it is one. */
  readonly job?: PlannedJob
  /** What is done for several affected ids together, if that is not the same for all, such as visits. */
  readonly groups?: readonly PlanGroup[]
}

/** Affected ids for which the same is done, as a preview lists them. */
export interface PlanGroup {
  /** `Wed, Mar 4, 09:00` */
  readonly name: string
  /** Before the name, where there is room: `Week 10` */
  readonly note: string
  /** `Harbour main · Fjordvann AS` */
  readonly detail: string
  /** `14 devices` */
  readonly size: string
  /** What is done to each of its ids: `Cartridge 1: Sediment 5 µm`. */
  readonly members: readonly { readonly id: string; readonly detail: string }[]
}

/** The plan of a job, as the server knows it: its counts are exact, even if it does not name all devices. */
export interface PlannedJob extends JobPreview {
  /** Whether the job acts on a search, which may find other devices later. */
  readonly isSearch: boolean
  readonly policy: ChosenPolicy
  readonly installs?: string
}

/** Sends at most `maxPerCall` ids. With `preview` the server changes nothing. */
export type SendIds = (
  ids: readonly string[],
  how: { call: typeof call; preview: boolean; signal?: AbortSignal },
) => Promise<BulkResponse>

/** A job of the server that carries out an operation on at most `maxJobIds` devices. Its calls reject with ApiError. */
export interface ServerJob {
  /** Whether it acts on a search, and can include devices that match the search later. */
  readonly isSearch?: boolean
  /** Whether it is on the devices of an earlier job, so that it cannot be repeated. */
  readonly isRetry?: boolean
  /** Returns the policy from which a person starts on this many devices. Without it, none can be chosen. */
  readonly initialPolicy?: (count: number) => ChosenPolicy | Promise<ChosenPolicy>
  /** Returns what the job would do. */
  preview(
    ids: readonly string[],
    policy: ChosenPolicy | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JobPreview>
  /** Creates the job and returns its id. */
  create(ids: readonly string[], policy: ChosenPolicy | undefined): Promise<string>
  /** The firmware version that all devices get. */
  readonly installs?: string
}

/** An operation that calls can carry out. */
export interface CallOperation {
  readonly own?: undefined
  readonly send: SendIds
  /** What the calls are, unless they are several: a job of the server may do the same. */
  readonly calls?: { readonly endpoint: BulkEndpoint; readonly values: object }
}
/** An operation that makes its own calls, because these are not for any number of ids: such as one for each visit. */
export interface OwnOperation {
  /** Returns what it would do. Rejects with ApiError, or with AbortError once the signal is aborted. */
  plan(ids: readonly string[], how: { readonly call: typeof call; readonly signal: AbortSignal }): Promise<DryRun>
  /** Resolves with the outcome of all ids. Rejects with ApiError if nothing was done. */
  carryOut(
    ids: readonly string[],
    how: { readonly call: typeof call; readonly progress: Progress; readonly onEnded?: OnEnded | undefined },
  ): Promise<Outcome>
}

/** An operation that calls or a job of the server carry out. */
export type SentOperation =
  | CallOperation
  | { readonly own?: undefined; readonly send?: undefined; readonly job: ServerJob }
/** What a command does to many ids: first as a dry run, and then by calls or as a job of the server. */
export type BulkOperation =
  | SentOperation
  | { readonly send?: undefined; readonly job?: undefined; readonly own: OwnOperation }

/** What a run has acted on, so that another command can act on the same. */
export interface RunTargets {
  readonly targets: readonly AnyItem[]
  /** Where the targets come from, as a preview shows it. */
  readonly source: string | undefined
  /** The id of the run. */
  readonly job: string | undefined
}

/** How the execution of a command ended. */
export type ExecutionResult =
  | { is: 'done'; outcome?: Outcome; on?: RunTargets }
  /** The command was not available, or the person cancelled. */
  | { is: 'stopped' }
  | { is: 'invalid'; fields: InvalidInput['fields'] }
  | { is: 'failed'; error: unknown }

/** The effects that a running command may use. */
export interface Services extends Page {
  readonly call: typeof call
  /** Carries out an operation and reports progress; stops between two calls, or cancels the job, when cancelled. */
  carryOut(operation: BulkOperation, ids: readonly string[]): Promise<Outcome>
  /** Reports the progress of a run that makes several calls, and cancels it. */
  readonly progress: Progress
  /** Runs a command with this input, on the given targets or on the current selection. */
  runCommand<Of extends CommandId | Command>(
    command: Of,
    input: Of extends CommandId ? InputOf<Of> : unknown,
    targets?: readonly AnyItem[],
  ): Promise<ExecutionResult>
  /** Resolves once a script has started. The script shows its own questions, progress and outcome. */
  script(started: SavedScriptInvocation): Promise<void>
}

/** A value that can be chosen for an argument. */
export interface Option {
  readonly value: unknown
  readonly name: string
  readonly detail?: string
}
/** Returns the options that match a query, for an argument whose options are not in its schema. */
export type Choices = (
  context: Context,
  query: string,
  signal: AbortSignal,
) => readonly Option[] | Promise<readonly Option[]>

export type Availability = { is: 'hidden' } | { is: 'blocked'; reason: string } | { is: 'ready' }

/** A field of a command's arguments, as a palette page or a form control shows it. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly schema: z.core.$ZodType
  readonly optional: boolean
  readonly choices: Choices | undefined
}

/** A command without its type parameters, so that the registry is a plain array without `any`. */
export interface Command extends Presentation {
  readonly on: readonly Surface[]
  readonly roles: readonly Role[]
  readonly endpoint: Endpoint | undefined
  readonly fields: readonly Field[]
  readonly progressTitle: string | undefined
  readonly delegates: boolean
  readonly readsTargets: boolean
  readonly repeatable: boolean
  readonly removesTargets: boolean
  readonly blockingDevices: ((item: AnyItem) => DeviceSearch) | undefined
  /** Returns the command that restores previous values; undefined if the command cannot be undone. */
  readonly undo: ((earlier: PreviousValues['values']) => Invocation | undefined) | undefined
  /** The exceptions that `undo` cannot restore. */
  readonly notUndoable: string | undefined
  label(context: Context): string
  availability(context: Context): Availability
  preview(context: Context): string | undefined
  /** Returns the messages for invalid arguments, by field; the empty name is for the arguments as a whole. */
  check(input: unknown): Readonly<Record<string, string>> | undefined
  /** Freezes the target and parses the arguments, without any effect. Throws InvalidInput. */
  prepare(context: Context, input: unknown): Call
}

/** The input type with all properties read-only. */
export type ReadOnly<Input> = Input extends Blob
  ? Input
  : Input extends readonly (infer Element)[]
    ? readonly ReadOnly<Element>[]
    : Input extends object
      ? { readonly [Name in keyof Input]: ReadOnly<Input[Name]> }
      : Input

/** A command with the types of its id and input. */
export interface DefinedCommand<Id extends Presentation['id'], Input> extends Command {
  readonly id: Id
  /** Only a type: the property is never set. */
  readonly inputType?: Input
}

/** A command with this input. A command from the registry, whose id is not known, may have any. */
export type CommandWithInput<Input> = Command & { readonly inputType?: Input }

/** A command about to run on a frozen target. */
export interface Call {
  readonly question: Question | undefined
  /** The bulk operation, if the command is one. */
  readonly operation: BulkOperation | undefined
  run(services: Services): Promise<Result> | Result
  /** Returns the message for an outcome; undefined if the command has none. */
  done(outcome: Outcome): string | undefined
}
