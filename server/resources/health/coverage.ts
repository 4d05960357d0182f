/** How forecasts of cartridges turned out: of a vendor's or all devices, and of one device. */
import { and, desc, eq, isNotNull, type SQL } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import type { Coverage } from '../../../src/api/contract/health/fleet.ts'
import type { PastForecast } from '../../../src/api/contract/health/device.ts'
import { enoughOutcomes } from '../../../src/domain/health/outcomes/ownWidths.ts'
import type { CartridgeKind } from '../../../src/domain/health/types/cartridges.ts'
import type { Database } from '../../db/database.ts'
import { forecastScores, keptForecasts } from '../../db/schema/forecasts.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownScores } from '../shared/scope.ts'

const kinds: readonly CartridgeKind[] = [0, 1, 2]

/** Returns how the forecasts of each kind turned out. Does not check access. */
export async function coverageWhere(db: Database, where: SQL | undefined): Promise<Coverage[]> {
  const rows = await db.select().from(forecastScores).where(where)
  return kinds.map(kind => {
    const all = rows.filter(row => row.kind === kind)
    const sum = (name: 'outcomes' | 'inside' | 'replaced_early') => all.reduce((total, row) => total + row[name], 0)
    return {
      kind,
      outcomes: sum('outcomes'),
      inside: sum('inside'),
      replaced_early: sum('replaced_early'),
      typical: all.every(({ scores }) => scores.length < enoughOutcomes),
    }
  })
}

export const coverage = handler(contract.coverage, ({ caller, services: { db } }) =>
  coverageWhere(db, ownScores(caller)),
)

const maxPastForecasts = 20

/** Returns the newest forecasts of a device whose cartridges have ended. Does not check access. */
export async function pastForecasts(db: Database, bssid: string): Promise<PastForecast[]> {
  const rows = await db
    .select()
    .from(keptForecasts)
    .where(and(eq(keptForecasts.bssid, bssid), isNotNull(keptForecasts.ended_at)))
    .orderBy(desc(keptForecasts.ended_at), desc(keptForecasts.made_at))
    .limit(maxPastForecasts)
  return rows.map(
    ({ position, kind, made_at, due_at, early_at, late_at, basis, ended_at, replaced_early, inside }) => ({
      position,
      kind,
      made_at: made_at.toISOString(),
      due_at: due_at.toISOString(),
      early_at: early_at.toISOString(),
      late_at: late_at.toISOString(),
      basis,
      ended_at: ended_at!.toISOString(),
      replaced_early: replaced_early === true,
      inside,
    }),
  )
}
