/**
 * Follows the past of a demo device: what the daily step would have kept of its forecasts, how they turned out when the
 * simulated cartridges were used up or replaced, and the lives of its pre-filters.
 */
import type { Unit } from '../../simulator/model/unit.ts'
import { forecastsOf } from '../../src/domain/health/forecast.ts'
import type { KeptForecast } from '../../src/domain/health/outcomes/kept.ts'
import { usualPriors } from '../../src/domain/health/priors.ts'
import { stepDay } from '../../src/domain/health/stepDay.ts'
import type { Forecast } from '../../src/domain/health/types/assessment.ts'
import type { HealthCartridge, HealthContext } from '../../src/domain/health/types/context.ts'
import type { HealthState } from '../../src/domain/health/types/state.ts'
import { msPerDay } from '../../src/domain/time.ts'
import type { HealthDay } from '../devices/health/days.ts'
import type { KeptLife, StoredLife } from '../devices/health/lives.ts'
import { followForecasts, type FollowedForecasts, type JudgedForecast } from '../devices/health/outcomes.ts'
import { openPastLives } from './pastLives.ts'

/** The counters and cartridges of a unit at the end of a local day. */
export type DayEnd = Pick<Unit['memory'], 'counters' | 'cartridges'>

/** What a device is, as for the daily step. */
type Constants = Pick<HealthContext, 'boosted' | 'bypass' | 'bypass_share'>

/** A cartridge that the device has now. Time: milliseconds UTC. */
type FittedCartridge = Pick<StoredLife, 'installed_at' | 'volume_before'>

export interface PastSteps {
  readonly forecasts: FollowedForecasts
  readonly lives: readonly KeptLife[]
}

/** Weeks of litres from which forecasts by litres are made. */
const weeks = 8

/**
 * Returns the forecasts and lives of days with data, which are in order. `ends`: by local day. Of those whose cartridge has
 * not ended only forecasts of the cartridges that the device has now (`fitted`) are kept.
 */
export function pastSteps(
  days: readonly HealthDay[],
  ends: ReadonlyMap<number, DayEnd>,
  constants: Constants,
  fitted: readonly FittedCartridge[],
): PastSteps {
  let state: HealthState | undefined
  let installed: readonly number[] | undefined
  /** The forecasts of the step before, and its day. */
  let newest: { readonly day: number; readonly forecasts: readonly Forecast[] } | undefined
  let pending: KeptForecast[] = []
  const judged: JudgedForecast[] = []
  const lives = openPastLives()
  /** The keys of forecasts with an outcome, which are kept once, although the condition of a worn cartridge may recover. */
  const ended = new Set<string>()
  for (const { day, sums } of days) {
    const { counters, cartridges: units } = ends.get(day)!
    const cartridges = units.map(({ kind, installedAt, before, resource, ttl }, position): HealthCartridge => {
      const litres = Math.max(0, (kind === 0 ? counters.feed : counters.permeate) - before)
      return { position, kind: kind as HealthCartridge['kind'], installed_at: installedAt, litres, resource, ttl }
    })
    const changed = cartridges.filter(
      ({ position, installed_at }) => installed !== undefined && installed_at !== installed[position],
    )
    installed = cartridges.map(({ installed_at }) => installed_at)
    const context: HealthContext = {
      day,
      neighbours: {},
      priors: usualPriors,
      cartridges,
      replaced: changed.map(({ position }) => ({ position, day })),
      weekly_litres: weeklyLitres(ends, day),
      ...constants,
    }
    state = stepDay(state, sums, context)
    // The step is made on the next day.
    const today = day + 1
    lives.follow(units, { feed: counters.feed, state, boosted: constants.boosted, now: today * msPerDay })
    const forecasts = forecastsOf(state, { ...context, day: today })
    const known = newest
    const followed = followForecasts(
      pending.map(forecast => ({
        ...forecast,
        newest_made: known === undefined ? null : known.day * msPerDay,
        newest_due: known?.forecasts.find(({ position }) => position === forecast.position)?.due ?? null,
      })),
      { forecasts, cartridges, day: today },
    )
    newest = { day: today, forecasts }
    judged.push(...followed.judged)
    for (const { forecast } of followed.judged) ended.add(keyOf(forecast))
    const forgotten = new Set(followed.forgotten.map(keyOf))
    const left = pending.filter(forecast => !forgotten.has(keyOf(forecast)))
    pending = [...left, ...followed.kept].filter(forecast => !ended.has(keyOf(forecast)))
  }
  const current = pending.filter(({ position, installed_at }) => fitted[position]?.installed_at === installed_at)
  return {
    forecasts: { kept: [...judged.map(({ forecast }) => forecast), ...current], judged, forgotten: [] },
    lives: lives.end(fitted),
  }
}

const keyOf = ({ position, installed_at, horizon }: KeptForecast) => `${position} ${installed_at} ${horizon}`

/** Returns the litres of permeate a day in the weeks before the end of a day, oldest first. */
function weeklyLitres(ends: ReadonlyMap<number, DayEnd>, day: number): number[] {
  const litres: number[] = []
  for (let week = weeks; week > 0; week--) {
    const [from, to] = [ends.get(day - 7 * week), ends.get(day - 7 * (week - 1))]
    if (from && to) litres.push((to.counters.permeate - from.counters.permeate) / 7)
  }
  return litres
}
