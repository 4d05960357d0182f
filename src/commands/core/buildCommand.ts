/** Builds commands from their definitions. Without schemas, so that the first commands can be defined before these load. */
import type * as z from 'zod/mini'
import type { PreviousValues, Endpoint } from '../../api/contract/endpoint.ts'
import type { DeviceSearch } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { Role } from '../../domain/roles.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Context } from './context.ts'
import { InvalidInput } from './invalidInput.ts'
import type { Presentation } from './presentation.ts'
import type { Invocation, Outcome } from './runs/outcome.ts'
import type { BulkOperation, Choices, DefinedCommand, Field, Needs, ReadOnly, Result, Services } from './types.ts'

type Access =
  /** The endpoint's roles in the contract apply, unless the command is for fewer. Cached data that it changes is revalidated afterwards. */
  { endpoint: Endpoint; roles?: readonly Role[] } | { endpoint?: undefined; roles: readonly Role[] }

export type Definition<Id extends Presentation['id'], Target, Args extends z.ZodMiniObject> = Presentation &
  Access & {
    id: Id
    needs: Needs<Target>
    args?: Args
    choices?: Partial<Record<keyof Args['shape'], Choices>>
    /** The label for the current context, such as `Select all 12,408`; the title if there is none. */
    label?: (context: Context) => string
    /** A summary of what a run would do, such as `7 ready · 3 offline, skipped`. */
    preview?: (target: Target) => string | undefined
    /** The question to confirm before the run; undefined if it needs no confirmation. */
    confirm?: (target: Target, args: z.output<Args>) => Question | undefined
    /** The message that summarizes the outcome of many ids. */
    done?: (outcome: Outcome, total: number) => string
    /** The title of the progress toast. Without it, a command without an endpoint shows no progress. */
    progressTitle?: string
    /** It only runs another command, which shows its own progress. */
    delegates?: boolean
    /** It changes nothing, but needs each of its targets: a followed search is materialized first. */
    readsTargets?: boolean
    /** Whether `.` repeats it. */
    repeatable?: boolean
    /** The targets no longer exist after the run, so they are deselected. */
    removesTargets?: boolean
    /** The search for the devices that may be why the run failed for this item. */
    blockingDevices?: (item: AnyItem) => DeviceSearch
    /**
     * Returns the command that restores previous values; only for a true inverse. Undefined if these values cannot be
     * restored.
     */
    undo?: (earlier: PreviousValues['values']) => Invocation | undefined
    /** The exceptions that `undo` cannot restore, shown before the run: `for those that had no vendor`. */
    notUndoable?: string
  } & (
    | {
        run: (target: Target, args: z.output<Args>, services: Services) => Promise<Result> | Result
        operation?: undefined
      }
    /** A bulk operation: previewed by a dry run and sent in chunks. */
    | { operation: (args: z.output<Args>) => BulkOperation; run?: undefined }
  )

/** The arguments of a command. */
export interface Arguments<Values> {
  readonly fields: readonly Field[]
  /** Returns the values of an input, or the message of each invalid field. */
  parse(input: unknown): { readonly values: Values } | { readonly problems: Readonly<Record<string, string>> }
}

type NoArguments = z.ZodMiniObject<Record<never, never>>
const noArguments: Arguments<z.output<NoArguments>> = { fields: [], parse: () => ({ values: {} }) }

/** Returns the command of a definition without arguments. */
export const definePlainCommand = <const Id extends Presentation['id'], Target>(
  d: Definition<Id, Target, NoArguments>,
): DefinedCommand<Id, ReadOnly<z.input<NoArguments>>> => buildCommand(d, noArguments)

/** Returns the command of a definition. */
export function buildCommand<const Id extends Presentation['id'], Target, Args extends z.ZodMiniObject>(
  d: Definition<Id, Target, Args>,
  args: Arguments<z.output<Args>>,
): DefinedCommand<Id, ReadOnly<z.input<Args>>> {
  const callers = d.endpoint?.roles ?? 'public'
  const roles = d.roles ?? (callers === 'public' ? [] : callers)
  return {
    id: d.id,
    title: d.title,
    group: d.group,
    ...(d.icon && { icon: d.icon }),
    ...(d.keys && { keys: d.keys }),
    ...(d.keywords && { keywords: d.keywords }),
    on: d.on ?? [],
    ...(d.entity && { entity: d.entity }),
    ...(d.selection && { selection: d.selection }),
    ...(d.screen && { screen: d.screen }),
    ...(d.within && { within: d.within }),
    inList: d.inList ?? false,
    ...(d.short && { short: d.short }),
    keysOnly: d.keysOnly ?? false,
    ...(d.recordable === false && { recordable: false }),
    ...(d.suggestedFor && { suggestedFor: d.suggestedFor }),
    ...(d.effect && { effect: d.effect }),
    danger: d.danger ?? false,
    roles,
    endpoint: d.endpoint,
    fields: args.fields,
    progressTitle: d.progressTitle,
    delegates: d.delegates ?? false,
    readsTargets: d.readsTargets ?? false,
    repeatable: d.repeatable ?? false,
    removesTargets: d.removesTargets ?? false,
    blockingDevices: d.blockingDevices,
    undo: d.undo,
    notUndoable: d.notUndoable,
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
      const parsed = args.parse(input)
      return 'problems' in parsed ? parsed.problems : undefined
    },
    prepare(context, input) {
      const need = d.needs(context)
      if ('blocked' in need) throw new InvalidInput({ '': need.blocked })
      const parsed = args.parse(input)
      if ('problems' in parsed) throw new InvalidInput(parsed.problems)
      const { values } = parsed
      const operation = d.operation?.(values)
      return {
        question: d.confirm?.(need.target, values),
        operation,
        run: services =>
          operation
            ? // A bulk operation's target is always the selected items.
              services.carryOut(
                operation,
                (need.target as readonly AnyItem[]).map(({ id }) => id),
              )
            : d.run?.(need.target, values, services),
        done: outcome => d.done?.(outcome, outcome.done.length + outcome.failed.length),
      }
    },
  }
}
