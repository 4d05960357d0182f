/** What a command is, what it needs to run, and what comes of it. */
import type * as z from 'zod/mini'
import type { call } from '../../api/client.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { BulkAnswer, PreviousValues, Endpoint } from '../../api/contract/endpoint.ts'
import type { Role } from '../../domain/roles.ts'
import type { DeviceSearch, Failure } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { CommandId, InputOf } from './commandId.ts'
import type { Context } from './context.ts'
import type { InvalidInput } from './invalidInput.ts'
import type { Page } from './page.ts'
import type { Presentation, Surface } from './presentation.ts'
import type { Invocation, Outcome } from './runs/outcome.ts'
import type { StartedScript } from './startedScript.ts'

/** What a command acts on, read from the context: a target, or the reason why there is none. */
export type Needs<Target> = (context: Context) => { target: Target } | { blocked: string }

/** What came of one thing, where what it was before is known. */
export interface MessageResult {
  readonly message: string
  readonly before: readonly PreviousValues[]
}

/** What came of many ids, what is to be said, or nothing. */
export type Result = Outcome | MessageResult | string | void

/** What a run would do to each of its targets; every id is in exactly one of both. */
export interface DryRun {
  readonly affected: readonly string[]
  /** It would be skipped, and why. */
  readonly skipped: readonly Failure[]
}

/** What is sent for many ids: once to be told what it would do, and once to do it. */
export interface BulkOperation {
  /** At most `maxPerCall` ids. With `preview` nothing happens. */
  send(ids: readonly string[], how: { call: typeof call; preview: boolean; signal?: AbortSignal }): Promise<BulkAnswer>
}

/** How giving a command ended. */
export type ExecutionResult =
  | { is: 'done'; outcome?: Outcome }
  /** Not available, or the person backed out. */
  | { is: 'stopped' }
  | { is: 'invalid'; fields: InvalidInput['fields'] }
  | { is: 'failed'; error: unknown }

/** What a running command is handed. */
export interface Services extends Page {
  readonly call: typeof call
  /** Sends ids in chunks, reports progress, stops between chunks when cancelled. */
  inChunks(ids: readonly string[], send: (ids: string[]) => Promise<BulkAnswer>): Promise<Outcome>
  /** For what takes several calls: shows how far it is, and can be cancelled. */
  readonly progress: Progress
  /** Runs a command with that input, on what is selected now or on the targets given. */
  again<Of extends CommandId | Command>(
    command: Of,
    input: Of extends CommandId ? InputOf<Of> : unknown,
    targets?: readonly AnyItem[],
  ): Promise<ExecutionResult>
  /** Resolves once a script has begun; it has its own questions, its own progress and its own outcome. */
  script(started: StartedScript): Promise<void>
}

export interface Option {
  readonly value: unknown
  readonly name: string
  readonly detail?: string
}
/** What may be chosen for an argument where the schema alone cannot tell. */
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

/** A command as the surfaces see it: its types are closed over, so the registry is a plain array without `any`. */
export interface Command extends Presentation {
  readonly on: readonly Surface[]
  readonly roles: readonly Role[]
  readonly endpoint: Endpoint | undefined
  readonly fields: readonly Field[]
  readonly doing: string | undefined
  readonly delegates: boolean
  readonly repeatable: boolean
  readonly forgets: boolean
  readonly inTheWay: ((item: AnyItem) => DeviceSearch) | undefined
  /** What puts earlier values back, where it can be undone. */
  readonly undo: ((earlier: PreviousValues['values']) => Invocation | undefined) | undefined
  /** Of what it does, what that does not put back. */
  readonly notUndone: string | undefined
  label(context: Context): string
  availability(context: Context): Availability
  preview(context: Context): string | undefined
  /** What is wrong with these arguments, by field; the empty name stands for all of them together. */
  check(input: unknown): Readonly<Record<string, string>> | undefined
  /** Freezes the target and parses the arguments; nothing has happened yet. Throws InvalidInput. */
  prepare(context: Context, input: unknown): Call
}

/** An input as a caller may hand it in: it is only read. */
export type ReadOnly<Input> = Input extends Blob
  ? Input
  : Input extends readonly (infer Element)[]
    ? readonly ReadOnly<Element>[]
    : Input extends object
      ? { readonly [Name in keyof Input]: ReadOnly<Input[Name]> }
      : Input

/** A command whose id and input are known to the type checker. */
export interface DefinedCommand<Id extends Presentation['id'], Input> extends Command {
  readonly id: Id
  /** For the type checker only: it is never set. */
  readonly inputType?: Input
}

/** A command about to run on a frozen target. */
export interface Call {
  readonly question: Question | undefined
  /** What is sent for its targets, where that can be previewed. */
  readonly operation: BulkOperation | undefined
  run(services: Services): Promise<Result> | Result
  done(outcome: Outcome): string | undefined
}
