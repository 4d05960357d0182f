/** Moments that calls give. */
import { badRequest } from '../../core/errors.ts'

/**
 * The moment that was given for an attribute (ISO 8601). Throws a 400 where it is in none of these years of UTC;
 * PostgreSQL writes others in another way.
 */
export function parseTime(attribute: string, given: string, first = 1, last = 9999): Date {
  const time = new Date(given)
  const year = time.getUTCFullYear()
  if (!(year >= first && year <= last)) throw badRequest(`${attribute} must be in the years ${first} to ${last}`)
  return time
}
