/** Sessions with short-lived access tokens and rotating refresh tokens. */
import { and, eq, gt, isNotNull, isNull, lt, lte, ne } from 'drizzle-orm'
import type { Tokens } from '../../src/api/contract/auth.ts'
import type { Role } from '../../src/domain/roles.ts'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { accounts } from '../db/schema/accounts.ts'
import { accessTokens, refreshTokens, sessions } from '../db/schema/sessions.ts'
import { revokeApiKeys } from './apiKeys.ts'
import { hasDashboardAccess, vendorOfAccount, type FoundCaller } from './callers.ts'
import { rememberNetwork } from './networks.ts'
import { secondFactorExists } from './secondFactors.ts'
import { revokeTickets } from './tickets.ts'
import { hashToken, newToken } from './tokens.ts'
import { seal, unseal } from '../core/seal.ts'
import { msPerDay, msPerMinute } from '../../src/domain/time.ts'

const accessTokenLifetime = 15 * msPerMinute
const refreshTokenLifetime = 30 * msPerDay
/** Milliseconds for which reuse of a refresh token returns the same tokens: the first response may have been lost. */
const reuseGrace = 10_000
const successorPurpose = 'refresh successor'

const addMilliseconds = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** The longest `User-Agent` header that is stored. */
const maxUserAgent = 400
/** Milliseconds: how exact the time is at which a session was last seen, so that not every call writes. */
const seenPrecision = msPerMinute

/** The program that uses a session, and where. */
export interface Client {
  readonly address: string
  /** The `User-Agent` header; empty if there is none. */
  readonly userAgent: string
}

const clientColumns = ({ address, userAgent }: Client, now: Date) => ({
  address,
  user_agent: userAgent.slice(0, maxUserAgent).toWellFormed(),
  seen_at: now,
})

interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
}

/** Starts a session for an authenticated account and returns its tokens. */
export async function startSession(
  db: Database,
  account: { id: string; role: Role },
  now: Date,
  client: Client = { address: '', userAgent: '' },
): Promise<Tokens> {
  const tokens = await db.transaction(async tx => {
    const session = newId()
    await tx.insert(sessions).values({
      id: session,
      account_id: account.id,
      created_at: now,
      expires_at: addMilliseconds(now, refreshTokenLifetime),
      ...clientColumns(client, now),
    })
    if (client.address !== '') await rememberNetwork(tx, account.id, client.address, now)
    return issueTokens(tx, session, now)
  })
  await deleteExpired(db, now)
  return { ...tokens, user_id: account.id, user_role: account.role }
}

/** Issues new tokens for a session. */
async function issueTokens(db: Database, session: string, now: Date): Promise<TokenPair> {
  const pair = { access_token: newToken(), refresh_token: newToken() }
  await db.insert(accessTokens).values({
    hash: hashToken(pair.access_token),
    session_id: session,
    expires_at: addMilliseconds(now, accessTokenLifetime),
  })
  await db.insert(refreshTokens).values({
    hash: hashToken(pair.refresh_token),
    session_id: session,
    expires_at: addMilliseconds(now, refreshTokenLifetime),
  })
  return pair
}

/** Returns the caller of an access token; `undefined` if the token is invalid or the account has no access. */
export async function findCaller(db: Database, accessToken: string, now: Date): Promise<FoundCaller | undefined> {
  const [row] = await db
    .select({
      account: accounts.id,
      login: accounts.login,
      role: accounts.role,
      session: sessions.id,
      seen: sessions.seen_at,
      hasSecondFactor: secondFactorExists(accounts.id),
    })
    .from(accessTokens)
    .innerJoin(sessions, eq(sessions.id, accessTokens.session_id))
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .where(
      and(eq(accessTokens.hash, hashToken(accessToken)), gt(accessTokens.expires_at, now), eq(accounts.blocked, false)),
    )
  if (!row) return undefined
  const { role, seen, ...caller } = row
  if (!hasDashboardAccess(role)) return undefined
  const isSeenOutdated = seen <= addMilliseconds(now, -seenPrecision)
  return { ...caller, role, vendor: vendorOfAccount({ ...caller, role }), isSeenOutdated }
}

/** Stores when and from where a session was last seen, unless another call just did. */
export async function storeSeen(db: Database, session: string, now: Date, client: Client): Promise<void> {
  const outdatedSeen = lte(sessions.seen_at, addMilliseconds(now, -seenPrecision))
  await db
    .update(sessions)
    .set(clientColumns(client, now))
    .where(and(eq(sessions.id, session), outdatedSeen))
}

/** The outcome of an exchange: new tokens, or the account whose session ended by it, if there was one. */
interface Exchange {
  readonly tokens?: Tokens
  readonly ended?: string | undefined
}

interface ExchangeOptions {
  readonly client: Client
  /** The roles whose accounts may only be used with a second factor. */
  readonly secondFactorRoles: readonly Role[]
}

