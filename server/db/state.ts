/** Whether the database can be read and written at the moment. */
import { HttpError } from '../core/errors.ts'
import { sqlState } from './retry.ts'

export interface DatabaseState {
  /** Whether it does not answer. */
  readonly isUnreachable: boolean
  /** Whether its disk has less space than the reserve, so that it is only read; always false for a database on another machine. */
  readonly isFull: boolean
  /** Whether there is so little space that not even signing in can be stored. */
  readonly isAlmostEmpty: boolean
}

/** The state of a database that is not watched. */
export const alwaysThere: DatabaseState = { isUnreachable: false, isFull: false, isAlmostEmpty: false }

/** A query that was not sent, because the database does not answer. */
export class DatabaseUnreachable extends Error {}

const retryAfter = { 'retry-after': '5' }
export const unavailable = new HttpError(503, 'The database is not available, please try again later', retryAfter)
export const diskFull = new HttpError(
  507,
  'The disk of the server is full: nothing can be changed until there is space',
  retryAfter,
)
const tookTooLong = new HttpError(503, 'This took too long, please try again later or ask for less', retryAfter)

/** Codes of errors of connections, by Node and by PostgreSQL. */
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
const connectionStates = /^(08...|57P0[1-5]|53300)$/
/** Messages of `pg` and `pg-pool`, whose errors have no code. */
const connectionMessages =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout)/

/** Returns the error for the client if a query failed because of the database's state; otherwise `undefined`. */
export function databaseFailure(error: unknown): HttpError | undefined {
  const state = sqlState(error)
  // `disk_full`, and `query_canceled` by the statement time-out.
  if (state === '53100') return diskFull
  if (state === '57014') return tookTooLong
  if (state !== undefined) return connectionStates.test(state) ? unavailable : undefined
  return isConnectionError(error) ? unavailable : undefined
}

/** Returns whether a query failed because the database could not be reached, or has no space. */
export function isUnavailable(error: unknown): boolean {
  const failure = databaseFailure(error)
  return failure === unavailable || failure === diskFull
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnreachable || connectionMessages.test(error.message)) return true
  const isCoded = 'code' in error && typeof error.code === 'string' && connectionErrors.has(error.code)
  // Files have the same codes.
  if (isCoded && 'syscall' in error && ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall)))
    return true
  return isConnectionError(error.cause)
}
