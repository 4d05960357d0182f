import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { accountColumns, column } from '../../commands/surfaces/list/columns.tsx'

export const columns: readonly Column<Row<'admins'>>[] = [
  column('admins', 'login', 220, row => row.login),
  ...accountColumns('admins'),
]
