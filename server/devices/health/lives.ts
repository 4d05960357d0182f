/**
 * Follows the lives of pre-filters in the daily step: a row when one is followed from its installation on, which is written
 * again when it is clogged or replaced. Its litres in between are those of the device's counter.
 */
import { sql, type SQL } from 'drizzle-orm'
import { isFollowed, newestPrefilter } from '../../../src/domain/health/lives/prefilters.ts'
import type { HealthCartridge } from '../../../src/domain/health/types/context.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { isClogged } from '../../../src/domain/health/wear.ts'
import { isoOf } from '../../../src/domain/time.ts'
import { preparedRecordset } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { prefilterLives } from '../../db/schema/forecasts.ts'

/** The newest stored life of a device's pre-filters. Times: milliseconds UTC. */
export interface StoredLife {
  readonly installed_at: number
  /** Lifetime litres of feed of the device when it was installed. */
  readonly volume_before: number
  /** Whether it goes on. */
  readonly open: boolean
}

/** A life as it is stored: without litres while it goes on. */
export interface KeptLife extends Omit<StoredLife, 'open'> {
  readonly litres: number | null
  readonly clogged: boolean
  readonly ended_at: number | null
}

/** What a step changes about the lives of a device. */
export interface FollowedLives {
  readonly kept: readonly KeptLife[]
  /** One whose end will not be seen: its pre-filter was removed, or its pressure cannot be compared any more. */
  readonly forgotten: readonly StoredLife[]
}

export const noLives: FollowedLives = { kept: [], forgotten: [] }

interface Today {
  readonly cartridges: readonly (Pick<HealthCartridge, 'kind' | 'installed_at'> & Pick<StoredLife, 'volume_before'>)[]
  /** Lifetime litres of feed. */
  readonly feed: number
  readonly state: HealthState
  readonly boosted: boolean
  /** Milliseconds UTC. */
  readonly now: number
  /** Returns the local day of a time. */
  readonly dayAt: (time: number) => number
}

/** Returns what becomes of a device's newest life today, and whether another one begins. */
export function followLives(newest: StoredLife | null, today: Today): FollowedLives {
  const { cartridges, feed, state, boosted, now, dayAt } = today
  const kept: KeptLife[] = []
  const forgotten: StoredLife[] = []
  const current = newestPrefilter(cartridges)
  const open = newest?.open === true ? newest : undefined
  const isOpen = open !== undefined && open.installed_at === current?.installed_at
  const isSeen = current !== undefined && isFollowed(state, dayAt(current.installed_at), boosted)
  if (open && current && open.installed_at < current.installed_at) {
    const litres = Math.max(0, current.volume_before - open.volume_before)
    kept.push({ ...open, litres, clogged: false, ended_at: current.installed_at })
  } else if (open && !(isOpen && isSeen)) forgotten.push(open)
  if (!isSeen) return { kept, forgotten }
  const { installed_at, volume_before } = current
  const life = { installed_at, volume_before }
  if (isClogged(state)) {
    // One that was not followed until then may have been clogged for long.
    if (isOpen) kept.push({ ...life, litres: Math.max(0, feed - volume_before), clogged: true, ended_at: now })
  } else if (newest === null || newest.installed_at < installed_at)
    kept.push({ ...life, litres: null, clogged: false, ended_at: null })
  return { kept, forgotten }
}

/** The part of the daily step's statement that stores lives, as common table expressions. `lifeValues` returns its values. */
export const storingLives: SQL = sql`
    living as (
      insert into prefilter_lives as stored (bssid, installed_at, volume_before, litres, clogged, ended_at)
      select bssid, installed_at, volume_before, litres, clogged, ended_at from ${preparedRecordset(prefilterLives, 'lives')}
      on conflict (bssid, installed_at) do update
        set (litres, clogged, ended_at) = (excluded.litres, excluded.clogged, excluded.ended_at) where stored.litres is null
    ),
    unfollowing as (
      delete from prefilter_lives as stored using ${preparedRecordset(prefilterLives, 'forgotten_lives')} as forgotten
      where stored.bssid = forgotten.bssid and stored.installed_at = forgotten.installed_at and stored.litres is null
    )`

/** Returns the values of the placeholders of `storingLives`. */
export const lifeValues = (
  devices: readonly { readonly bssid: string; readonly lives: FollowedLives }[],
): Readonly<Record<string, string>> => ({
  lives: JSON.stringify(
    devices.flatMap(({ bssid, lives }) =>
      lives.kept.map(({ installed_at, volume_before, litres, clogged, ended_at }) => ({
        bssid,
        installed_at: isoOf(installed_at),
        volume_before,
        litres,
        clogged,
        ended_at: ended_at === null ? null : isoOf(ended_at),
      })),
    ),
  ),
  forgotten_lives: JSON.stringify(
    devices.flatMap(({ bssid, lives }) =>
      lives.forgotten.map(({ installed_at }) => ({ bssid, installed_at: isoOf(installed_at) })),
    ),
  ),
})

const storeAlone = prepareStatement('store_lives', sql`with ${storingLives} select`)

/** Stores past lives. */
export async function writeLives(
  db: Database,
  devices: readonly { readonly bssid: string; readonly lives: readonly KeptLife[] }[],
): Promise<void> {
  const rows = devices.map(({ bssid, lives }) => ({ bssid, lives: { kept: lives, forgotten: [] } }))
  await storeAlone(db, lifeValues(rows), { keepPlan: false })
}
