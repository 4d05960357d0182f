/** The definitions of all lists: nouns, route, endpoint and columns. */
import { adminColumns, userColumns, vendorColumns } from '../columns/accounts.ts'
import { auditColumns } from '../columns/audit.ts'
import type { Column, Columns } from '../columns/column.ts'
import { deviceColumns } from '../columns/devices.ts'
import { cartridgeTypeColumns, filtrationSystemColumns, groupColumns } from '../columns/filtration.ts'
import { findingColumns } from '../columns/findings.ts'
import { modelColumns } from '../columns/models.ts'
import { serverColumns } from '../columns/servers.ts'
import { deviceRoles } from '../roles.ts'
import type { Route } from './route.ts'

export interface ListDefinition {
  /** What a row is called, in singular and plural. */
  readonly nouns: readonly [one: string, many: string]
  readonly route: Route
  /** The path of its endpoint, and the column that is searched by default. */
  readonly endpoint: { readonly path: `/api/${string}`; readonly search: string }
  /** In the order in which a screen shows them, from left to right. */
  readonly columns: Columns
}

export const listDefinitions = {
  devices: {
    nouns: ['device', 'devices'],
    route: { path: '/devices', title: 'Devices', roles: deviceRoles, section: 'Fleet', keys: 'g d', icon: 'device' },
    endpoint: { path: '/api/v3/devices', search: 'bssid' },
    columns: deviceColumns,
  },
  models: {
    nouns: ['device model', 'device models'],
    route: {
      path: '/devices/models',
      title: 'Device models',
      roles: deviceRoles,
      section: 'Fleet',
      keys: 'g m',
      icon: 'model',
    },
    endpoint: { path: '/api/v3/devices/models', search: 'name' },
    columns: modelColumns,
  },
  // The specification gives these three titles as they are.
  filtrationSystems: {
    nouns: ['filtration system', 'filtration systems'],
    route: {
      path: '/filtration-systems',
      title: 'Filtration Systems',
      roles: ['admin'],
      section: 'Filtration',
      keys: 'g f',
      icon: 'system',
    },
    endpoint: { path: '/api/v3/filtration-systems', search: 'model' },
    columns: filtrationSystemColumns,
  },
  groups: {
    nouns: ['group', 'groups'],
    route: {
      path: '/filtration-system-groups',
      title: 'Filtration System Groups',
      roles: ['admin'],
      section: 'Filtration',
      keys: 'g r',
      icon: 'group',
    },
    endpoint: { path: '/api/v4/filtration-system-groups', search: 'name' },
    columns: groupColumns,
  },
  cartridgeTypes: {
    nouns: ['cartridge type', 'cartridge types'],
    route: {
      path: '/cartridge-types',
      title: 'Cartridge Types',
      roles: ['admin'],
      section: 'Filtration',
      keys: 'g t',
      icon: 'cartridge',
    },
    endpoint: { path: '/api/v3/cartridge-types', search: 'model' },
    columns: cartridgeTypeColumns,
  },
  admins: {
    nouns: ['admin', 'admins'],
    route: { path: '/admins', title: 'Admins', roles: ['superadmin'], section: 'People', keys: 'g a', icon: 'admins' },
    endpoint: { path: '/api/v3/admins', search: 'login' },
    columns: adminColumns,
  },
  vendors: {
    nouns: ['vendor', 'vendors'],
    route: { path: '/vendors', title: 'Vendors', roles: ['admin'], section: 'People', keys: 'g v', icon: 'vendor' },
    endpoint: { path: '/api/v3/vendors', search: 'login' },
    columns: vendorColumns,
  },
  users: {
    nouns: ['user', 'users'],
    route: { path: '/users', title: 'Users', roles: ['admin'], section: 'People', keys: 'g u', icon: 'users' },
    endpoint: { path: '/api/v3/users', search: 'email' },
    columns: userColumns,
  },
  // The specification's navigation lacks the lists below, so they are in sections of their own.
  findings: {
    nouns: ['finding', 'findings'],
    route: {
      path: '/findings',
      title: 'Findings',
      roles: deviceRoles,
      section: 'Health',
      keys: 'g i',
      keywords: ['health', 'faults', 'diagnosis', 'causes', 'fouling', 'scaling'],
      icon: 'finding',
    },
    endpoint: { path: '/api/v3/health/findings', search: 'bssid' },
    columns: findingColumns,
  },
  audit: {
    nouns: ['entry', 'entries'],
    route: {
      path: '/history',
      title: 'History',
      roles: ['admin'],
      section: 'Activity',
      keys: 'g h',
      keywords: ['audit', 'log', 'changes', 'who did what'],
      icon: 'history',
    },
    endpoint: { path: '/api/v3/audit', search: 'action' },
    columns: auditColumns,
  },
  servers: {
    nouns: ['server', 'servers'],
    route: {
      path: '/servers',
      title: 'Servers',
      roles: ['superadmin'],
      section: 'Activity',
      keys: 'g w',
      keywords: ['processes', 'load'],
      icon: 'server',
    },
    endpoint: { path: '/api/v3/servers', search: 'name' },
    columns: serverColumns,
  },
} as const satisfies Readonly<Record<string, ListDefinition>>

type ListId = keyof typeof listDefinitions

export const nounsOf = (list: ListId): ListDefinition['nouns'] => listDefinitions[list].nouns
export const listColumns = (list: ListId): Columns => listDefinitions[list].columns
export const columnOf = (list: ListId, column: string): Column | undefined => listColumns(list)[column]
/** Returns a column's label, or its id if the column no longer exists. */
export const columnLabel = (list: ListId, column: string): string => columnOf(list, column)?.label ?? column
