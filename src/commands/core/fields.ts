/** How an argument is asked for, read from its schema: the palette's pages and the panel's forms both go by this. */
import * as z from 'zod/mini'
import { metaOf } from '../../api/contract/fields.ts'
import type { uploadColumns } from '../../api/contract/uploads.ts'
import { todayIn, parseWallTime } from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { instantOf } from '../../domain/zone.ts'
import { unitOf, type Quantity, type UnitChoice } from '../../domain/units.ts'
import type { Field, Option } from './command.ts'

export type Control =
  | { kind: 'choice'; options: readonly Option[]; unit: string | undefined }
  /** One of what is found, or with `many` a list of them. */
  | { kind: 'search'; many: boolean }
  /** Any of a few. */
  | { kind: 'set'; options: readonly Option[] }
  /** So many numbers side by side. */
  | { kind: 'numbers'; count: number; unit: string | undefined; quantity: Quantity | undefined }
  | { kind: 'number'; unit: string | undefined; quantity: Quantity | undefined }
  /** A moment, typed as the clock on the wall shows it. */
  | { kind: 'time' }
  | { kind: 'text'; many: boolean; secret: boolean }
  | { kind: 'file'; template: keyof typeof uploadColumns }

/** What is neither kept nor shown: a secret, and what a file holds. */
export const isPrivate = (control: Control): boolean =>
  control.kind === 'file' || (control.kind === 'text' && control.secret)

/** Asked for at every key that is typed, and always the same. */
const controls = new WeakMap<Field, Control>()

export function controlOf(field: Field): Control {
  const known = controls.get(field)
  if (known) return known
  const control = readControl(field)
  controls.set(field, control)
  return control
}

function readControl(field: Field): Control {
  const meta = metaOf(field.schema)
  const bare = unwrapped(field.schema)
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
  if (bare instanceof z.ZodMiniFile) return { kind: 'file', template: meta?.template ?? 'devices' }
  if (bare instanceof z.ZodMiniISODateTime) return { kind: 'time' }
  if (bare instanceof z.ZodMiniNumber) return { kind: 'number', unit: meta?.unit, quantity: meta?.quantity }
  return { kind: 'text', many: meta?.as === 'many', secret: meta?.as === 'secret' }
}

/** The values of an enumeration, in its order; undefined where it is none. Nothing (null) comes last. */
function valuesOf(schema: z.core.$ZodType): readonly unknown[] | undefined {
  if (schema instanceof z.ZodMiniOptional) return valuesOf(schema.def.innerType)
  if (schema instanceof z.ZodMiniNullable) {
    const inner = valuesOf(schema.def.innerType)
    return inner && [...inner, null]
  }
  if (schema instanceof z.ZodMiniEnum) return Object.values(schema.def.entries)
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values
  if (schema instanceof z.ZodMiniBoolean) return [false, true]
  return undefined
}

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? unwrapped(schema.def.innerType) : schema

/** What a person typed, as the value that the schema takes. Amounts are typed in the chosen unit and sent in the base one. */
export function typedValue(control: Control, text: string, units: UnitChoice): unknown {
  if (control.kind === 'numbers')
    return text.trim() === ''
      ? []
      : text
          .trim()
          .split(/[\s;]+/)
          .map(typed => toBase(control, numberIn(typed), units))
  if (control.kind === 'time') return timeTyped(text)
  if (control.kind !== 'number') return text
  if (text.trim() === '') return undefined
  return toBase(control, numberIn(text), units)
}

const toBase = ({ quantity }: { quantity: Quantity | undefined }, typed: number, units: UnitChoice): number =>
  quantity ? unitOf(quantity, units).toBase(typed) : typed

/** The ISO time that is meant by what a clock of this machine's zone shows; what cannot be read stays as it is. */
function timeTyped(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const wall = parseWallTime(text, todayIn(systemTimeZone(), Date.now()))
  return wall === undefined ? text : new Date(instantOf(systemTimeZone(), wall)).toISOString()
}

/** What stands in a form's control, as the value that the schema takes: typed text is read, found options give theirs. */
export function enteredValue(control: Control, entered: unknown, units: UnitChoice): unknown {
  if (typeof entered === 'string') return typedValue(control, entered, units)
  // Of a list none is an empty one, about which the schema has something of its own to say.
  if (control.kind === 'set') return entered ?? []
  if (control.kind !== 'search') return entered
  if (control.many) return ((entered ?? []) as readonly Option[]).map(option => option.value)
  return (entered as Option | undefined)?.value
}

/** With a point or a comma; not a number where it is none. */
const numberIn = (text: string): number => Number(text.trim().replace(',', '.'))

export const unitLabel = (control: Control, units: UnitChoice): string | undefined =>
  control.kind !== 'number' && control.kind !== 'numbers'
    ? undefined
    : control.quantity
      ? unitOf(control.quantity, units).symbol
      : control.unit
