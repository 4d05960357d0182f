import type { IconName } from '../iconName.ts'
import type { Role } from '../roles.ts'

/** The side navigation's sections, from top to bottom. */
export const sections = ['Fleet', 'Filtration', 'People', 'Insight', 'Health', 'Activity'] as const
export type Section = (typeof sections)[number]

/** A screen that requires a session: its path, title, roles and keys. */
export interface Route {
  readonly path: string
  readonly title: string
  readonly roles: readonly Role[]
  /** The side navigation's section that lists it; not listed without one. */
  readonly section?: Section
  /** The roles for which the side navigation lists it; `roles` by default. */
  readonly listedFor?: readonly Role[]
  readonly subtitle?: string
  readonly keys?: string
  readonly keywords?: readonly string[]
  readonly icon: IconName
}
