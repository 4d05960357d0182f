/** Numbers and times as they are typed among other words: an amount may carry its unit. */
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { units as allUnits, type UnitChoice } from '../../domain/units.ts'
import { typedValue, unitLabel, type Control } from '../core/fields.ts'

type Typed = Extract<Control, { kind: 'number' | 'numbers' | 'time' }>

const amount = /^[-+]?\d+(?:[.,]\d+)?/

/** The value and how it is shown; undefined where the text is no such thing. Bounds are the schema's. */
export function amountRead(
  control: Typed,
  text: string,
  units: UnitChoice,
): { readonly value: unknown; readonly name: string } | undefined {
  if (control.kind === 'time') {
    const value = typedValue(control, text, units)
    return typeof value === 'string' && value !== text
      ? { value, name: momentText(systemTimeZone(), Date.parse(value)) }
      : undefined
  }
  const parts = control.kind === 'numbers' ? text.split(/[\s;]+/) : [text]
  if (control.kind === 'numbers' && parts.length !== control.count) return undefined
  const read = parts.map(part => oneRead(control, part.trim(), units))
  if (read.some(one => one === undefined)) return undefined
  const values = read.flatMap(one => one ?? [])
  const name = values.map(one => one.name).join(', ')
  return { value: control.kind === 'numbers' ? values.map(one => one.value) : values[0]?.value, name }
}

/** In the unit that it carries, or else in the one that the person chose. */
function oneRead(control: Typed, text: string, units: UnitChoice) {
  if (control.kind === 'time') return undefined
  const [digits] = amount.exec(text) ?? []
  if (digits === undefined) return undefined
  const written = text.slice(digits.length).trim().toLowerCase()
  const number = Number(digits.replace(',', '.'))
  const { quantity, unit } = control
  if (written === '') {
    const value = typedValue({ kind: 'number', quantity, unit }, digits, units)
    return { value: value as number, name: [digits, unitLabel(control, units)].filter(Boolean).join(' ') }
  }
  if (!quantity) return written === unit?.toLowerCase() ? { value: number, name: `${digits} ${unit}` } : undefined
  const carried = Object.values(allUnits[quantity]).find(({ symbol }) => symbol.toLowerCase() === written)
  return carried && { value: carried.toBase(number), name: `${digits} ${carried.symbol}` }
}
