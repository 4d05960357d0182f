/** A device's stored days against what it was when new: its channels, and flow and salt as measured. */
import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { DeviceHealth } from '../../../src/api/contract/health/device.ts'
import {
  measuredBaseline,
  measuredChannels,
  measuredValue,
  type MeasuredChannel,
} from '../../../src/domain/health/history/measured.ts'
import type { Noise } from '../../../src/domain/health/instruments.ts'
import { wanderVariance } from '../../../src/domain/health/reference.ts'
import { hasPump } from '../../../src/domain/health/pressure/pump.ts'
import { dayValue, dayVariance } from '../../../src/domain/health/residuals.ts'
import { channels, isOfMembrane, type ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { Database } from '../../db/database.ts'
import { sumsOf, type StoredDay } from '../../devices/health/slice.ts'

/** The local days of a range, counted from 1970. */
export interface Days {
  readonly from: number
  readonly to: number
}

type MeasuredPoint = z.input<typeof DeviceHealth>['points'][number]

interface Followed {
  readonly bssid: string
  readonly state: HealthState
  readonly priors: MembranePriors
  readonly noise: Noise
}

/** Returns the changes against the baseline by day, and by week where they are old. Days before the membrane was new have none of its channels. */
export async function pointsOf(
  db: Database,
  { bssid, state, priors, noise }: Followed,
  { from, to }: Days,
  at: (day: number) => string,
): Promise<MeasuredPoint[]> {
  const rows = await storedDays(db, bssid, { from, to })
  const baselines = await measuredBaselines(db, bssid, state)
  return rows.flatMap(row => {
    const sums = sumsOf(row)
    const values: ByChannel<number> = {}
    const errors: ByChannel<number> = {}
    for (const channel of channels) {
      const known = state.channels[channel]
      const value = dayValue(channel, sums, priors, hasPump(state))
      if (known === undefined || known.baseline === null || value === undefined) continue
      if (isOfMembrane(channel) && row.day < state.first) continue
      values[channel] = value - known.baseline
      errors[channel] = Math.sqrt(wanderVariance(channel, known, noise) + dayVariance(channel, sums))
    }
    const measured: Partial<Record<MeasuredChannel, number>> = {}
    for (const channel of measuredChannels) {
      const [baseline, value] = [baselines[channel], measuredValue(channel, sums)]
      if (values[channel] !== undefined && baseline !== undefined && value !== undefined)
        measured[channel] = value - baseline
    }
    return Object.keys(values).length > 0 ? [{ at: at(row.day), days: row['days']!, values, errors, measured }] : []
  })
}

const storedDays = async (db: Database, bssid: string, { from, to }: Days): Promise<StoredDay[]> =>
  (
    await db.execute<StoredDay>(
      sql`select * from health_days where bssid = ${bssid} and day between ${from} and ${to} order by day`,
    )
  ).rows

/** Days around the end of a baseline in which those with data are looked for. */
const baselineReach = 60

/** Returns what was measured while the baselines were learned, as ln. */
async function measuredBaselines(
  db: Database,
  bssid: string,
  { channels: known, first }: HealthState,
): Promise<Partial<Record<MeasuredChannel, number>>> {
  const baselines: Partial<Record<MeasuredChannel, number>> = {}
  const learned = measuredChannels.filter(channel => (known[channel]?.baseline ?? null) !== null)
  if (learned.length === 0) return baselines
  const ends = learned.map(channel => known[channel]!.since)
  const rows = await storedDays(db, bssid, {
    from: Math.max(first, Math.min(...ends) - baselineReach),
    to: Math.max(...ends) + baselineReach,
  })
  for (const channel of learned) {
    const days = rows.flatMap(row => {
      const value = measuredValue(channel, sumsOf(row))
      return value === undefined ? [] : [{ day: row.day, value }]
    })
    const baseline = measuredBaseline(days, known[channel]!.since)
    if (baseline !== undefined) baselines[channel] = baseline
  }
  return baselines
}
