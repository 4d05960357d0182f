/** Validates times in requests. */
import { badRequest } from '../../core/errors.ts'

/**
 * Parses an ISO 8601 time. Throws a 400 if its UTC year is not within `first` to `last`; PostgreSQL formats other
 * years differently.
 */
export function parseTime(attribute: string, text: string, first = 1, last = 9999): Date {
  const time = new Date(text)
  const year = time.getUTCFullYear()
  if (!(year >= first && year <= last)) throw badRequest(`${attribute} must be in the years ${first} to ${last}`)
  return time
}