/**
 * Exchanges a refresh token for new tokens. There are none if it is unknown or expired, or the account is blocked or
 * lacks a second factor that it needs. Reuse after the grace period indicates a stolen token and ends the whole session.
 */
export async function refreshSession(
  db: Database,
  refreshToken: string,
  now: Date,
  { client, secondFactorRoles }: ExchangeOptions,
): Promise<Exchange> {
  const hash = hashToken(refreshToken)
  const exchange = await db.transaction(async (tx): Promise<Exchange> => {
    // The row lock makes a concurrent exchange of the same token wait here and then find it rotated.
    const [rotated] = await tx
      .update(refreshTokens)
      .set({ rotated_at: now })
      .where(and(eq(refreshTokens.hash, hash), isNull(refreshTokens.rotated_at), gt(refreshTokens.expires_at, now)))
      .returning({ session: refreshTokens.session_id })
    if (!rotated) return handleReuse(tx, refreshToken, now, secondFactorRoles)
    const account = await sessionAccount(tx, rotated.session, secondFactorRoles)
    if (!account) return { ended: await endSession(tx, rotated.session) }
    const next = await issueTokens(tx, rotated.session, now)
    await tx
      .update(refreshTokens)
      .set({ successor: seal(JSON.stringify(next), refreshToken, successorPurpose) })
      .where(eq(refreshTokens.hash, hash))
    await tx
      .update(sessions)
      .set({ expires_at: addMilliseconds(now, refreshTokenLifetime), ...clientColumns(client, now) })
      .where(eq(sessions.id, rotated.session))
    return { tokens: { ...next, ...account } }
  })
  await deleteExpired(db, now)
  return exchange
}

/** Handles a token that was already exchanged: returns its successor within the grace period, then ends the session. */
async function handleReuse(
  db: Database,
  refreshToken: string,
  now: Date,
  secondFactorRoles: readonly Role[],
): Promise<Exchange> {
  const [used] = await db
    .select()
    .from(refreshTokens)
    .where(and(eq(refreshTokens.hash, hashToken(refreshToken)), isNotNull(refreshTokens.rotated_at)))
  if (!used?.rotated_at) return {}
  const isWithinGrace = now.getTime() - used.rotated_at.getTime() <= reuseGrace
  const account =
    isWithinGrace && used.successor !== null ? await sessionAccount(db, used.session_id, secondFactorRoles) : undefined
  if (!account || used.successor === null) return { ended: await endSession(db, used.session_id) }
  const pair = JSON.parse(unseal(used.successor, refreshToken, successorPurpose)) as TokenPair
  return { tokens: { ...pair, ...account } }
}

/** Returns the session's account for the response; `undefined` if it may no longer sign in. */
async function sessionAccount(db: Database, session: string, secondFactorRoles: readonly Role[]) {
  const [account] = await db
    .select({ user_id: accounts.id, user_role: accounts.role, hasSecondFactor: secondFactorExists(accounts.id) })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.account_id))
    .where(and(eq(sessions.id, session), eq(accounts.blocked, false)))
  if (!account || !hasDashboardAccess(account.user_role)) return undefined
  const { user_id, user_role, hasSecondFactor } = account
  return !hasSecondFactor && secondFactorRoles.includes(user_role) ? undefined : { user_id, user_role }
}

/** Deletes a session with all its tokens, and returns its account. The caller publishes `accessEnded` once it is stored. */
export async function endSession(db: Database, session: string): Promise<string | undefined> {
  const [ended] = await db.delete(sessions).where(eq(sessions.id, session)).returning({ account: sessions.account_id })
  return ended?.account
}

/**
 * Deletes the sessions of accounts, except `exceptSession`, their API keys, and sign-ins that wait for a second factor. The
 * caller publishes `accessEnded` once it is stored.
 */
export async function endSessions(db: Database, accountIds: readonly string[], exceptSession?: string): Promise<void> {
  const belongsToAccounts = anyOf(sessions.account_id, accountIds)
  await db
    .delete(sessions)
    .where(and(belongsToAccounts, exceptSession === undefined ? undefined : ne(sessions.id, exceptSession)))
  await revokeApiKeys(db, accountIds)
  await revokeTickets(db, accountIds)
}

/** Deletes expired tokens and sessions. Every condition is indexed, so this is cheap if nothing has expired. */
async function deleteExpired(db: Database, now: Date): Promise<void> {
  await db
    .update(refreshTokens)
    .set({ successor: null })
    .where(and(isNotNull(refreshTokens.successor), lt(refreshTokens.rotated_at, addMilliseconds(now, -reuseGrace))))
  await db.delete(accessTokens).where(lt(accessTokens.expires_at, now))
  await db.delete(refreshTokens).where(lt(refreshTokens.expires_at, now))
  await db.delete(sessions).where(lt(sessions.expires_at, now))
}
