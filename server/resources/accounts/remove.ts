/** Deletes accounts in bulk. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BulkResponse } from '../../../src/api/contract/endpoint.ts'
import type { AccountRole } from '../../../src/domain/roles.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { accountNames } from '../../auth/accounts.ts'

/**
 * Deletes accounts without dependent rows, with their sessions, and returns the outcome of each. A preview changes
 * nothing.
 */
export async function deleteAccounts(
  db: Database,
  role: AccountRole,
  ids: readonly string[],
  preview = false,
): Promise<BulkResponse> {
  const outcomes = await db.transaction(async tx => {
    // Locked, so that no new rows can refer to them before they are deleted.
    const rows = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.role, role), anyOf(accounts.id, ids)))
      .orderBy(accounts.id)
      .for('update')
    const existing = rows.map(({ id }) => id)
    const reasons = await deletionBlockers(tx, existing)
    const deletable = existing.filter(id => !reasons.has(id))
    if (deletable.length > 0 && !preview) await tx.delete(accounts).where(inArray(accounts.id, deletable))
    return new Map(existing.map(id => [id, reasons.get(id)]))
  })
  return bulkResponse(accountNames[role], ids, outcomes)
}

/** Numbers of dependent rows; `offers` counts models of other owners that would no longer be offered to any vendor. */
type DependentCounts = Readonly<Record<'devices' | 'models' | 'systems' | 'offers', number>>

/** Returns why accounts cannot be deleted, by id; deletable accounts are absent. */
async function deletionBlockers(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.execute<DependentCounts & { readonly id: string }>(sql`
    select input.id,
      (select count(*) from ${devices} d where d.vendor_id = input.id)::int as devices,
      (select count(*) from ${deviceModels} m where m.owner_id = input.id)::int as models,
      (select count(*) from ${filtrationSystems} s where s.vendor_id = input.id)::int as systems,
      (select count(*) from ${deviceModelVendors} o join ${deviceModels} m on m.id = o.model_id
        where o.vendor_id = input.id and m.owner_id is distinct from input.id and not exists (
          select 1 from ${deviceModelVendors} other
          where other.model_id = o.model_id and other.vendor_id <> all(${sql.param(ids)}::text[])))::int as offers
    from unnest(${sql.param(ids)}::text[]) as input (id)`)
  return new Map(
    rows.flatMap(row => {
      const reason = blockedReason(row)
      return reason === '' ? [] : [[row.id, reason] as const]
    }),
  )
}

/** Returns for example `3 devices and 1 model belong to this vendor`; empty if there are no dependent rows. */
function blockedReason({ devices: deviceCount, models, systems, offers }: DependentCounts): string {
  const owned = [
    ...countText(deviceCount, 'device'),
    ...countText(models, 'model'),
    ...countText(systems, 'filtration system'),
  ]
  const verb = deviceCount + models + systems === 1 ? 'belongs' : 'belong'
  const belongText = owned.length === 0 ? [] : [`${conjunction.format(owned)} ${verb} to this vendor`]
  const offered = countText(offers, 'model').map(counted => `${counted} would no longer be offered to any vendor`)
  return [...belongText, ...offered].join('; ')
}

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const countText = (n: number, noun: string) => (n === 0 ? [] : [`${n} ${noun}${n === 1 ? '' : 's'}`])
