import type { Columns } from './column.ts'

export const timestampColumns = {
  created_at: { label: 'Created', kind: 'time', width: 168 },
  updated_at: { label: 'Updated', kind: 'time', width: 168 },
} as const satisfies Columns
