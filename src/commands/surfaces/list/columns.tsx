/** Columns that several lists have. */
import { columnName } from '../../../domain/columnNames.ts'
import { shortDateTime } from '../../../domain/format.ts'
import type { Entity } from '../../../store/lists.ts'
import { Blocked } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/column.ts'

/** A column under its name in the list. */
export const column = <Row,>(
  entity: Entity,
  id: string,
  width: number,
  cell: Column<Row>['cell'],
  more: Partial<Pick<Column<Row>, 'align' | 'title' | 'sortable'>> = {},
): Column<Row> => ({ id, title: columnName(entity, id), width, cell, ...more })

interface Timestamped {
  readonly created_at: string
  readonly updated_at: string
}
export const timestampColumns = (entity: Entity): readonly Column<Timestamped>[] => [
  column(entity, 'created_at', 168, row => shortDateTime(row.created_at)),
  column(entity, 'updated_at', 168, row => shortDateTime(row.updated_at)),
]

interface Account extends Timestamped {
  readonly first_name: string
  readonly last_name: string
  /** True when blocked. */
  readonly status: boolean
}
export const accountColumns = (entity: Entity): readonly Column<Account>[] => [
  column(entity, 'status', 110, row => <Blocked blocked={row.status} />),
  column(entity, 'first_name', 140, row => row.first_name),
  column(entity, 'last_name', 140, row => row.last_name),
  ...timestampColumns(entity),
]
