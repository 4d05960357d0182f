/** Derives the form control of an argument from its schema, for the palette's pages and the panel's forms. */
import * as z from 'zod/mini'
import { metaOf } from '../../api/contract/fields.ts'
import type { uploadColumns } from '../../domain/uploads.ts'
import { todayIn, parseWallTime } from '../../domain/calendar/days.ts'
import { formatForInput } from '../../domain/format.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { instantOf } from '../../domain/zone.ts'
import { unitOf, type Quantity, type Unit, type UnitChoice } from '../../domain/units.ts'
import type { Field, Option } from './types.ts'

/** The kind of control that a field needs. */
export type Control =
  | { kind: 'choice'; options: readonly Option[]; unit: string | undefined }
  /** One search result, or with `many` several. */
  | { kind: 'search'; many: boolean }
  /** Any number of a few options. */
  | { kind: 'set'; options: readonly Option[] }
  /** A fixed count of numbers side by side. */
  | { kind: 'numbers'; count: number; unit: string | undefined; quantity: Quantity | undefined }
  | { kind: 'number'; unit: string | undefined; quantity: Quantity | undefined; isInteger: boolean }
  /** A point in time, typed as wall time. */
  | { kind: 'time' }
  | { kind: 'text'; multiline: boolean; secret: boolean; code: boolean }
  | { kind: 'file'; template: keyof typeof uploadColumns; inParts: boolean }

/** Whether the value is neither stored, nor part of links and inline arguments: a secret, a one-time code or a file. */
export const isPrivate = (control: Control): boolean =>
  control.kind === 'file' || (control.kind === 'text' && (control.secret || control.code))

/** The control of each field, cached because it is needed at every key press and never changes. */
const controls = new WeakMap<Field, Control>()

/** Returns the control of a field. */
export function controlOf(field: Field): Control {
  const cached = controls.get(field)
  if (cached) return cached
  const control = readControl(field)
  controls.set(field, control)
  return control
}

function readControl(field: Field): Control {
  const meta = metaOf(field.schema)
  const bare = unwrap(field.schema)
  const optionsOf = (values: readonly unknown[]): readonly Option[] =>
    values.map((value, index) => ({ value, name: meta?.names?.[index] ?? String(value) }))
  if (field.choices) return { kind: 'search', many: bare instanceof z.ZodMiniArray }
  const values = valuesOf(field.schema)
  if (values) return { kind: 'choice', options: optionsOf(values), unit: meta?.unit }
  if (bare instanceof z.ZodMiniArray) {
    const members = valuesOf(bare.def.element)
    return members
      ? { kind: 'set', options: optionsOf(members) }
      : { kind: 'numbers', count: meta?.count ?? 1, unit: meta?.unit, quantity: meta?.quantity }
  }
  if (bare instanceof z.ZodMiniFile)
    return { kind: 'file', template: meta?.template ?? 'devices', inParts: meta?.inParts === true }
  if (bare instanceof z.ZodMiniISODateTime) return { kind: 'time' }
  if (bare instanceof z.ZodMiniNumber) {
    const isInteger = bare.def.checks?.some(check => check._zod.def.check === 'number_format') ?? false
    return { kind: 'number', unit: meta?.unit, quantity: meta?.quantity, isInteger }
  }
  return { kind: 'text', multiline: meta?.as === 'multiline', secret: meta?.as === 'secret', code: meta?.as === 'code' }
}

/** Returns the values of an enumeration in its order, with null last; undefined for any other schema. */
function valuesOf(schema: z.core.$ZodType): readonly unknown[] | undefined {
  if (schema instanceof z.core.$ZodOptional) return valuesOf(schema._zod.def.innerType)
  if (schema instanceof z.ZodMiniNullable) {
    const inner = valuesOf(schema.def.innerType)
    return inner && [...inner, null]
  }
  if (schema instanceof z.ZodMiniEnum) return Object.values(schema.def.entries)
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values
  if (schema instanceof z.ZodMiniBoolean) return [false, true]
  return undefined
}

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable
    ? unwrap(schema._zod.def.innerType)
    : schema

/**
 * Returns typed text as a value for the schema, or undefined if nothing is typed where a number or time is expected.
 * Amounts are typed in the chosen unit and sent in the base unit.
 */
export function typedValue(control: Control, text: string, units: UnitChoice): unknown {
  if (control.kind !== 'number' && control.kind !== 'numbers' && control.kind !== 'time') return text
  const typed = text.trim()
  if (typed === '') return undefined
  if (control.kind === 'time') return parseTime(typed)
  const valueOf = (number: string) => {
    const { quantity } = control
    return quantity ? toBase(control, unitOf(quantity, units), parseNumber(number)) : parseNumber(number)
  }
  return control.kind === 'number' ? valueOf(typed) : typed.split(/[\s;]+/).map(valueOf)
}

/** Returns an amount in the base unit. If it must be whole there, an amount in another unit is rounded. */
export function toBase(control: Control, unit: Unit, typed: number): number {
  const value = unit.toBase(typed)
  return control.kind === 'number' && control.isInteger && value !== typed ? Math.round(value) : value
}

/** Returns a wall time of this machine's zone as ISO UTC time; text that cannot be parsed is returned unchanged. */
function parseTime(text: string): string {
  const wall = parseWallTime(text, todayIn(systemTimeZone(), Date.now()))
  return wall === undefined ? text : new Date(instantOf(systemTimeZone(), wall)).toISOString()
}

/**
 * Returns the content of a form control as a value for the schema: text is parsed, search results are replaced by their
 * values.
 */
export function enteredValue(control: Control, entered: unknown, units: UnitChoice): unknown {
  if (typeof entered === 'string') return typedValue(control, entered, units)
  // No options are an empty list, for which the schema has its own message.
  if (control.kind === 'set') return entered ?? []
  if (control.kind !== 'search') return entered
  if (control.many) return ((entered ?? []) as readonly Option[]).map(option => option.value)
  return (entered as Option | undefined)?.value
}

/** Parses `2.5`, `2,5` or `3,000`, as the console writes thousands; NaN if the text is no number. */
export const parseNumber = (text: string): number =>
  Number(/^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.'))

/** Returns a field's value as text, without its unit: choices by name, amounts in the chosen unit. */
export function displayValue(field: Field, value: unknown, units: UnitChoice, separator = ', '): string {
  const control = controlOf(field)
  const display = (one: unknown): string => {
    const option = 'options' in control ? control.options.find(each => each.value === one) : undefined
    if (option) return option.name
    const quantity = 'quantity' in control ? control.quantity : undefined
    if (quantity && typeof one === 'number') return formatForInput(one, quantity, units)
    return typeof one === 'string' ? one : JSON.stringify(one)
  }
  return Array.isArray(value) ? value.map(display).join(separator) : display(value)
}

/** Returns a label with a unit: `Volume (l)`. Some labels contain it already. */
export const labelWithUnit = (label: string, unit: string | undefined): string =>
  unit === undefined || label.endsWith(`(${unit})`) ? label : `${label} (${unit})`

/** Returns the symbol of the unit in which the field is typed; undefined if it has no unit. */
export const unitLabel = (control: Control, units: UnitChoice): string | undefined =>
  control.kind !== 'number' && control.kind !== 'numbers'
    ? undefined
    : control.quantity
      ? unitOf(control.quantity, units).symbol
      : control.unit
