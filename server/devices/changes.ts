/** Stores acknowledged changes of devices, batched and in order per device. */
import { anyOf } from '../db/anyOf.ts'
import type { Serving } from '../db/database.ts'
import { withRetry } from '../db/retry.ts'
import { devices } from '../db/schema/devices.ts'
import { batched } from '../core/batches.ts'

/** Columns of a device's row with their new values. */
export type Change = Partial<typeof devices.$inferInsert>

export interface Changes {
  /** Resolves once the change is stored. Later changes of a device overwrite earlier ones. */
  store(bssid: string, change: Change): Promise<void>
}

interface AcknowledgedChange {
  readonly bssid: string
  readonly change: Change
}

interface ChangesOptions {
  /** Calls wait until their changes are stored. */
  readonly serving: Pick<Serving, 'db'>
  readonly now: () => Date
}

/** Opens the store. All API calls share one, so that changes are stored in the order of the acknowledgements. */
export function openChanges({ serving: { db }, now }: ChangesOptions): Changes {
  const storeAll = async (change: Change, bssids: readonly string[]) => {
    // Other processes may lock the same rows in another order.
    await withRetry(() =>
      db
        .update(devices)
        .set({ ...change, updated_at: now() })
        .where(anyOf(devices.bssid, bssids)),
    )
  }
  const store = batched(async (acknowledged: readonly AcknowledgedChange[]) => {
    for (const round of splitRounds(acknowledged))
      for (const [change, sameChange] of Map.groupBy(round, ({ change }) => change))
        await storeAll(
          change,
          sameChange.map(({ bssid }) => bssid),
        )
    return acknowledged.map(() => undefined)
  })
  return { store: (bssid, change) => store({ bssid, change }) }
}

/** Splits changes into rounds in which each device occurs once, so that order only matters between rounds. */
function splitRounds(acknowledged: readonly AcknowledgedChange[]): AcknowledgedChange[][] {
  const counts = new Map<string, number>()
  const rounds: AcknowledgedChange[][] = []
  for (const acknowledgedChange of acknowledged) {
    const { bssid } = acknowledgedChange
    const round = counts.get(bssid) ?? 0
    counts.set(bssid, round + 1)
    ;(rounds[round] ??= []).push(acknowledgedChange)
  }
  return rounds
}
