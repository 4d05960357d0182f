/** Signing out: apart from the other calls of `auth`, which the first screen does not need. */
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'

export const logout = endpoint({
  method: 'POST',
  path: '/api/v3/auth/logout',
  roles,
  summary: 'End this session.',
  response: Done,
})
