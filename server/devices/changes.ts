/** Stores acknowledged changes of devices, batched and in order per device. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { withRetry } from '../db/retry.ts'
import { devices } from '../db/schema/devices.ts'
import { batched } from '../core/batches.ts'

export type Change = Partial<typeof devices.$inferInsert>

export interface Changes {
  /** Resolves once the change is stored. Later changes of a device overwrite earlier ones. */
  store(bssid: string, change: Change): Promise<void>
}

interface Acknowledged {
  readonly bssid: string
  readonly change: Change
}

/** Opens the store. All calls share one, so that changes are stored in the order of the acknowledgements. */
export function openChanges({ db, now }: { readonly db: Database; readonly now: () => Date }): Changes {
  const storeAll = async (change: Change, bssids: readonly string[]) => {
    // Other processes may lock the same rows in another order.
    await withRetry(() =>
      db
        .update(devices)
        .set({ ...change, updated_at: now() })
        .where(sql`${devices.bssid} = any(${sql.param(bssids)}::text[])`),
    )
  }
  const store = batched(async (acknowledged: readonly Acknowledged[]) => {
    for (const round of rounds(acknowledged))
      for (const [change, all] of Map.groupBy(round, one => one.change))
        await storeAll(
          change,
          all.map(({ bssid }) => bssid),
        )
    return acknowledged.map(() => undefined)
  })
  return { store: (bssid, change) => store({ bssid, change }) }
}

/** Splits changes into rounds in which each device occurs once, so that order only matters between rounds. */
function rounds(acknowledged: readonly Acknowledged[]): Acknowledged[][] {
  const seen = new Map<string, number>()
  const all: Acknowledged[][] = []
  for (const one of acknowledged) {
    const round = seen.get(one.bssid) ?? 0
    seen.set(one.bssid, round + 1)
    ;(all[round] ??= []).push(one)
  }
  return all
}
