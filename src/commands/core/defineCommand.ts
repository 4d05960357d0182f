/** Defines a command: who may run it, what it acts on, which arguments it takes, and what it does. */
import * as z from 'zod/mini'
import type { PreviousValues, Endpoint } from '../../api/contract/endpoint.ts'
import { attributeName } from '../../api/contract/issues.ts'
import { metaOf } from '../../api/contract/fields.ts'
import type { DeviceSearch } from '../../domain/commands/failures.ts'
import type { Question } from '../../domain/commands/question.ts'
import type { Role } from '../../domain/roles.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Context } from './context.ts'
import { InvalidInput, problems } from './invalidInput.ts'
import type { Presentation } from './presentation.ts'
import type { Invocation, Outcome } from './runs/outcome.ts'
import type { BulkOperation, Choices, DefinedCommand, Needs, ReadOnly, Result, Services } from './types.ts'

type Access =
  /** Who may: the endpoint's roles, written once in the contract. What it changes is read again afterwards. */
  { endpoint: Endpoint; roles?: undefined } | { endpoint?: undefined; roles: readonly Role[] }

type Definition<Id extends Presentation['id'], Target, Args extends z.ZodMiniObject> = Presentation &
  Access & {
    id: Id
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

const noArguments = z.object({})

/** The command, typed by its id and its input, so that a call with a wrong one does not compile. */
export function defineCommand<
  const Id extends Presentation['id'],
  Target,
  Args extends z.ZodMiniObject = typeof noArguments,
>(d: Definition<Id, Target, Args>): DefinedCommand<Id, ReadOnly<z.input<Args>>> {
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
    on: d.on ?? [],
    ...(d.entity && { entity: d.entity }),
    ...(d.place && { place: d.place }),
    inList: d.inList ?? false,
    ...(d.short && { short: d.short }),
    keysOnly: d.keysOnly ?? false,
    ...(d.recordable === false && { recordable: false }),
    ...(d.suggestedFor && { suggestedFor: d.suggestedFor }),
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
