/** The feed water of a site: it varies with season, hour and site. */
import { smoothNoise } from './random.ts'
import { msPerDay, msPerHour, msPerYear } from '../../src/domain/time.ts'

export interface FeedWater {
  /** °C */
  readonly temperature: number
  /** ppm */
  readonly tds: number
  /** bar, while no water runs */
  readonly pressure: number
}

export interface Site {
  /** Means over a year. */
  readonly mean: FeedWater
  /** Amplitude of the temperature over the year, °C. */
  readonly swing: number
  /** UTC offset of the site in milliseconds. */
  readonly utcOffset: number
  /** Seed of the waterworks: sites with the same seed and offset have the same variations. */
  readonly seed: number
  /** Seed of the variations that only this site has; without it there are none. */
  readonly own?: number
}

/** Minimum and maximum of each value, within the bounds of docs/device-protocol.md. */
export const bounds: Readonly<Record<keyof FeedWater, readonly [number, number]>> = {
  temperature: [1, 40],
  tds: [20, 4800],
  pressure: [0.5, 12],
}
/** Tap water lags behind the air: it is warmest in the second half of August (northern hemisphere). */
const warmestDay = 232 * msPerDay

/** Returns the feed water at a time, milliseconds UTC. Depends only on site and time. */
export function feedWater(site: Site, at: number): FeedWater {
  const deviation = deviationAt(site, at)
  return {
    temperature: clamp('temperature', site.mean.temperature + deviation.temperature),
    tds: clamp('tds', site.mean.tds * deviation.tds),
    pressure: clamp('pressure', site.mean.pressure + deviation.pressure),
  }
}

/**
 * Returns the site whose feed water equals `water` at a time (milliseconds UTC).
 */
export function siteFrom(water: FeedWater, at: number, rest: Omit<Site, 'mean'>): Site {
  const deviation = deviationAt(rest, at)
  return {
    ...rest,
    mean: {
      temperature: water.temperature - deviation.temperature,
      tds: water.tds / deviation.tds,
      pressure: water.pressure - deviation.pressure,
    },
  }
}

/** Returns the deviation from the mean at a time: °C and bar are added, TDS is a factor. */
function deviationAt({ swing, utcOffset, seed, own }: Omit<Site, 'mean'>, at: number): FeedWater {
  const season = Math.cos(((at - warmestDay) / msPerYear) * 2 * Math.PI)
  const timeOfDay = ((at + utcOffset) / msPerDay) * 2 * Math.PI
  return {
    temperature: swing * season + 0.3 * drift(seed, 1, 3, at) + 0.2 * Math.cos(timeOfDay - 4),
    // Less rain and more evaporation raise TDS in late summer; waterworks also mix wells.
    tds: 1 + 0.06 * season + 0.04 * drift(seed, 2, 9, at) + 0.01 * drift(seed, 3, 0.4, at),
    // Demand in the neighbourhood peaks in the morning and in the evening; other taps of the house are open for minutes.
    pressure:
      -0.12 * Math.cos(2 * timeOfDay - 2) +
      0.08 * drift(seed, 4, 0.15, at) +
      0.05 * drift(seed, 5, 5, at) +
      (own === undefined ? 0 : 0.1 * drift(own, 6, 0.03, at)),
  }
}

/** Returns smooth noise from −1 to 1 with a knot every `days` days. */
const drift = (seed: number, series: number, days: number, at: number) =>
  smoothNoise(seed + series, at / (days * msPerDay))

/** Returns the value within the bounds of its quantity. */
const clamp = (quantity: keyof FeedWater, value: number) =>
  Math.min(bounds[quantity][1], Math.max(bounds[quantity][0], value))

/** UTC offsets of the sites in milliseconds: mostly Europe, some America. */
export const utcOffsets = [1, 1, 1, 2, 0, -5, -7].map(hours => hours * msPerHour)
