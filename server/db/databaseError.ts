/** The database cannot be opened; the message is a sentence for the operator and is logged without a stack trace. */
export class DatabaseError extends Error {}

/** Returns the message of the innermost cause; outer errors only quote the SQL. */
export function rootCause(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(rootCause).join('; ')
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootCause(error.cause)
}
