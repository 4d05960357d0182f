/** Columns of the lists of administrators, vendors and end users. */
import type { Columns } from './column.ts'
import { timestampColumns } from './timestamps.ts'

const accountColumns = {
  status: { label: 'Status', kind: 'choice', names: { true: 'Blocked', false: 'Active' }, width: 110 },
  first_name: { label: 'First name', kind: 'text', width: 140 },
  last_name: { label: 'Last name', kind: 'text', width: 140 },
  ...timestampColumns,
} as const satisfies Columns

export const adminColumns = {
  login: { label: 'Login', kind: 'text', width: 220 },
  ...accountColumns,
} as const satisfies Columns

export const vendorColumns = {
  login: { label: 'Login', kind: 'text', width: 180 },
  company_name: { label: 'Company', kind: 'text', width: 200 },
  ...accountColumns,
  company_address: { label: 'Address', kind: 'text', width: 240 },
  description: { label: 'Description', kind: 'text', width: 260 },
} as const satisfies Columns

export const userColumns = {
  email: { label: 'Email', kind: 'text', path: 'login', width: 240 },
  email_confirmed: { label: 'Email confirmed', kind: 'flag', width: 140 },
  ...accountColumns,
} as const satisfies Columns
