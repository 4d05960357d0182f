import type { Role } from '../roles.ts'

/** A screen that needs a session: who may see it, what it is called, how keys get there. */
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
