/** A command: everything about it in one definition, from which every surface draws. */
import * as z from 'zod/mini'
import type { call } from '../../api/client.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { BulkAnswer, PreviousValues, Endpoint } from '../../api/contract/endpoint.ts'
import { attributeName } from '../../api/contract/issues.ts'
import { metaOf } from '../../api/contract/fields.ts'
import type { Role } from '../../domain/roles.ts'
import type { DeviceSearch, Failure, Question } from '../../store/overlays.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Context } from './context.ts'
import { InvalidInput, problems } from './invalidInput.ts'
import type { Presentation } from './presentation.ts'
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

export interface Services {
  readonly call: typeof call
  /** Sends ids in chunks, reports progress, stops between chunks when cancelled. */
  inChunks(ids: readonly string[], send: (ids: string[]) => Promise<BulkAnswer>): Promise<Outcome>
  /** For what takes several calls: shows how far it is, and can be cancelled. */
  readonly progress: Progress
  /** Shows another screen; with `replace` the browser’s way back leads past this one. */
  go(path: string, how?: { replace: boolean }): void
  /** Gives the person a file to keep. */
  save(name: string, file: Blob): void
  /** Runs a command, or that of an id, with that input, on what is selected now or on the targets given. */
  again(command: Command | string, input: unknown, targets?: readonly AnyItem[]): Promise<ExecutionResult>
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

type Access =
  /** Who may: the endpoint's roles, written once in the contract. What it changes is read again afterwards. */
  { endpoint: Endpoint; roles?: undefined } | { endpoint?: undefined; roles: readonly Role[] }

type Definition<Target, Args extends z.ZodMiniObject> = Presentation &
  Access & {
    needs: Needs<Target>
    args?: Args
    choices?: Partial<Record<keyof Args['shape'], Choices>>
    /** Says it with what is at hand: `Select all 12,408`. */
    label?: (context: Context) => string
    /** What would happen: `7 now · 3 offline would be skipped`. */
    preview?: (target: Target) => string | undefined
    confirm?: (target: Target, args: z.output<Args>) => Question | undefined
    /** Says what came of many ids. */
    done?: (outcome: Outcome, total: number) => string
    /** While it takes its time. */
    doing?: string
    /** It gives another command, which tells by itself how far it is. */
    delegates?: boolean
    /** Whether `.` repeats it. */
    repeatable?: boolean
    /** What it was done to is gone, and so no longer selected. */
    forgets?: boolean
    /** Which devices may stand in the way where it fails, as a search of their list. */
    inTheWay?: (item: AnyItem) => DeviceSearch
    /** What puts earlier values back; only where that is a true inverse. Nothing where these cannot be put back. */
    undo?: (earlier: PreviousValues['values']) => Invocation | undefined
    /** Said beforehand of what `undo` cannot put back: `for those that had no vendor`. */
    notUndone?: string
  } & (
    | {
        run: (target: Target, args: z.output<Args>, services: Services) => Promise<Result> | Result
        operation?: undefined
      }
    /** One call on many: it is previewed, and runs in chunks. */
    | { operation: (args: z.output<Args>) => BulkOperation; run?: undefined }
  )

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

/** A command about to run on a frozen target. */
export interface Call {
  readonly question: Question | undefined
  /** What is sent for its targets, where that can be previewed. */
  readonly operation: BulkOperation | undefined
  run(services: Services): Promise<Result> | Result
  done(outcome: Outcome): string | undefined
}

const noArguments = z.object({})

export function defineCommand<Target, Args extends z.ZodMiniObject = typeof noArguments>(
  d: Definition<Target, Args>,
): Command {
  const args = d.args ?? noArguments
  const parse = (input: unknown) => z.safeParse(args, input, { reportInput: true })
  const roles = d.endpoint ? (d.endpoint.roles === 'public' ? [] : d.endpoint.roles) : d.roles
  return {
    id: d.id,
    title: d.title,
    group: d.group,
    ...(d.icon && { icon: d.icon }),
    ...(d.keys && { keys: d.keys }),
    ...(d.keywords && { keywords: d.keywords }),
    on: d.on,
    ...(d.entity && { entity: d.entity }),
    ...(d.place && { place: d.place }),
    inList: d.inList ?? false,
    ...(d.short && { short: d.short }),
    keysOnly: d.keysOnly ?? false,
    danger: d.danger ?? false,
    roles,
    endpoint: d.endpoint,
    fields: Object.entries<z.core.$ZodType>(args.shape).map(([name, schema]) => ({
      name,
      label: metaOf(schema)?.label ?? attributeName([name]),
      schema,
      optional: schema instanceof z.ZodMiniOptional,
      choices: d.choices?.[name],
    })),
    doing: d.doing,
    delegates: d.delegates ?? false,
    repeatable: d.repeatable ?? false,
    forgets: d.forgets ?? false,
    inTheWay: d.inTheWay,
    undo: d.undo,
    notUndone: d.notUndone,
    label: context => d.label?.(context) ?? d.title,
    availability(context) {
      if (!context.role || !roles.includes(context.role)) return { is: 'hidden' }
      const need = d.needs(context)
      return 'blocked' in need ? { is: 'blocked', reason: need.blocked } : { is: 'ready' }
    },
    preview(context) {
      const need = d.needs(context)
      return 'target' in need ? d.preview?.(need.target) : undefined
    },
    check(input) {
      const { error } = parse(input)
      return error && problems(error, args)
    },
    prepare(context, input) {
      const need = d.needs(context)
      if ('blocked' in need) throw new InvalidInput({ '': need.blocked })
      const parsed = parse(input)
      if (!parsed.success) throw new InvalidInput(problems(parsed.error, args))
      // `args` is `d.args` or, where there is none, the empty object that `Args` then stands for.
      const values = parsed.data as z.output<Args>
      const operation = d.operation?.(values)
      return {
        question: d.confirm?.(need.target, values),
        operation,
        run: services =>
          operation
            ? // What is ordered acts on what is selected, so its target is items.
              services.inChunks(
                (need.target as readonly AnyItem[]).map(({ id }) => id),
                ids => operation.send(ids, { call: services.call, preview: false }),
              )
            : d.run?.(need.target, values, services),
        done: outcome => d.done?.(outcome, outcome.done.length + outcome.failed.length),
      }
    },
  }
}
