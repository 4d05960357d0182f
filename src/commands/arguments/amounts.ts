/** Parses numbers, amounts with a unit and times among the words of an inline argument. */
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { unitOf, units as allUnits, type UnitChoice } from '../../domain/units.ts'
import { parseNumber, toBase, typedValue, unitLabel, type Control } from '../core/fields.ts'

type TypedControl = Extract<Control, { kind: 'number' | 'numbers' | 'time' }>

const amount = /^[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,]\d+)?)/

/** Returns the value and how people read it; undefined if the text cannot be parsed. The schema checks the bounds. */
export function parseAmount(
  control: TypedControl,
  text: string,
  units: UnitChoice,
): { readonly value: unknown; readonly text: string } | undefined {
  if (control.kind === 'time') {
    const value = typedValue(control, text, units)
    return typeof value === 'string' && value !== text
      ? { value, text: momentText(systemTimeZone(), Date.parse(value)) }
      : undefined
  }
  const parts = control.kind === 'numbers' ? text.split(/[\s;]+/) : [text]
  if (control.kind === 'numbers' && parts.length !== control.count) return undefined
  const parsed = parts.map(part => parseOne(control, part.trim(), units))
  if (parsed.some(one => one === undefined)) return undefined
  const values = parsed.flatMap(one => one ?? [])
  return {
    value: control.kind === 'numbers' ? values.map(one => one.value) : values[0]?.value,
    text: values.map(one => one.text).join(', '),
  }
}

/** Parses one amount, in the unit that it is typed with or else in the person's unit. */
function parseOne(control: TypedControl, text: string, units: UnitChoice) {
  if (control.kind === 'time') return undefined
  const [digits] = amount.exec(text) ?? []
  if (digits === undefined) return undefined
  const typedUnit = text.slice(digits.length).trim().toLowerCase()
  const number = parseNumber(digits)
  const { quantity, unit } = control
  if (typedUnit === '') {
    const value = quantity ? toBase(control, unitOf(quantity, units), number) : number
    return { value, text: [digits, unitLabel(control, units)].filter(Boolean).join(' ') }
  }
  if (!quantity) return typedUnit === unit?.toLowerCase() ? { value: number, text: `${digits} ${unit}` } : undefined
  const match = Object.values(allUnits[quantity]).find(({ symbol }) => symbol.toLowerCase() === typedUnit)
  return match && { value: toBase(control, match, number), text: `${digits} ${match.symbol}` }
}
