/** The steps of a script: which commands may be one, what is wrong with one, how one reads. */
import { metaOf } from '../../api/contract/fields.ts'
import { findCommand } from '../core/registry.ts'
import type { Command, Field } from '../core/types.ts'
import { controlOf, displayValue, unitLabel } from '../core/fields.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import type { UnitChoice } from '../../domain/units.ts'
import type { Step } from '../../store/recording.ts'

/** Whether it is no step by nature, so that nothing need be said of it. */
export const passesUnheard = (command: Command): boolean =>
  command.recordable === false ||
  findCommand(command.id) !== command ||
  // Moving from row to row means something else wherever the list looks otherwise.
  (command.keysOnly === true && command.fields.length === 0)

/** Why it cannot be a step; undefined where it can. */
export function notRecordableReason(command: Command): string | undefined {
  const kinds = command.fields.map(field => controlOf(field))
  if (kinds.some(kind => kind.kind === 'text' && kind.secret)) return 'it takes a secret'
  if (kinds.some(({ kind }) => kind === 'file')) return 'it takes a file'
  return passesUnheard(command) ? 'scripts cannot run it' : undefined
}

/** Whether it changes something at the server, so that it is previewed. */
export const acts = ({ endpoint }: Command): boolean => endpoint !== undefined && endpoint.method !== 'GET'

/** Its arguments that are asked for each time, in the command’s order. */
export const askedFields = (step: Step): readonly Field[] =>
  findCommand(step.command)?.fields.filter(({ name }) => step.ask.includes(name)) ?? []

/** What is wrong with a step, in sentences; empty where it can be given. */
export function problemsOf(step: Step): readonly string[] {
  const command = findCommand(step.command)
  if (!command) return [`There is no command “${step.command}”`]
  const reason = notRecordableReason(command)
  if (reason) return [`“${command.title}” cannot be in a script: ${reason}`]
  const names = new Set(command.fields.map(({ name }) => name))
  const unknown = [...new Set([...Object.keys(step.input), ...step.ask])].filter(name => !names.has(name))
  if (unknown.length > 0) return unknown.map(name => `“${command.title}” has no argument “${name}”`)
  // What is asked for each time is checked when it is given.
  const found = command.check(step.input) ?? {}
  return Object.entries(found)
    .filter(([name]) => (name === '' ? step.ask.length === 0 : !step.ask.includes(name)))
    .map(([, problem]) => `“${command.title}”: ${problem}`)
}

/** A field’s label without its unit, which stands behind the value. */
export const labelOf = ({ label, schema }: Field): string =>
  label.replace(new RegExp(`, ${metaOf(schema)?.unit ?? '$^'}$`), '')

/** An argument as a person reads it. */
export function valueText(field: Field, step: Step, units: UnitChoice): string {
  const value = step.input[field.name]
  const named = step.names?.[field.name]
  if (named !== undefined) return named
  const control = controlOf(field)
  if (control.kind === 'time' && typeof value === 'string') {
    const at = Date.parse(value)
    return Number.isNaN(at) ? value : momentText(systemTimeZone(), at)
  }
  const ofChoices = control.kind === 'choice' || control.kind === 'set'
  const unit = ofChoices ? metaOf(field.schema)?.unit : unitLabel(control, units)
  const text = displayValue(field, value, units) || (ofChoices ? 'none' : '')
  return unit ? `${text} ${unit}` : text
}

/** `Frequency: every 5th, Duration: 18 s`; what is asked for each time is said to be. */
export function stepText(step: Step, units: UnitChoice): string {
  const command = findCommand(step.command)
  return (command?.fields ?? [])
    .filter(({ name }) => step.ask.includes(name) || step.input[name] !== undefined)
    .map(field => {
      const said = step.ask.includes(field.name) ? 'asked each time' : valueText(field, step, units)
      return `${labelOf(field)}: ${said}`
    })
    .join(', ')
}

/** What a step’s command is called; its id where there is none. */
export const stepTitle = ({ command }: Step): string => findCommand(command)?.title ?? command
