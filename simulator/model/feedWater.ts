/** The feed water of a site: it varies with season, hour and site. */
import { noise } from './random.ts'
import { day, hour, year } from './time.ts'

export interface FeedWater {
  /** °C */
  readonly temperature: number
  /** ppm */
  readonly tds: number
  /** bar, with nothing drawn */
  readonly pressure: number
}

export interface Site {
  /** Means over a year. */
  readonly mean: FeedWater
  /** Amplitude of the temperature over the year, °C. */
  readonly swing: number
  /** Milliseconds that the site's clock is ahead of UTC. */
  readonly ahead: number
  readonly seed: number
}

/** Minimum and maximum of each value, within the bounds of docs/device-protocol.md. */
export const bounds: Readonly<Record<keyof FeedWater, readonly [number, number]>> = {
  temperature: [1, 40],
  tds: [20, 4800],
  pressure: [0.5, 12],
}
/** Tap water lags behind the air: it is warmest in the second half of August (northern hemisphere). */
const warmestDay = 232 * day

/** Returns the feed water at a time, milliseconds UTC. Depends on site and time alone. */
export function feedWater(site: Site, at: number): FeedWater {
  const by = variation(site, at)
  return {
    temperature: within('temperature', site.mean.temperature + by.temperature),
    tds: within('tds', site.mean.tds * by.tds),
    pressure: within('pressure', site.mean.pressure + by.pressure),
  }
}

/**
 * Returns the site whose feed water equals `water` at a time (milliseconds UTC).
 */
export function siteFrom(water: FeedWater, at: number, rest: Omit<Site, 'mean'>): Site {
  const by = variation({ ...rest }, at)
  return {
    ...rest,
    mean: {
      temperature: water.temperature - by.temperature,
      tds: water.tds / by.tds,
      pressure: water.pressure - by.pressure,
    },
  }
}

/** Returns the deviation from the mean at a time: °C and bar are added, TDS is a factor. */
function variation({ swing, ahead, seed }: Omit<Site, 'mean'>, at: number): FeedWater {
  const season = Math.cos(((at - warmestDay) / year) * 2 * Math.PI)
  const timeOfDay = ((at + ahead) / day) * 2 * Math.PI
  return {
    temperature: swing * season + 0.3 * drift(seed, 1, 3, at) + 0.2 * Math.cos(timeOfDay - 4),
    // Less rain and more evaporation raise TDS in late summer; waterworks also mix wells.
    tds: 1 + 0.06 * season + 0.04 * drift(seed, 2, 9, at) + 0.01 * drift(seed, 3, 0.4, at),
    // Demand in the neighbourhood peaks in the morning and in the evening.
    pressure: -0.12 * Math.cos(2 * timeOfDay - 2) + 0.08 * drift(seed, 4, 0.15, at) + 0.05 * drift(seed, 5, 5, at),
  }
}

/** Returns smooth noise from −1 to 1 (value noise with a knot every `days` days, smoothstep between). */
function drift(seed: number, which: number, days: number, at: number): number {
  const position = at / (days * day)
  const knot = Math.floor(position)
  const fraction = position - knot
  const from = noise(seed + which, knot)
  const to = noise(seed + which, knot + 1)
  return 2 * (from + (to - from) * fraction ** 2 * (3 - 2 * fraction)) - 1
}

const within = (what: keyof FeedWater, value: number) => Math.min(bounds[what][1], Math.max(bounds[what][0], value))

/** UTC offsets of the sites in milliseconds: mostly Europe, some America. */
export const zones = [1, 1, 1, 2, 0, -5, -7].map(hours => hours * hour)
