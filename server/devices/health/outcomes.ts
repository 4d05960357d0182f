/** Follows the forecasts of a device in its daily step: which of today's are kept, and what became of those kept before. */
import { forecastsToKeep, type KeptForecast } from '../../../src/domain/health/outcomes/kept.ts'
import {
  endByReplacement,
  endByWear,
  judge,
  type CartridgeEnd,
  type Outcome,
} from '../../../src/domain/health/outcomes/judge.ts'
import type { Forecast, HealthCartridge } from '../../../src/domain/health/types.ts'
import { wallTime } from '../../../src/domain/zone.ts'

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
  /** Those that cannot be judged: their cartridge was removed, or was gone when they were made. */
  readonly forgotten: readonly KeptForecast[]
}

export const nothingFollowed: FollowedForecasts = { kept: [], judged: [], forgotten: [] }

interface Today {
  readonly forecasts: readonly Forecast[]
  readonly cartridges: readonly HealthCartridge[]
  readonly day: number
  readonly zone: string
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
function endOf(
  pending: PendingForecast,
  { forecasts, cartridges, day, zone }: Today,
): CartridgeEnd | 'unknown' | undefined {
  const { position, installed_at, made, newest_made, newest_due } = pending
  const cartridge = cartridges.find(each => each.position === position)
  if (cartridge === undefined) return 'unknown'
  if (cartridge.installed_at === installed_at) {
    const forecast = forecasts.find(each => each.position === position)
    return forecast && endByWear(forecast, day)
  }
  // Forecasts are made for local days.
  const local = (at: number) => wallTime(zone, at)
  const replacedAt = local(cartridge.installed_at)
  // A device that was offline may report late that the cartridge was gone already.
  if (replacedAt <= made) return 'unknown'
  const newest = newest_made === null || newest_due === null ? undefined : { made: local(newest_made), due: newest_due }
  return endByReplacement(replacedAt, local(installed_at), newest)
}
