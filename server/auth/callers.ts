/** The caller that a session or an API key belongs to. */
import { roles, type Role } from '../../src/domain/roles.ts'
import type { Caller } from '../endpoints/handler.ts'

export interface FoundCaller extends Caller {
  /** Whether the stored time at which the session or key was last seen is so old that it has to be stored again. */
  readonly isSeenOutdated: boolean
  readonly hasSecondFactor: boolean
}

/** Returns the vendor whose rows an account is limited to; null without a limit. */
export const vendorOfAccount = ({ account, role }: Pick<Caller, 'account' | 'role'>): string | null =>
  role === 'vendor' ? account : null

/** Returns whether accounts of a role may use the dashboard and its API. */
export const hasDashboardAccess = (role: string): role is Role => roles.some(each => each === role)
