/** The state of the account's second factor, which several sections of the profile show. */
import useSWR from 'swr'
import { call } from '../../api/client.ts'
import { secondFactor } from '../../api/contract/secondFactor.ts'
import type { Key } from '../../api/hooks.ts'

export const useSecondFactor = () =>
  useSWR([secondFactor.status.path, null] satisfies Key, () => call(secondFactor.status))

/**
 * Returns the fields that the form of a command with `accountProof` leaves out: the code, if there is no second factor. If that
 * cannot be read, nothing is left out.
 */
export function useUnneededProof(): readonly string[] {
  const { data, error } = useSecondFactor()
  return data?.enabled || error !== undefined ? [] : ['code']
}
