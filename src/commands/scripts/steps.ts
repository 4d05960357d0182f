/** The steps of a script: which commands can be steps, their validation, and their texts. */
import { metaOf } from '../../api/contract/fields.ts'
import { parsePolicy, type ParsedPolicy } from '../arguments/policy.ts'
import { canBeJob, typedPolicyProblem } from '../core/execution/serverJob.ts'
import { findCommand } from '../core/registry.ts'
import type { Command, Field } from '../core/types.ts'
import { controlOf, displayValue, unitLabel } from '../core/fields.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import type { UnitChoice } from '../../domain/units.ts'
import type { Step } from '../../store/scripts/recording.ts'

/** Whether the recorder ignores the command without a message, because it is never a useful step. */
export const isIgnoredByRecorder = (command: Command): boolean =>
  command.recordable === false ||
  findCommand(command.id) !== command ||
  // Key-only commands such as row moves depend on what the list shows.
  (command.keysOnly === true && command.fields.length === 0)

/** Returns why the command cannot be a step, or undefined if it can. */
export function notRecordableReason(command: Command): string | undefined {
  const kinds = command.fields.map(field => controlOf(field))
  if (kinds.some(kind => kind.kind === 'text' && kind.secret)) return 'it takes a secret'
  if (kinds.some(({ kind }) => kind === 'file')) return 'it takes a file'
  return isIgnoredByRecorder(command) ? 'scripts cannot run it' : undefined
}

/** Whether the command changes data on the server; such steps are previewed. */
export const changesServer = ({ endpoint }: Command): boolean => endpoint !== undefined && endpoint.method !== 'GET'

/** Returns the fields that a run of the step prompts for, in the command’s order. */
export const askedFields = (step: Step): readonly Field[] =>
  findCommand(step.command)?.fields.filter(({ name }) => step.ask.includes(name)) ?? []

/** Returns the policy of a step’s job, or what is wrong with it; undefined if the step has none. */
export function policyOf(
  { command: id, policy }: Pick<Step, 'command' | 'policy'>,
  now: number,
): ParsedPolicy | undefined {
  if (policy === undefined) return undefined
  const command = findCommand(id)
  if (command && !canBeJob(command)) return { problem: 'it takes no policy' }
  const parsed = parsePolicy(policy, now)
  if ('problem' in parsed) return parsed
  // A step acts on the devices that were selected when it was reached.
  if (parsed.policy.until !== undefined) return { problem: 'a step cannot include devices that come to match later' }
  const problem = command && typedPolicyProblem(command, parsed.policy, { isSearch: false }, now)
  return problem === undefined ? parsed : { problem }
}

/** Returns what is wrong with the policy of a step; undefined if nothing is. */
export function policyProblem(step: Pick<Step, 'command' | 'policy'>, now: number): string | undefined {
  const policy = policyOf(step, now)
  return policy && 'problem' in policy ? policy.problem : undefined
}

/** Returns the problems of a step as sentences; empty if it can run. */
export function problemsOf(step: Step): readonly string[] {
  const command = findCommand(step.command)
  if (!command) return [`There is no command “${step.command}”`]
  const reason = notRecordableReason(command)
  if (reason) return [`“${command.title}” cannot be in a script: ${reason}`]
  const names = new Set(command.fields.map(({ name }) => name))
  const unknown = [...new Set([...Object.keys(step.input), ...step.ask])].filter(name => !names.has(name))
  if (unknown.length > 0) return unknown.map(name => `“${command.title}” has no argument “${name}”`)
  const ofPolicy = policyProblem(step, Date.now())
  if (ofPolicy !== undefined) return [`“${command.title}”: ${ofPolicy}`]
  // Fields that are prompted for are checked when a value is entered.
  const messages = command.check(step.input) ?? {}
  return Object.entries(messages)
    .filter(([name]) => (name === '' ? step.ask.length === 0 : !step.ask.includes(name)))
    .map(([, problem]) => `“${command.title}”: ${problem}`)
}

/** Returns the step as it runs with an input: nothing is asked, and only values that it was recorded with keep their names. */
export function stepWith({ names = {}, ...step }: Step, input: Step['input']): Step {
  const isRecorded = (field: string) => JSON.stringify(input[field]) === JSON.stringify(step.input[field])
  return {
    ...step,
    input,
    ask: [],
    names: Object.fromEntries(Object.entries(names).filter(([field]) => isRecorded(field))),
  }
}

/** Returns a field’s label without its unit, which is shown after the value. */
export function labelOf({ label, schema }: Field): string {
  const suffix = ` (${metaOf(schema)?.unit})`
  return label.endsWith(suffix) ? label.slice(0, -suffix.length) : label
}

/** Returns the value of an argument as text, with names for ids, local times and chosen units. */
export function valueText(field: Field, step: Step, units: UnitChoice): string {
  const value = step.input[field.name]
  const control = controlOf(field)
  const name = control.kind === 'search' ? step.names?.[field.name] : undefined
  if (name !== undefined) return name
  if (control.kind === 'time' && typeof value === 'string') {
    const time = Date.parse(value)
    return Number.isNaN(time) ? value : momentText(systemTimeZone(), time)
  }
  const ofChoices = control.kind === 'choice' || control.kind === 'set'
  const unit = ofChoices ? metaOf(field.schema)?.unit : unitLabel(control, units)
  const text = displayValue(field, value, units) || (ofChoices ? 'none' : '')
  return unit ? `${text} ${unit}` : text
}

/** Returns arguments and policy as text: `Flush every: 5th, Duration: asked each time, Policy: wait 7d`. */
export function stepText(step: Step, units: UnitChoice): string {
  const command = findCommand(step.command)
  const fields = (command?.fields ?? [])
    .filter(({ name }) => step.ask.includes(name) || step.input[name] !== undefined)
    .map(field => {
      const text = step.ask.includes(field.name) ? 'asked each time' : valueText(field, step, units)
      return `${labelOf(field)}: ${text}`
    })
  return [...fields, ...(step.policy === undefined ? [] : [`Policy: ${step.policy}`])].join(', ')
}

/** Returns the title of a step’s command, or its id if there is no such command. */
export const stepTitle = ({ command }: Step): string => findCommand(command)?.title ?? command
