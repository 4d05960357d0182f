import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { accountColumns, column } from '../../commands/surfaces/list/columns.tsx'

export const columns: readonly Column<Row<'users'>>[] = [
  column('users', 'email', 240, row => row.login),
  column('users', 'email_confirmed', 140, row => (row.email_confirmed ? 'Yes' : 'No')),
  ...accountColumns('users'),
]
