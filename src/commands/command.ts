/** A command: everything about it in one definition, from which every surface draws. */
import * as z from 'zod/mini'
import type { call } from '../api/client.ts'
import type { Progress } from '../api/matching.ts'
import type { BulkAnswer, Endpoint } from '../api/contract/endpoint.ts'
import { attributeName } from '../api/contract/issues.ts'
import { metaOf } from '../api/contract/fields.ts'
import type { Role } from '../domain/roles.ts'
import type { Place } from '../domain/routes.ts'
import type { DeviceSearch, Failure, Question } from '../store/overlays.ts'
import type { Entity } from '../store/lists.ts'
import type { AnyItem } from '../store/selection.ts'
import type { IconName } from './iconName.ts'
import type { Context } from './context.ts'
import { InvalidInput, problems } from './invalidInput.ts'

/** What a command acts on, read from the context: a target, or the reason why there is none. */
export type Needs<Target> = (context: Context) => { target: Target } | { blocked: string }

/** Every id ends in exactly one of both. */
export interface Outcome {
  readonly done: readonly string[]
  readonly failed: readonly Failure[]
}

/** What came of many ids, what is to be said, or nothing. */
export type Result = Outcome | string | void

export interface Services {
  readonly call: typeof call
  /** Sends ids in chunks, reports progress, stops between chunks when cancelled. */
  inChunks(ids: readonly string[], send: (ids: string[]) => Promise<BulkAnswer>): Promise<Outcome>
  /** Sends one call for each id, a few at a time; what is refused is a failure of that id. */
  forEach(ids: readonly string[], send: (id: string) => Promise<unknown>): Promise<Outcome>
  /** For what takes several calls: shows how far it is, and can be cancelled. */
  readonly progress: Progress
  /** Shows another screen; with `replace` the browser’s way back leads past this one. */
  go(path: string, how?: { replace: boolean }): void
  /** Gives the person a file to keep. */
  save(name: string, file: Blob): void
  /** Runs a command once more with the same input, on what is selected now or on the targets given. */
  again(id: string, input: unknown, targets?: readonly AnyItem[]): Promise<void>
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

export const groups = {
  control: 'Control',
  settings: 'Settings',
  create: 'Create',
  list: 'List',
  go: 'Go to',
  view: 'View',
  insight: 'Insight',
  account: 'Account',
} as const
export type Group = keyof typeof groups

/** Where a command is offered besides the palette and, when it has keys, the key sheet. */
export type Surface =
  | 'control'
  | 'settings'
  | 'update'
  | 'assign'
  | 'create'
  | 'row'
  | 'status'
  | 'toolbar'
  | 'navigation'
  | 'account'
  | 'top'
  | 'pager'
  | 'table'
  | 'toast'
  | 'units'
  | 'profile'
  | 'keys'
  | 'panel'
  | 'device'
  | 'charts'
  | 'calendar'
  | 'event'
  | 'notifications'
  | 'notification'

type Access =
  /** Who may: the endpoint's roles, written once in the contract. What it changes is read again afterwards. */
  { endpoint: Endpoint; roles?: undefined } | { endpoint?: undefined; roles: readonly Role[] }

export interface Presentation {
  readonly id: `${string}.${string}`
  readonly title: string
  readonly group: Group
  readonly icon?: IconName
  /** One chord or sequence, or several that do the same; the first is shown. */
  readonly keys?: string | readonly string[]
  readonly keywords?: readonly string[]
  readonly on: readonly Surface[]
  /** What it acts on, where it acts on something of a list; it is offered on that list's surfaces. */
  readonly entity?: Entity
  /** The screen it is about; elsewhere its keys mean something else, or nothing. */
  readonly place?: Place
  /** It acts on the list on screen; where there is none its keys mean nothing. */
  readonly inList?: boolean
  /** A short word for the status bar. */
  readonly short?: string
  /** Left out of the palette: moving the row there makes no sense. */
  readonly keysOnly?: boolean
  /** Red: it destroys. */
  readonly danger?: boolean
}

type Definition<Target, Args extends z.ZodMiniObject> = Presentation &
  Access & {
    needs: Needs<Target>
    args?: Args
    choices?: Partial<Record<keyof Args['shape'], Choices>>
    /** Says it with what is at hand: `Select all 12,408`. */
    label?: (context: Context) => string
    /** What would happen: `7 now · 3 offline would be skipped`. */
    preview?: (target: Target) => string | undefined
    confirm?: (target: Target, args: z.output<Args>) => Question
    run: (target: Target, args: z.output<Args>, services: Services) => Promise<Result> | Result
    /** Says what came of many ids. */
    done?: (outcome: Outcome, total: number) => string
    /** While it takes its time. */
    doing?: string
    /** Whether `.` repeats it. */
    repeatable?: boolean
    /** What it was done to is gone, and so no longer selected. */
    forgets?: boolean
    /** Which devices may stand in the way where it fails, as a search of their list. */
    inTheWay?: (item: AnyItem) => DeviceSearch
  }

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
  readonly repeatable: boolean
  readonly forgets: boolean
  readonly inTheWay: ((item: AnyItem) => DeviceSearch) | undefined
  label(context: Context): string
  availability(context: Context): Availability
  preview(context: Context): string | undefined
  /** Freezes the target and parses the arguments; nothing has happened yet. Throws InvalidInput. */
  prepare(context: Context, input: unknown): Call
}

/** A command about to run on a frozen target. */
export interface Call {
  readonly question: Question | undefined
  run(services: Services): Promise<Result> | Result
  done(outcome: Outcome): string | undefined
}

const noArguments = z.object({})

export function defineCommand<Target, Args extends z.ZodMiniObject = typeof noArguments>(
  d: Definition<Target, Args>,
): Command {
  const args = d.args ?? noArguments
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
    repeatable: d.repeatable ?? false,
    forgets: d.forgets ?? false,
    inTheWay: d.inTheWay,
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
    prepare(context, input) {
      const need = d.needs(context)
      if ('blocked' in need) throw new InvalidInput({ '': need.blocked })
      const parsed = z.safeParse(args, input, { reportInput: true })
      if (!parsed.success) throw new InvalidInput(problems(parsed.error, args))
      // `args` is `d.args` or, where there is none, the empty object that `Args` then stands for.
      const values = parsed.data as z.output<Args>
      return {
        question: d.confirm?.(need.target, values),
        run: services => d.run(need.target, values, services),
        done: outcome => d.done?.(outcome, outcome.done.length + outcome.failed.length),
      }
    },
  }
}
