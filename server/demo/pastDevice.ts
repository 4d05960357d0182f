/**
 * The past of one demo device: what the daily step would have kept of its forecasts, how they turned out when the simulated
 * cartridges were used up or replaced, and the lives of its pre-filters.
 */
import type { Unit } from '../../simulator/model/unit.ts'
import { forecastsOf } from '../../src/domain/health/forecast.ts'
import type { Life } from '../../src/domain/health/maths/survival.ts'
import type { KeptForecast } from '../../src/domain/health/outcomes/kept.ts'
import { usualPriors } from '../../src/domain/health/priors.ts'
import { dayResiduals } from '../../src/domain/health/residuals.ts'
import { stepDay } from '../../src/domain/health/stepDay.ts'
import type { Forecast } from '../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../src/domain/health/types/channels.ts'
import type { HealthCartridge, HealthContext } from '../../src/domain/health/types/context.ts'
import type { DaySums } from '../../src/domain/health/types/observations.ts'
import type { HealthState } from '../../src/domain/health/types/state.ts'
import { msPerDay } from '../../src/domain/time.ts'
import type { Volume } from '../db/schema/health.ts'
import type { HealthDay } from '../devices/health/days.ts'
import type { KeptLife, StoredLife } from '../devices/health/lives.ts'
import { followForecasts, type FollowedForecasts, type JudgedForecast } from '../devices/health/outcomes.ts'
import { openPastLives } from './pastLives.ts'

/** The counters and cartridges of a unit at the end of a local day. */
export type DayEnd = Pick<Unit['flashMemory'], 'counters' | 'cartridges'>

/** A cartridge that the device has now. Time: milliseconds UTC. */
type FittedCartridge = Pick<StoredLife, 'installed_at' | 'volume_before'>

/** A device with its past. */
export interface PastDevice {
  /** The days with data, in order. */
  readonly days: readonly HealthDay[]
  /** By local day. */
  readonly ends: ReadonlyMap<number, DayEnd>
  /** What the device is, as for the daily step. */
  readonly constants: Pick<HealthContext, 'boosted' | 'bypass' | 'bypass_share'>
  readonly fitted: readonly FittedCartridge[]
  /** Its lifetime litres now. */
  readonly counters: DayEnd['counters']
}

export interface PastSteps {
  readonly forecasts: FollowedForecasts
  readonly lives: readonly KeptLife[]
  /** Lifetime litres of the last weeks, oldest first. */
  readonly volumes: readonly Volume[]
}

/** Weeks of litres from which forecasts by litres are made. */
const weeks = 8

interface OpenedPast {
  /** Whether it has data of a day. */
  has(day: number): boolean
  /** Returns a day against what the device was when new; nothing before its first step. */
  residuals(day: number): ByChannel<number>
  /** Steps a day with data, with what its supply shows. Returns the forecasts that are judged then. Days must be in order. */
  step(
    day: number,
    supply: Pick<HealthContext, 'neighbours' | 'prefilter_lives' | 'own_widths'>,
  ): readonly JudgedForecast[]
  /** Returns its lives of pre-filters so far, in litres. */
  livesSoFar(): readonly Life[]
  /** Returns what is kept. Of forecasts that have not ended only those of the cartridges that it has now. */
  end(): PastSteps
}

export function openPastDevice({ days, ends, constants, fitted, counters: now }: PastDevice): OpenedPast {
  const sums = new Map<number, DaySums>(days.map(({ day, sums }) => [day, sums]))
  const lives = openPastLives()
  const judged: JudgedForecast[] = []
  /** The keys of forecasts with an outcome, which are kept once, although the condition of a worn cartridge may recover. */
  const ended = new Set<string>()
  let pending: KeptForecast[] = []
  let state: HealthState | undefined
  let installed: readonly number[] | undefined
  /** The forecasts of the step before, and its day. */
  let newest: { readonly day: number; readonly forecasts: readonly Forecast[] } | undefined
  /** Lifetime litres of feed after the last step. */
  let feed = 0

  /** Keeps forecasts that the step of the day `today` has made, and returns those before that are judged. */
  function followOutcomes(
    forecasts: readonly Forecast[],
    cartridges: readonly HealthCartridge[],
    today: number,
  ): readonly JudgedForecast[] {
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
    return followed.judged
  }

  return {
    has: day => sums.has(day),
    residuals: day => (state ? dayResiduals(state, sums.get(day)!, usualPriors, day) : {}),
    step(day, supply) {
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
        priors: usualPriors,
        cartridges,
        replaced: changed.map(({ position }) => ({ position, day })),
        weekly_litres: weeklyLitres(ends, day),
        ...constants,
        ...supply,
      }
      state = stepDay(state, sums.get(day)!, context)
      // The step is made on the next day.
      const today = day + 1
      feed = counters.feed
      lives.follow(units, { feed, state, boosted: constants.boosted, now: today * msPerDay })
      return followOutcomes(forecastsOf(state, { ...context, day: today }), cartridges, today)
    },
    livesSoFar: () => lives.soFar(feed),
    end() {
      const current = pending.filter(({ position, installed_at }) => fitted[position]?.installed_at === installed_at)
      return {
        forecasts: { kept: [...judged.map(({ forecast }) => forecast), ...current], judged, forgotten: [] },
        lives: lives.end(fitted),
        volumes: volumesOf(ends, now),
      }
    },
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

/** Returns the lifetime litres at the ends of the last weeks, so that they lead to those of now. */
function volumesOf(ends: ReadonlyMap<number, DayEnd>, now: DayEnd['counters']): Volume[] {
  const last = Math.max(...ends.keys())
  const end = ends.get(last)
  if (end === undefined) return []
  const volumes: Volume[] = []
  for (let week = weeks; week >= 0; week--) {
    const earlier = ends.get(last - 7 * week)?.counters
    if (earlier === undefined) continue
    const litres = (name: 'feed' | 'permeate') => Math.max(0, now[name] - (end.counters[name] - earlier[name]))
    volumes.push({ day: last - 7 * week, feed: litres('feed'), permeate: litres('permeate') })
  }
  return volumes
}
