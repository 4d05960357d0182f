/** The input of a command as labels and texts. */
import { preferences } from '../../store/preferences.ts'
import type { Command } from '../core/types.ts'
import { controlOf, isPrivate } from '../core/fields.ts'
import { labelOf, valueText } from '../scripts/steps.ts'
import { namesOf } from '../scripts/valueNames.ts'

export interface Words {
  readonly label: string
  readonly value: string
}
type InputCommand = Pick<Command, 'id' | 'fields'>

const filledFields = ({ fields }: InputCommand, input: Readonly<Record<string, unknown>>) =>
  fields.filter(field => input[field.name] !== undefined && !isPrivate(controlOf(field)))

/** Returns label and text of each argument with a value, with `names` instead of ids. Secrets and files are left out. */
export function inputText(
  command: InputCommand,
  rawInput: unknown,
  names: Readonly<Record<string, string>> = {},
): readonly Words[] {
  const input = recordOf(rawInput)
  const step = { command: command.id, input, ask: [], names }
  return filledFields(command, input).map(field => ({
    label: labelOf(field),
    value: valueText(field, step, preferences.units),
  }))
}

/** Like `inputText`, with names for the ids that the first options of a field contain. Rejects with ApiError. */
export async function namedWords(
  command: InputCommand,
  rawInput: unknown,
  signal: AbortSignal,
): Promise<readonly Words[]> {
  const input = recordOf(rawInput)
  return inputText(command, input, await namesOf(filledFields(command, input), input, signal))
}

const recordOf = (input: unknown): Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null ? { ...input } : {}
