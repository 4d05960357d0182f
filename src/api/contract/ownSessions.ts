/** The sessions of the caller's own account, an addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'
import { ByIdPath, Id, Time } from './fields.ts'

export const OwnSession = z.object({
  _id: Id,
  /** The program and the device in words, such as `Firefox on Windows`. */
  device: z.string(),
  /** The network address from which it was last seen; empty if unknown. */
  address: z.string(),
  /** When the account signed in. */
  created_at: Time,
  /** When the session last made a call, to the minute. */
  seen_at: Time,
  /** Whether it is the session of this call. */
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const ownSessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v3/auth/sessions',
    roles,
    summary: 'The sessions of the caller’s account, this one first, then the last seen.',
    response: z.object({ sessions: z.array(OwnSession) }),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/v3/auth/sessions/{id}',
    roles,
    summary: 'End a session of the caller’s account.',
    params: ByIdPath,
    response: Done,
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/api/v3/auth/sessions',
    roles,
    summary: 'End all sessions of the caller’s account but this one.',
    response: z.object({
      /** The number of sessions that ended. */
      count: z.number(),
    }),
  }),
}
