/** What a list query consists of, and where lists are read. Without schemas, so that the first rows can be requested early. */
import type { ListId } from './lists.ts'

export const operators = ['co', 'sw', 'ew', 'eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof operators)[number]
export const operatorNames: Record<Operator, string> = {
  co: 'contains',
  sw: 'starts with',
  ew: 'ends with',
  eq: 'equals',
  ne: 'is not',
  gt: 'greater than',
  ge: 'at least',
  lt: 'less than',
  le: 'at most',
}

export const defaultLimit = 20

/** The endpoint of each list, with the column that is searched by default. */
export const listPaths = {
  devices: { path: '/api/v3/devices', search: 'bssid' },
  models: { path: '/api/v3/devices/models', search: 'name' },
  filtrationSystems: { path: '/api/v3/filtration-systems', search: 'model' },
  groups: { path: '/api/v4/filtration-system-groups', search: 'name' },
  cartridgeTypes: { path: '/api/v3/cartridge-types', search: 'model' },
  admins: { path: '/api/v3/admins', search: 'login' },
  vendors: { path: '/api/v3/vendors', search: 'login' },
  users: { path: '/api/v3/users', search: 'email' },
  findings: { path: '/api/v3/health/findings', search: 'bssid' },
  audit: { path: '/api/v3/audit', search: 'action' },
  servers: { path: '/api/v3/servers', search: 'name' },
} as const satisfies Readonly<Record<ListId, { readonly path: `/api/${string}`; readonly search: string }>>

/** The endpoint of a device. */
export const devicePath = '/api/v3/devices/{bssid}'
