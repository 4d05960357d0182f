/** The screens that need a session: who may see them, what they are called, how keys get there (specification, section 2). */
import { normaliseBssid } from './bssid.ts'
import { deviceRoles, roles, type Role } from './roles.ts'

export interface Route {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
  /** Under which heading the side navigation lists it; not listed without. */
  readonly section?: 'first' | 'Filtration' | 'People' | 'Insight'
  readonly listedFor?: readonly Role[]
  /** Whom menus and palette show the way; without it, all who may be there. */
  readonly offeredTo?: readonly Role[]
  readonly subtitle?: string
  readonly keys?: string
  readonly keywords?: readonly string[]
  readonly icon:
    | 'device'
    | 'model'
    | 'system'
    | 'group'
    | 'cartridge'
    | 'vendor'
    | 'users'
    | 'calendar'
    | 'chart'
    | 'bell'
    | 'settings'
    | 'profile'
    | 'admins'
    | 'history'
    | 'jobs'
}

const admin = ['admin'] as const satisfies readonly Role[]

export const routes = {
  devices: { path: '/devices', title: 'Devices', roles: deviceRoles, section: 'first', keys: 'g d', icon: 'device' },
  models: {
    path: '/devices/models',
    title: 'Device models',
    roles: deviceRoles,
    section: 'first',
    keys: 'g m',
    icon: 'model',
  },
  filtrationSystems: {
    path: '/filtration-systems',
    title: 'Filtration Systems',
    roles: admin,
    section: 'Filtration',
    keys: 'g f',
    icon: 'system',
  },
  groups: {
    path: '/filtration-system-groups',
    title: 'Filtration System Groups',
    roles: admin,
    section: 'Filtration',
    keys: 'g r',
    icon: 'group',
  },
  cartridgeTypes: {
    path: '/cartridge-types',
    title: 'Cartridge Types',
    roles: admin,
    section: 'Filtration',
    keys: 'g t',
    icon: 'cartridge',
  },
  admins: { path: '/admins', title: 'Admins', roles: ['superadmin'], section: 'People', keys: 'g a', icon: 'admins' },
  vendors: { path: '/vendors', title: 'Vendors', roles: admin, section: 'People', keys: 'g v', icon: 'vendor' },
  users: { path: '/users', title: 'Users', roles: admin, section: 'People', keys: 'g u', icon: 'users' },
  calendar: {
    path: '/calendar',
    title: 'Calendar',
    roles: deviceRoles,
    section: 'Insight',
    listedFor: admin,
    subtitle: 'Upcoming events',
    keys: 'g e',
    keywords: ['events'],
    icon: 'calendar',
  },
  charts: {
    path: '/charts',
    title: 'Charts',
    roles: deviceRoles,
    section: 'Insight',
    subtitle: 'Device statistics',
    keys: 'g c',
    icon: 'chart',
  },
  notifications: {
    path: '/notifications',
    title: 'Notifications',
    roles: deviceRoles,
    section: 'Insight',
    keys: 'g n',
    icon: 'bell',
  },
  settings: {
    path: '/settings',
    title: 'Settings',
    roles: deviceRoles,
    keys: 'g s',
    keywords: ['units'],
    icon: 'settings',
  },
  // Not in the specification's navigation: reached from the palette.
  audit: {
    path: '/history',
    title: 'History',
    roles: admin,
    keys: 'g h',
    keywords: ['audit', 'log', 'changes', 'who did what'],
    icon: 'history',
  },
  // Nor this, which whoever gives commands has.
  jobs: {
    path: '/jobs',
    title: 'Jobs',
    roles,
    keys: 'g j',
    keywords: ['runs', 'progress', 'outcomes', 'bulk', 'retry', 'cancel'],
    icon: 'jobs',
  },
  // Superadmins may open it by address, but nothing offers it to them.
  profile: {
    path: '/profile',
    title: 'Profile',
    roles,
    offeredTo: deviceRoles,
    keys: 'g p',
    keywords: ['account', 'password'],
    icon: 'profile',
  },
} as const satisfies Record<string, Route>

export type RouteId = keyof typeof routes

/** A screen: one of the routes, or that of a single device. */
export type Place = RouteId | 'device'
const places = new Map<string, Place>(Object.entries(routes).map(([id, { path }]) => [path, id as RouteId]))
/** Which screen is at a path; undefined for those that need no session. */
export const placeOf = (path: string): Place | undefined =>
  places.get(path) ?? (/^\/devices\/[^/]+$/.test(path) ? 'device' : undefined)

/** The bssid of the device whose screen is at a path; undefined elsewhere. Of a malformed path, what stands there. */
export function deviceIn(path: string): string | undefined {
  if (placeOf(path) !== 'device') return undefined
  const id = path.slice(path.lastIndexOf('/') + 1)
  try {
    return normaliseBssid(decodeURIComponent(id))
  } catch {
    return id
  }
}

/** Where a signed-in person lands, and is sent back to from where the role may not be. */
export const homeOf = (role: Role): string => (role === 'superadmin' ? routes.admins.path : routes.devices.path)
