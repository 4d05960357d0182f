/** Endpoints for the sessions of the caller's own account. */
import { and, desc, eq, gt, ne, type SQL } from 'drizzle-orm'
import { ownSessions } from '../../src/api/contract/ownSessions.ts'
import { notFound } from '../core/errors.ts'
import { sessions } from '../db/schema/sessions.ts'
import { handler, type Caller, type Handler, type Services } from '../endpoints/handler.ts'
import { deviceName } from './deviceName.ts'

const activeSessions = (account: string, now: Date) =>
  and(eq(sessions.account_id, account), gt(sessions.expires_at, now))

export const ownSessionHandlers: readonly Handler[] = [
  handler(ownSessions.list, async ({ caller, services: { db, now } }) => {
    const active = activeSessions(caller.account, now())
    const rows = await db.select().from(sessions).where(active).orderBy(desc(sessions.seen_at), desc(sessions.id))
    const own = rows.map(({ id, user_agent, address, created_at, seen_at }) => ({
      _id: id,
      device: deviceName(user_agent),
      address,
      created_at: created_at.toISOString(),
      seen_at: seen_at.toISOString(),
      current: id === caller.session,
    }))
    return { sessions: [...own.filter(({ current }) => current), ...own.filter(({ current }) => !current)] }
  }),

  handler(ownSessions.end, async ({ params, caller, services }) => {
    if ((await endOwnSessions(services, caller, eq(sessions.id, params.id))) === 0) throw notFound('Session')
    return {}
  }),

  handler(ownSessions.endOthers, async ({ caller, services }) => ({
    count: await endOwnSessions(services, caller, ne(sessions.id, caller.session)),
  })),
]

/**
 * Ends those sessions of the caller that match a condition, and returns how many. The event names only the account: each of its
 * live streams is checked again, and those of ended sessions are closed.
 */
async function endOwnSessions({ db, bus, now }: Services, { account }: Caller, condition: SQL): Promise<number> {
  const ended = await db
    .delete(sessions)
    .where(and(activeSessions(account, now()), condition))
    .returning({ id: sessions.id })
  if (ended.length > 0) bus.publish({ kind: 'accessEnded', accounts: [account] })
  return ended.length
}
