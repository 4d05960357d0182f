/** The routes of all screens that require a session (specification, section 2). */
import { normaliseBssid } from '../bssid.ts'
import { listDefinitions } from './lists.ts'
import { deviceRoles, roles, type Role } from '../roles.ts'
import type { Route, Section } from './route.ts'

type Lists = typeof listDefinitions
type ListsIn<S extends Section> = {
  readonly [List in keyof Lists as Lists[List]['route']['section'] extends S ? List : never]: Lists[List]['route']
}
/** Returns the routes of the lists in a section, in their order. */
const listsIn = <S extends Section>(section: S) =>
  Object.fromEntries(
    Object.entries(listDefinitions).flatMap(([list, { route }]) => (route.section === section ? [[list, route]] : [])),
  ) as ListsIn<S>

/** In the order of the navigation: in a section, the lists come after the other screens. */
export const routes = {
  ...listsIn('Fleet'),
  ...listsIn('Filtration'),
  ...listsIn('People'),
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
  ...listsIn('Insight'),
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
  ...listsIn('Health'),
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
  ...listsIn('Activity'),
  profile: {
    path: '/profile',
    title: 'Profile',
    roles,
    keys: 'g p',
    keywords: ['account', 'password', 'sessions', 'security'],
    icon: 'profile',
  },
} as const satisfies Readonly<Record<string, Route> & Record<keyof Lists, Route>>

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
