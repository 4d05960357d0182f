/** Defines a command: its roles, needs, arguments and action. */
import * as z from 'zod/mini'
import { metaOf } from '../../api/contract/fields.ts'
import { attributeName } from '../../domain/lib/issues.ts'
import { buildCommand, type Definition } from './buildCommand.ts'
import { problems } from './fieldIssue.ts'
import type { Presentation } from './presentation.ts'
import type { DefinedCommand, ReadOnly } from './types.ts'

const noArguments = z.object({})

/**
 * Returns the command, typed by its id and input, so that running it with an unknown id or a wrong input does not
 * compile.
 */
export function defineCommand<
  const Id extends Presentation['id'],
  Target,
  Args extends z.ZodMiniObject = typeof noArguments,
>(d: Definition<Id, Target, Args>): DefinedCommand<Id, ReadOnly<z.input<Args>>> {
  const args = d.args ?? noArguments
  return buildCommand(d, {
    fields: Object.entries<z.core.$ZodType>(args.shape).map(([name, schema]) => ({
      name,
      label: metaOf(schema)?.label ?? attributeName([name]),
      schema,
      optional: schema instanceof z.core.$ZodOptional,
      choices: d.choices?.[name],
    })),
    parse(input) {
      const { data, error } = z.safeParse(args, input, { reportInput: true })
      // `args` is `d.args`, or the empty object schema, which is then the default of `Args`.
      return error ? { problems: problems(error, args) } : { values: data as z.output<Args> }
    },
  })
}
