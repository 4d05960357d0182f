/** The part of the daily step's statement that stores kept forecasts, what became of them, and their scores. */
import { isoOf } from '../../../src/domain/time.ts'
import { sql, type SQL } from 'drizzle-orm'
import {
  aimedMisses,
  boundedLevel,
  maxLevel,
  keptScores,
  levelChange,
  minLevel,
  relativeScore,
} from '../../../src/domain/health/outcomes/ownWidths.ts'
import type { KeptForecast } from '../../../src/domain/health/outcomes/kept.ts'
import { preparedRecordset } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { prepareStatement } from '../../db/prepared.ts'
import { forecastScores, keptForecasts } from '../../db/schema/forecasts.ts'
import { nothingFollowed, type FollowedForecasts, type JudgedForecast } from './outcomes.ts'

export interface Followed {
  readonly bssid: string
  readonly vendor_id: string
  readonly followed: FollowedForecasts
}

const identity = (
  row: string,
): SQL => sql`stored.bssid = ${sql.raw(row)}.bssid and stored.position = ${sql.raw(row)}.position
      and stored.installed_at = ${sql.raw(row)}.installed_at and stored.horizon = ${sql.raw(row)}.horizon`

/** The statements, as common table expressions. `outcomeValues` returns the values of their placeholders. */
export const storingOutcomes: SQL = sql`
    keeping as (
      insert into kept_forecasts (bssid, position, installed_at, horizon, kind, made_at, due_at, early_at, late_at, basis,
        like_ends, typical)
      select bssid, position, installed_at, horizon, kind, made_at, due_at, early_at, late_at, basis, like_ends, typical
      from ${preparedRecordset(keptForecasts, 'kept')} on conflict do nothing
    ),
    judging as (
      update kept_forecasts as stored set (ended_at, replaced_early, inside, score)
        = (judged.ended_at, judged.replaced_early, judged.inside, judged.score)
      from ${preparedRecordset(keptForecasts, 'judged')} as judged where ${identity('judged')}
    ),
    forgetting as (
      delete from kept_forecasts as stored using ${preparedRecordset(keptForecasts, 'forgotten')} as forgotten
      where ${identity('forgotten')}
    ),
    scoring as (
      insert into forecast_scores as stored (vendor_id, kind, basis, outcomes, inside, replaced_early, scores, level)
      select vendor_id, kind, basis, outcomes, inside, replaced_early, scores, level
      from ${preparedRecordset(forecastScores, 'outcome_scores')}
      -- Servers that store scores of the same vendor at the same time take its rows in the same order.
      order by vendor_id, kind, basis
      on conflict (vendor_id, kind, basis) do update set outcomes = stored.outcomes + excluded.outcomes,
        inside = stored.inside + excluded.inside, replaced_early = stored.replaced_early + excluded.replaced_early,
        scores = (excluded.scores || stored.scores)[1:${sql.raw(String(keptScores))}],
        level = greatest(${minLevel}::float8, least(${maxLevel}::float8,
          stored.level + excluded.level - ${aimedMisses}::float8))
    )`

/** Returns the values of the placeholders of `storingOutcomes`. */
export const outcomeValues = (devices: readonly Followed[]): Readonly<Record<string, string>> => ({
  kept: JSON.stringify(devices.flatMap(({ bssid, followed }) => followed.kept.map(each => keptRow(bssid, each)))),
  judged: JSON.stringify(devices.flatMap(({ bssid, followed }) => followed.judged.map(each => judgedRow(bssid, each)))),
  forgotten: JSON.stringify(
    devices.flatMap(({ bssid, followed }) => followed.forgotten.map(each => keyOf(bssid, each))),
  ),
  outcome_scores: JSON.stringify(scoreRows(devices)),
})

const storeAlone = prepareStatement('store_outcomes', sql`with ${storingOutcomes} select`)

/** Stores past forecasts with their outcomes. None of them may be stored yet. */
export async function writeOutcomes(db: Database, devices: readonly Followed[]): Promise<void> {
  // One statement does not see the rows that another part of it has inserted.
  for (const part of ['kept', 'judged'] as const) {
    const rows = devices.map(({ followed, ...device }) => ({
      ...device,
      followed: { ...nothingFollowed, [part]: followed[part] },
    }))
    await storeAlone(db, outcomeValues(rows), { keepPlan: false })
  }
}

const keyOf = (bssid: string, { position, installed_at, horizon }: KeptForecast) => ({
  bssid,
  position,
  installed_at: isoOf(installed_at),
  horizon,
})

const keptRow = (bssid: string, forecast: KeptForecast) => ({
  ...keyOf(bssid, forecast),
  kind: forecast.kind,
  made_at: isoOf(forecast.made),
  due_at: isoOf(forecast.due),
  early_at: isoOf(forecast.early),
  late_at: isoOf(forecast.late),
  basis: forecast.basis,
  like_ends: forecast.like_ends,
  typical: forecast.typical,
})

const judgedRow = (bssid: string, { forecast, end, inside, score }: JudgedForecast) => ({
  ...keyOf(bssid, forecast),
  ended_at: isoOf(end.at),
  replaced_early: end.early,
  inside,
  score,
})

/** Returns what the outcomes add to each vendor's scores. The level is that of a first row. */
function scoreRows(devices: readonly Followed[]) {
  const judged = devices.flatMap(({ vendor_id, followed }) => followed.judged.map(each => ({ vendor_id, ...each })))
  const groups = Map.groupBy(judged, ({ vendor_id, forecast }) => `${vendor_id} ${forecast.kind} ${forecast.basis}`)
  return [...groups.values()].map(all => {
    const { vendor_id, forecast } = all[0]!
    const known = all.filter(({ inside }) => inside !== null)
    // Intervals from like pre-filters are as wide as their lives differ. They say nothing about those of own trends.
    const ofTrend = known.filter(each => each.forecast.like_ends === null)
    // Typical intervals say nothing about the level of own ones.
    const own = ofTrend.filter(each => !each.forecast.typical)
    const change = own.reduce((sum, { inside }) => sum + levelChange(inside === true), 0)
    return {
      vendor_id,
      kind: forecast.kind,
      basis: forecast.basis,
      outcomes: known.length,
      inside: known.filter(({ inside }) => inside).length,
      replaced_early: all.length - known.length,
      scores: ofTrend.map(each => relativeScore(each.forecast, each.score ?? 0)).slice(0, keptScores),
      level: boundedLevel(aimedMisses + change),
    }
  })
}
