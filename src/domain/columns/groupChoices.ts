/** Columns of the list of groups from which filtration systems choose. */
import type { Columns } from './column.ts'
import { timestampColumns } from './timestamps.ts'

export const groupChoiceColumns = {
  name: { label: 'Name', kind: 'text', width: 320 },
  ...timestampColumns,
} as const satisfies Columns
