import useSWR from 'swr'
import type { Role } from '../domain/roles.ts'
import { call } from './client.ts'
import { admins, vendors } from './contract/accounts.ts'
import type { Key } from './hooks.ts'

/** Reads the signed-in administrator's or vendor's profile; superadmins have none. */
export const useProfile = (role: Role | undefined) => {
  const endpoint = role === 'admin' ? admins.profile : role === 'vendor' ? vendors.profile : undefined
  return useSWR(endpoint ? ([endpoint.path, null] satisfies Key) : null, () => endpoint && call(endpoint))
}
