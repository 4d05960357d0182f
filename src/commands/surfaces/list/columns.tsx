/** The table columns of a list. */
import { useMemo, type ReactNode } from 'react'
import type { Row } from '../../../api/lists.ts'
import type { Column } from '../../../domain/columns/column.ts'
import { textOf, valueReader } from '../../../domain/columns/values.ts'
import { listColumns, type listDefinitions } from '../../../domain/lists/lists.ts'
import { unitOf, type UnitChoice } from '../../../domain/units.ts'
import type { Entity } from '../../../store/lists.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { Column as TableColumn } from '../../../ui/table/column.ts'

/** Custom cell renderers by column; other columns show text. */
export type Cells<E extends Entity> = {
  readonly [Id in keyof (typeof listDefinitions)[E]['columns']]?: (row: Row<E>) => ReactNode
}

/** Returns a column name with the unit of the column's numbers. */
const withUnit = (name: string, { unit, quantity }: Column, units: UnitChoice) => {
  const symbol = quantity ? unitOf(quantity, units).symbol : unit
  return symbol ? `${name} (${symbol})` : name
}

export function tableColumns<E extends Entity>(
  entity: E,
  cells: Cells<E>,
  units: UnitChoice,
): readonly TableColumn<Row<E>>[] {
  const renderers: Readonly<Record<string, ((row: Row<E>) => ReactNode) | undefined>> = cells
  return Object.entries(listColumns(entity)).map(([id, column]) => {
    const { label, short, width, kind, searchable, align = kind === 'number' && !column.valueNames && 'end' } = column
    const read = valueReader(id, column)
    return {
      id,
      title: withUnit(label, column, units),
      ...(short && { head: withUnit(short, column, units) }),
      width,
      ...(align === 'end' && { align }),
      ...(searchable === false && { sortable: false }),
      cell: renderers[id] ?? (row => textOf(column, read(row), units)),
    }
  })
}

const noCells = {}

/** Returns the table columns, memoized until the units change. */
export function useColumns<E extends Entity>(entity: E, cells: Cells<E> = noCells): readonly TableColumn<Row<E>>[] {
  const units = useUnits()
  return useMemo(() => tableColumns(entity, cells, units), [entity, cells, units])
}
