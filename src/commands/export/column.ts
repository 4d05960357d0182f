/** A column of a list as it is exported: plain values where the screen has something drawn. */
import { roundConverted, unitOf, type Quantity, type UnitChoice } from '../../domain/units.ts'
import type { ExportCell, ExportColumn } from '../../domain/exportTable.ts'
import { isoIn } from '../../domain/zone.ts'

/** Whose eyes the values are for. */
export interface View {
  readonly units: UnitChoice
  /** IANA. */
  readonly zone: string
  /** Milliseconds UTC. */
  readonly now: number
}

/** `id` is that of the screen's column, and the wire's name of what it shows where that is one thing. */
export interface ListColumn<Row> {
  readonly id: string
  /** Where the list's own name for it says too little. */
  readonly name?: string
  /** A unit that nobody chooses, or the quantity whose unit is chosen. */
  readonly unit?: string
  readonly quantity?: Quantity
  readonly times?: boolean
  readonly value: (row: Row, view: View) => ExportCell
}

export const text = <Row>(id: string, value: (row: Row) => string | null, name?: string): ListColumn<Row> => ({
  id,
  value: row => value(row) ?? null,
  ...(name && { name }),
})
/** A number as it is, in a unit that nobody chooses. */
export const count = <Row>(id: string, unit: string, value: (row: Row) => number | null): ListColumn<Row> => ({
  id,
  unit,
  value,
})
/** An amount in its base unit, exported in the chosen one. */
export const amountOf = <Row>(
  id: string,
  quantity: Quantity,
  value: (row: Row) => number | null | undefined,
  name?: string,
): ListColumn<Row> => ({
  id,
  quantity,
  ...(name && { name }),
  value(row, { units }) {
    const base = value(row)
    return base === null || base === undefined ? null : roundConverted(unitOf(quantity, units).fromBase(base))
  },
})
/** An ISO time, exported on the clocks of the zone. */
export const time = <Row>(id: string, value: (row: Row) => string | null): ListColumn<Row> => ({
  id,
  times: true,
  value(row, { zone }) {
    const at = value(row)
    return at === null ? null : isoIn(zone, Date.parse(at))
  },
})

/** How it is headed. */
export const exportColumn = <Row>(
  { id, name, unit, quantity, times }: ListColumn<Row>,
  listName: string,
  { units }: View,
): ExportColumn => {
  const symbol = quantity ? unitOf(quantity, units).symbol : unit
  return { key: id, name: name ?? listName, ...(symbol && { unit: symbol }), ...(times && { times }) }
}
