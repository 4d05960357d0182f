/** Imports days of health, such as those of the demo's simulated past. */
import { observedChannels } from '../../../src/domain/health/types/channels.ts'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { healthDays } from '../../db/schema/healthDays.ts'

/** A device's local day; `day`: days from 1 January 1970. */
export interface HealthDay {
  readonly bssid: string
  readonly day: number
  readonly sums: DaySums
}

/** Imports days, which must not be stored yet. */
export const writeHealthDays = (db: Database, days: readonly HealthDay[]): Promise<void> =>
  insertMany(
    db,
    healthDays,
    days.map(({ bssid, day, sums: { channels: ofChannels, ...sums } }) => {
      const columns = observedChannels.map(channel => {
        const { n = 0, sum = 0, squares = 0 } = ofChannels[channel] ?? {}
        return { [`${channel}_n`]: n, [`${channel}_sum`]: sum, [`${channel}_squares`]: squares }
      })
      const row: Record<string, string | number> = Object.assign({}, ...columns)
      return { ...row, ...sums, max_run: Math.round(sums.max_run), bssid, day }
    }),
  )
