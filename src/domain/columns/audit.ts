/** Columns of the audit log. */
import type { accountRoles } from '../roles.ts'
import type { Columns } from './column.ts'
import { typedKeys } from '../lib/typedKeys.ts'

/**
 * `partly`: done for some of the ids. `refused`: answered with a 4xx status. `failed`: failed for all ids, or a server
 * error. `started`: no outcome yet. `interrupted`: the server ended before there was one.
 */
const outcomeNames = {
  done: 'Done',
  partly: 'Partly done',
  refused: 'Refused',
  failed: 'Failed',
  started: 'Started',
  interrupted: 'Interrupted',
} as const
export const outcomes = typedKeys(outcomeNames)

const roleNames = {
  superadmin: 'Superadmin',
  admin: 'Admin',
  vendor: 'Vendor',
  user: 'User',
} as const satisfies Record<(typeof accountRoles)[number], string>

export const auditColumns = {
  at: { label: 'Time', kind: 'time', width: 180 },
  login: { label: 'Account', kind: 'text', width: 150 },
  role: { label: 'Role', kind: 'choice', names: roleNames, width: 100 },
  key: { label: 'API key', kind: 'text', width: 120 },
  action: { label: 'Action', kind: 'text', path: 'title', width: 250 },
  outcome: { label: 'Result', kind: 'choice', names: outcomeNames, width: 140 },
  message: { label: 'Message', kind: 'text', width: 300 },
  ids: { label: 'Targets', kind: 'text', width: 320 },
  address: { label: 'IP address', kind: 'text', width: 120 },
  call: { label: 'API call', kind: 'text', path: 'action', width: 320, hidden: true, searchable: false },
} as const satisfies Columns
