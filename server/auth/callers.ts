/** What sessions and API keys have in common: the caller that is found by them. */
import { roles, type Role } from '../../src/domain/roles.ts'
import type { Caller } from '../endpoints/handler.ts'

export interface FoundCaller extends Caller {
  /** Whether session or key was last seen so long ago that it should be stored. */
  readonly isSeenOutdated: boolean
  readonly hasSecondFactor: boolean
}

/** Returns the vendor whose rows an account is limited to; null without a limit. */
export const vendorOfAccount = ({ account, role }: Pick<Caller, 'account' | 'role'>): string | null =>
  role === 'vendor' ? account : null

/** Returns whether accounts of a role may use the dashboard and its API. */
export const hasDashboardAccess = (role: string): role is Role => roles.some(each => each === role)
