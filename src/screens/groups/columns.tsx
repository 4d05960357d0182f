import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { column, timestampColumns } from '../../commands/surfaces/list/columns.tsx'

export const columns: readonly Column<Row<'groups'>>[] = [
  column('groups', 'name', 320, row => row.name),
  ...timestampColumns('groups'),
]
