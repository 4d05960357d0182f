/** The water that arrives at a site: it follows the season and the hour, and differs from site to site. */
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
  /** °C between the mean and the warmest day. */
  readonly swing: number
  /** Milliseconds that the site's clock is ahead of UTC. */
  readonly ahead: number
  readonly seed: number
}

/** What a sensor of a household's pipe can find at most and at least: within the bounds of docs/device-protocol.md. */
export const bounds: Readonly<Record<keyof FeedWater, readonly [number, number]>> = {
  temperature: [1, 40],
  tds: [20, 4800],
  pressure: [0.5, 12],
}
/** Pipes lie deep: tap water is warmest in the second half of August (northern sites). */
const warmest = 232 * day

/** The feed water at a moment, milliseconds UTC. A function of site and time alone, however often it is asked. */
export function feedWater(site: Site, at: number): FeedWater {
  const by = variation(site, at)
  return {
    temperature: within('temperature', site.mean.temperature + by.temperature),
    tds: within('tds', site.mean.tds * by.tds),
    pressure: within('pressure', site.mean.pressure + by.pressure),
  }
}

/**
 * The site whose feed water at a moment is this. `swing` is that of the temperature, °C.
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

/** How a moment differs from the mean: °C and bar added, TDS multiplied. */
function variation({ swing, ahead, seed }: Omit<Site, 'mean'>, at: number): FeedWater {
  const season = Math.cos(((at - warmest) / year) * 2 * Math.PI)
  const timeOfDay = ((at + ahead) / day) * 2 * Math.PI
  return {
    temperature: swing * season + 0.3 * drift(seed, 1, 3, at) + 0.2 * Math.cos(timeOfDay - 4),
    // Less rain and more evaporation leave more salt in late summer; the waterworks mix wells as they need.
    tds: 1 + 0.06 * season + 0.04 * drift(seed, 2, 9, at) + 0.01 * drift(seed, 3, 0.4, at),
    // The whole street draws in the morning and in the evening.
    pressure: -0.12 * Math.cos(2 * timeOfDay - 2) + 0.08 * drift(seed, 4, 0.15, at) + 0.05 * drift(seed, 5, 5, at),
  }
}

/** −1 to 1, slowly: something else every so many days, and smooth between. */
function drift(seed: number, which: number, days: number, at: number): number {
  const turns = at / (days * day)
  const turn = Math.floor(turns)
  const way = turns - turn
  const from = noise(seed + which, turn)
  const to = noise(seed + which, turn + 1)
  return 2 * (from + (to - from) * way ** 2 * (3 - 2 * way)) - 1
}

const within = (what: keyof FeedWater, value: number) => Math.min(bounds[what][1], Math.max(bounds[what][0], value))

/** Milliseconds ahead of UTC of a site: most of the makers' customers live in Europe, some in America. */
export const zones = [1, 1, 1, 2, 0, -5, -7].map(hours => hours * hour)
