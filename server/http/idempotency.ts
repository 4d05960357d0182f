/**
 * Idempotency keys: a change that is sent again with the same key is done once, and gets the response of the first call.
 *
 * The first call stores its key before it does anything, and its response after. If its server dies in between, nobody
 * knows what was done, so later calls with the key are refused rather than run.
 */
import { createHash, createHmac } from 'node:crypto'
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { seal, unseal } from '../core/seal.ts'
import { badRequest, conflict, HttpError } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import { idempotencyKeys } from '../db/schema/idempotencyKeys.ts'
import { msPerHour, msPerMinute, msPerSecond } from '../../src/domain/time.ts'

/** Milliseconds for which keys and responses are stored. */
const retention = 24 * msPerHour
/** Milliseconds for which a call counts as running after its server last said so, and between two such renewals. */
const lease = msPerMinute
const renewal = 20 * msPerSecond
/** Seconds after which a client may ask again for the response of a call that is still running. */
const retryAfter = 2
/** Rows per delete statement. */
const pruneBatchSize = 1_000

/** Statuses that a handler throws before it has done anything, and that may pass: the key stays unused. */
const passingStatuses = [429, 503, 507]

const keyPattern = /^[\x20-\x7e]{1,255}$/
const invalidKey = badRequest('The Idempotency-Key must be 1 to 255 printable characters')
const otherCall = new HttpError(
  422,
  'This Idempotency-Key was used for another call or other values. Send each change with a key of its own',
)
const running = new HttpError(409, 'The first call with this Idempotency-Key is still running', {
  'retry-after': String(retryAfter),
})
const interrupted = conflict(
  'This call was interrupted the first time, so it is unknown what it has done. ' +
    'Check the result, and send what is missing with a new Idempotency-Key',
)

/** Returns the key in a request's header; `undefined` without the header. @throws HttpError 400 for an invalid key */
export function parseIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !keyPattern.test(header)) throw invalidKey
  return header
}

/** A call with a key. */
export interface KeyedCall {
  readonly account: string
  /** The vendor that an administrator's API key is limited to: the same call does something else with the key of another vendor. */
  readonly vendor: string | undefined
  readonly key: string
  /** What the call does: endpoint and validated values. Calls with the same key must have equal ones. */
  readonly content: unknown
}

/** The response of a call: a status and the body. */
export interface CallResponse {
  readonly status: number
  readonly body: unknown
}

export interface KeyedResult {
  /** Whether another call did the work, and this one only has its response. */
  readonly isReplayed: boolean
  readonly response: CallResponse
}

interface Options {
  readonly db: Database
  readonly now: () => Date
  /** Logs that the outcome of a call could not be stored; the call succeeds nevertheless. */
  readonly onError: (error: unknown) => void
}

/**
 * Runs `work`, which returns the body of a successful response, unless a call with the same key and account has run in the
 * last 24 hours; then returns its response. Rejects with the errors of `work`. Throws a 422 if the key was used for
 * another call, and a 409 if that call is still running, or was interrupted.
 */
export async function runOnce(call: KeyedCall, work: () => Promise<unknown>, options: Options): Promise<KeyedResult> {
  const { db, now } = options
  const owner = call.vendor === undefined ? call.account : `${call.account}\0${call.vendor}`
  const secret = `idempotency\0${owner}\0${call.key}`
  const id = createHash('sha256').update(secret).digest('base64url')
  const fingerprint = createHmac('sha256', secret).update(JSON.stringify(call.content)).digest('base64url')
  const earlier = await claim(db, { id, fingerprint }, now())
  if (earlier) return { isReplayed: true, response: responseOf(earlier, secret) }

  const store = (change: Promise<unknown>) => change.then(() => undefined, options.onError)
  const ownKey = and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.status))
  const renew = () =>
    store(
      db
        .update(idempotencyKeys)
        .set({ lease_until: new Date(now().getTime() + lease) })
        .where(ownKey),
    )
  let renewed = Promise.resolve()
  const renewing = setInterval(() => {
    renewed = renew()
  }, renewal)
  const stopRenewing = () => {
    clearInterval(renewing)
    return renewed
  }
  const settle = ({ status, body }: CallResponse) =>
    store(
      db
        .update(idempotencyKeys)
        .set({ status, response: seal(JSON.stringify(body), secret, 'responses'), lease_until: null })
        .where(ownKey),
    )
  let body: unknown
  try {
    body = await work()
  } catch (error) {
    await stopRenewing()
    if (!(error instanceof HttpError)) await store(db.update(idempotencyKeys).set({ lease_until: null }).where(ownKey))
    else if (passingStatuses.includes(error.status)) await store(db.delete(idempotencyKeys).where(ownKey))
    else await settle({ status: error.status, body: { message: error.messages } })
    throw error
  }
  await stopRenewing()
  const response = { status: 200, body }
  await settle(response)
  return { isReplayed: false, response }
}

type Row = typeof idempotencyKeys.$inferSelect
type Identity = Pick<Row, 'id' | 'fingerprint'>

/** Stores the key of a first call; returns the row of an earlier call if there is one. @throws HttpError 422, 409 */
async function claim(db: Database, { id, fingerprint }: Identity, now: Date): Promise<Row | undefined> {
  const values = { fingerprint, created_at: now, lease_until: new Date(now.getTime() + lease) }
  const claimed = await db
    .insert(idempotencyKeys)
    .values({ id, ...values })
    .onConflictDoUpdate({
      target: idempotencyKeys.id,
      set: { ...values, status: null, response: null },
      setWhere: lt(idempotencyKeys.created_at, new Date(now.getTime() - retention)),
    })
    .returning({ id: idempotencyKeys.id })
  if (claimed.length > 0) return undefined
  const [row] = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.id, id))
  // The first call has just ended without using the key.
  if (!row) return claim(db, { id, fingerprint }, now)
  if (row.fingerprint !== fingerprint) throw otherCall
  if (row.status !== null) return row
  throw row.lease_until !== null && row.lease_until > now ? running : interrupted
}

const responseOf = ({ status, response }: Row, secret: string): CallResponse => ({
  status: status ?? 500,
  body: JSON.parse(unseal(response ?? '', secret, 'responses')) as unknown,
})

/** Deletes the keys that exceed their retention. */
export async function pruneIdempotencyKeys(db: Database, now: Date): Promise<void> {
  const old = db
    .select({ id: idempotencyKeys.id })
    .from(idempotencyKeys)
    .where(lt(idempotencyKeys.created_at, new Date(now.getTime() - retention)))
    .orderBy(idempotencyKeys.created_at)
    .limit(pruneBatchSize)
  for (let removedCount = pruneBatchSize; removedCount === pruneBatchSize;) {
    const removed = await db
      .delete(idempotencyKeys)
      .where(inArray(idempotencyKeys.id, old))
      .returning({ one: sql`1` })
    removedCount = removed.length
  }
}
