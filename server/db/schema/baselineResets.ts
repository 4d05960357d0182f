/**
 * What people have reset of the health of devices, so that a reset can be undone, and applies again when the health of a device
 * is computed again.
 */
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { packed } from '../packed.ts'
import { time } from './columns.ts'
import { deviceReference } from './devices.ts'

/** The health of a device before its baseline was reset. What can be undone for some days only is then emptied. */
export const baselineResets = pgTable(
  'baseline_resets',
  {
    bssid: deviceReference(),
    reset_at: time().notNull(),
    /** As in `device_health`. Null once it cannot be undone, or the health of the device has been computed again. */
    state: packed<HealthState>(),
    /** The newest day that was stepped before. */
    day: integer().notNull(),
    baselines: jsonb().$type<ByChannel<number>>().notNull(),
    levels: jsonb().$type<ByChannel<number>>().notNull(),
    /** Its findings that were open or shelved. */
    findings: jsonb().$type<readonly { readonly number: number; readonly state: 'open' | 'shelved' }[]>().notNull(),
    /** The rows of `kept_forecasts` that were deleted. */
    forecasts: jsonb().$type<readonly object[]>().notNull(),
  },
  table => [
    primaryKey({ columns: [table.bssid, table.reset_at] }),
    index('baseline_resets_at').on(table.reset_at),
    index('baseline_resets_with_state')
      .on(table.reset_at)
      .where(sql`${table.state} is not null`),
  ],
)
