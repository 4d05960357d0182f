/** Endpoints for the sessions of the caller's own account. */
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import { ownSessions } from '../../src/api/contract/ownSessions.ts'
import { notFound } from '../core/errors.ts'
import { sessions } from '../db/schema/sessions.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { deviceName } from './deviceName.ts'

export const ownSessionHandlers: readonly Handler[] = [
  handler(ownSessions.list, async ({ caller, services: { db, now } }) => {
    const isOwn = and(eq(sessions.account_id, caller.account), gt(sessions.expires_at, now()))
    const rows = await db.select().from(sessions).where(isOwn).orderBy(desc(sessions.seen_at), desc(sessions.id))
    const own = rows.map(({ id, user_agent, address, created_at, seen_at }) => ({
      _id: id,
      device: deviceName(user_agent),
      address,
      created_at: created_at.toISOString(),
      seen_at: seen_at.toISOString(),
      current: id === caller.session,
    }))
    return { sessions: own.toSorted((one, other) => Number(other.current) - Number(one.current)) }
  }),

  handler(ownSessions.end, async ({ params, caller, services: { db, bus } }) => {
    const isOwn = and(eq(sessions.id, params.id), eq(sessions.account_id, caller.account))
    const ended = await db.delete(sessions).where(isOwn).returning({ id: sessions.id })
    if (ended.length === 0) throw notFound('Session')
    bus.publish({ kind: 'access', accounts: [caller.account] })
    return {}
  }),

  handler(ownSessions.endOthers, async ({ caller, services: { db, bus } }) => {
    const isOther = and(eq(sessions.account_id, caller.account), ne(sessions.id, caller.session))
    const ended = await db.delete(sessions).where(isOther).returning({ id: sessions.id })
    bus.publish({ kind: 'access', accounts: [caller.account] })
    return { count: ended.length }
  }),
]
