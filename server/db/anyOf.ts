/** Conditions on many values. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/**
 * Returns the condition that a text column has one of the values. They are one parameter, an array, so that a statement has
 * the same text for any number of values and PostgreSQL keeps its plan.
 */
export const anyOf = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} = any(${sql.param(values)}::text[])`
