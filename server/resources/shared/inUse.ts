/** Finds the devices that use a row, before it is changed or deleted. */
import { and, count, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'

/** Returns the number of devices that refer to each of these ids by `reference`; unused ids are absent. */
export async function countUses(
  tx: Database,
  reference: PgColumn,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .select({ id: sql<string>`${reference}`, n: count() })
    .from(devices)
    .where(anyOf(reference, ids))
    .groupBy(reference)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** Returns for example `3 devices use this model`. */
export const usedByText = (n: number, noun: string) =>
  n === 1 ? `1 device uses this ${noun}` : `${n} devices use this ${noun}`

const conjunction = new Intl.ListFormat('en-GB')

/**
 * Returns for example `3 devices of Clearspring Oy use this filtration system`, for the devices that match `uses` and
 * `filter`; `undefined` if there are none.
 */
export async function usedByCompanies(
  tx: Database,
  uses: SQL,
  filter: SQL | undefined,
  noun: string,
): Promise<string | undefined> {
  const rows = await tx
    .select({ company: accounts.company_name, n: count() })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(and(uses, filter))
    .groupBy(accounts.id)
    .orderBy(accounts.company_name)
  if (rows.length === 0) return undefined
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  const parts = rows.map(({ company, n }) => `${n} ${n === 1 ? 'device' : 'devices'} of ${company}`)
  return `${conjunction.format(parts)} ${total === 1 ? 'uses' : 'use'} this ${noun}`
}
