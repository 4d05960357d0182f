import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { accountColumns, column } from '../../commands/surfaces/list/columns.tsx'

export const columns: readonly Column<Row<'vendors'>>[] = [
  column('vendors', 'login', 180, row => row.login),
  column('vendors', 'company_name', 200, row => row.company_name),
  ...accountColumns('vendors'),
  column('vendors', 'company_address', 240, row => row.company_address),
  column('vendors', 'description', 260, row => row.description),
]
