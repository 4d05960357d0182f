/** Follows the forecasts of a device in its daily step: which of today's are kept, and what became of those kept before. */
import { forecastsToKeep, type KeptForecast } from '../../../src/domain/health/outcomes/kept.ts'
import {
  endByReplacement,
  endByWear,
  judge,
  type CartridgeEnd,
  type Outcome,
} from '../../../src/domain/health/outcomes/judge.ts'
import type { Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { HealthCartridge } from '../../../src/domain/health/types/context.ts'
import { msPerDay } from '../../../src/domain/time.ts'

/** A kept forecast without outcome as it is stored, with the newest forecast of its position. Milliseconds UTC. */
export interface PendingForecast extends KeptForecast {
  readonly newest_made: number | null
  readonly newest_due: number | null
}

export interface JudgedForecast extends Outcome {
  readonly forecast: KeptForecast
}

/** What a step changes about the kept forecasts of a device. */
export interface FollowedForecasts {
  readonly kept: readonly KeptForecast[]
  readonly judged: readonly JudgedForecast[]
  /**
   * Those that cannot be judged: their cartridge was removed, was gone when they were made, or shares its condition with one
   * that was replaced.
   */
  readonly forgotten: readonly KeptForecast[]
}

export const nothingFollowed: FollowedForecasts = { kept: [], judged: [], forgotten: [] }

interface Today {
  readonly forecasts: readonly Forecast[]
  readonly cartridges: readonly HealthCartridge[]
  readonly day: number
}

/** Returns what is kept and judged today. */
export function followForecasts(pending: readonly PendingForecast[], today: Today): FollowedForecasts {
  const judged: JudgedForecast[] = []
  const forgotten: KeptForecast[] = []
  for (const forecast of pending) {
    const end = endOf(forecast, today)
    if (end === 'unknown') forgotten.push(forecast)
    else if (end) judged.push({ forecast, ...judge(forecast, end) })
  }
  return { kept: forecastsToKeep(today.forecasts, today.cartridges, pending, today.day), judged, forgotten }
}

/** Returns the end of a forecast's cartridge; undefined while it is in use. */
function endOf(pending: PendingForecast, { forecasts, cartridges, day }: Today): CartridgeEnd | 'unknown' | undefined {
  const { position, kind, basis, installed_at, made, newest_made, newest_due } = pending
  const cartridge = cartridges.find(each => each.position === position)
  if (cartridge === undefined) return 'unknown'
  const dates = { installed: installed_at, expires: installed_at + cartridge.ttl * msPerDay }
  if (cartridge.installed_at === installed_at) {
    // The pressure after several pre-filters, or the flow of several membranes, is that of all of them.
    const isChanged = cartridges.some(each => each.kind === kind && each.installed_at > made)
    if (basis === 'condition' && isChanged) return 'unknown'
    const forecast = forecasts.find(each => each.position === position)
    return forecast && endByWear(forecast, day, dates)
  }
  // A device that was offline may report late that the cartridge was gone already.
  if (cartridge.installed_at <= made) return 'unknown'
  const newest = newest_made === null || newest_due === null ? undefined : { made: newest_made, due: newest_due }
  return endByReplacement(cartridge.installed_at, dates, newest)
}
