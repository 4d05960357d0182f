/** The routes of all screens that require a session (specification, section 2). */
import { normaliseBssid } from '../bssid.ts'
import { listDefinitions } from './lists.ts'
import { deviceRoles, roles, type Role } from '../roles.ts'
import type { Route } from './route.ts'

type Lists = typeof listDefinitions
// The navigation has the order of `routes`, in which these three lists come after other screens.
const { audit, findings, servers, ...listRoutes } = Object.fromEntries(
  Object.entries(listDefinitions).map(([list, { route }]) => [list, route]),
) as { readonly [List in keyof Lists]: Lists[List]['route'] }

export const routes = {
  ...listRoutes,
  calendar: {
    path: '/calendar',
    title: 'Calendar',
    roles: deviceRoles,
    section: 'Insight',
    // By the specification, vendors may open it and do not see it in the navigation.
    listedFor: ['admin'],
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
  // The specification's navigation lacks the screens from here on, so it shows them last, in sections of their own.
  overview: {
    path: '/overview',
    title: 'Overview',
    roles: deviceRoles,
    section: 'Health',
    keys: 'g o',
    keywords: ['health', 'dashboard', 'summary', 'how many', 'due', 'needs cleaning'],
    icon: 'overview',
  },
  findings,
  jobs: {
    path: '/jobs',
    title: 'Jobs',
    roles,
    section: 'Activity',
    keys: 'g j',
    keywords: ['runs', 'progress', 'outcomes', 'bulk', 'retry', 'cancel'],
    icon: 'jobs',
  },
  scripts: {
    path: '/scripts',
    title: 'Scripts',
    roles,
    section: 'Activity',
    keys: 'g x',
    keywords: ['macro', 'record', 'automation', 'replay'],
    icon: 'script',
  },
  audit,
  servers,
  profile: {
    path: '/profile',
    title: 'Profile',
    roles,
    keys: 'g p',
    keywords: ['account', 'password', 'sessions', 'security'],
    icon: 'profile',
  },
} as const satisfies Record<string, Route>

export type RouteId = keyof typeof routes

/** A screen: one of the routes, or the screen of a single device. */
export type ScreenId = RouteId | 'device'
const screenIds = new Map<string, ScreenId>(Object.entries(routes).map(([id, { path }]) => [path, id as RouteId]))
/** Returns the screen at a path; undefined for screens that require no session. */
export const screenAt = (path: string): ScreenId | undefined =>
  screenIds.get(path) ?? (/^\/devices\/[^/]+$/.test(path) ? 'device' : undefined)

/** Returns whether an account with this role may open the screen. */
export function mayOpen(role: Role, screen: ScreenId): boolean {
  const route: Route = routes[screen === 'device' ? 'devices' : screen]
  return route.roles.includes(role)
}

/** Returns the bssid in the path of a device screen, unchanged if it is malformed; undefined on other screens. */
export function bssidInPath(path: string): string | undefined {
  if (screenAt(path) !== 'device') return undefined
  const id = path.slice(path.lastIndexOf('/') + 1)
  try {
    return normaliseBssid(decodeURIComponent(id))
  } catch {
    return id
  }
}

/** Returns the path of a role's first screen, which opens after sign-in and in place of a screen that the role may not see. */
export const homePath = (role: Role): string => (role === 'superadmin' ? routes.admins.path : routes.devices.path)
