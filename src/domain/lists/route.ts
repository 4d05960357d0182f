import type { IconName } from '../iconName.ts'
import type { Role } from '../roles.ts'

/** A screen that requires a session: its path, title, roles and keys. */
export interface Route {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
  /** The side navigation's heading under which it is listed; not listed without one. */
  readonly section?: 'Fleet' | 'Filtration' | 'People' | 'Insight' | 'Health' | 'Activity'
  /** The roles for which the side navigation lists it; `roles` by default. */
  readonly listedFor?: readonly Role[]
  readonly subtitle?: string
  readonly keys?: string
  readonly keywords?: readonly string[]
  readonly icon: IconName
}
