/** The input of a command as its form has it: what was shown at first, and what a person has edited. */
import * as z from 'zod/mini'
import { localText } from '../../../domain/calendar/days.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import type { UnitChoice } from '../../../domain/units.ts'
import { controlOf, displayValue, enteredValue } from '../../core/fields.ts'
import type { Command, Field } from '../../core/types.ts'

/** The edited values, by field name. */
export type Edits = Readonly<Record<string, unknown>>

/** Changes the edits from what they are at that moment. */
export type ChangeEdits = (change: (edits: Edits) => Edits) => void

/** Returns the edits without the submitted ones. A field that was edited again after the submission keeps its edit. */
export const withoutSubmitted = (edits: Edits, submitted: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !(name in submitted && isSameValue(value, submitted[name]))),
  )

const isSameValue = (value: unknown, other: unknown): boolean =>
  Object.is(value, other) || (!(value instanceof File) && JSON.stringify(value) === JSON.stringify(other))

/** Returns the text of a field's input: times in local time, values in the person's units. */
export function fieldText(field: Field, value: unknown, units: UnitChoice): string {
  if (controlOf(field).kind === 'time' && typeof value === 'string' && value.endsWith('Z'))
    return localText(systemTimeZone(), Date.parse(value))
  return value === undefined || value === null ? '' : displayValue(field, value, units, '  ')
}

/** Returns whether an edited value differs from the initial one. Text is compared as it is shown, in its unit. */
function isChanged(field: Field, edited: unknown, initial: unknown, units: UnitChoice): boolean {
  const control = controlOf(field)
  if (typeof edited === 'string' && control.kind !== 'choice')
    return edited.trim() !== fieldText(field, initial, units).trim()
  const compared = (value: unknown) => JSON.stringify(enteredValue(control, value, units))
  return edited instanceof File || compared(edited) !== compared(initial)
}

/** Returns the names of the fields whose value differs from the initial one. */
export const changedFields = ({ fields }: Command, values: Edits, edits: Edits, units: UnitChoice): readonly string[] =>
  fields
    .filter(field => field.name in edits && isChanged(field, edits[field.name], values[field.name], units))
    .map(({ name }) => name)

/**
 * Returns the command's input. An unchanged optional field is left out, an unchanged required one has its initial value.
 * A field that was emptied is null if its schema accepts that, and otherwise undefined, which the schema refuses.
 */
export function formInput(command: Command, values: Edits, edits: Edits, units: UnitChoice): Record<string, unknown> {
  const changed = changedFields(command, values, edits, units)
  return Object.fromEntries(
    command.fields.flatMap(field => {
      const { name } = field
      if (changed.includes(name))
        return [[name, enteredValue(controlOf(field), edits[name], units) ?? emptyValue(field)]]
      const initial = field.optional ? undefined : enteredValue(controlOf(field), values[name], units)
      return initial === undefined ? [] : [[name, initial]]
    }),
  )
}

const emptyValue = ({ schema }: Field) => (z.safeParse(schema, null).success ? null : undefined)

/** Returns whether a field must have a value. `initial` is the value that the form shows at first. */
export function isRequired(field: Field, initial: unknown): boolean {
  // A field that was never filled is left out of the input.
  if (initial === undefined) return !field.optional
  const emptyValues = controlOf(field).kind === 'text' ? [null, ''] : [null, []]
  return !emptyValues.some(empty => z.safeParse(field.schema, empty).success)
}
