/** What a Langelier index means, in plain words, and how it is computed. */
import { formatNumber } from '../../format.ts'
import { scalingFactor } from '../contextFactors.ts'
import { limitRecovery } from './scaling.ts'

interface Indices {
  readonly feed: number
  readonly concentrate: number
}

/** `+0.42`, `−1.10` */
export const indexText = (index: number): string => `${index < 0 ? '−' : '+'}${formatNumber(Math.abs(index), 2)}`

/** Returns a value of an analysis with at most two decimal places: `280`, `7.65`. */
export const analysisText = (value: number): string => String(Number(value.toFixed(2)))

/** Returns what the concentrate's index says about scaling. */
export const scalingVerdict = ({ concentrate }: Indices): string =>
  concentrate > 0
    ? 'Above 0: scaling is possible. Carbonate can settle on the membrane and in the restrictor.'
    : 'Not above 0: carbonate stays dissolved, so scaling is unlikely.'

/** Share below which no device is set: nearly all of the water would go to waste. */
const minRecovery = 0.15

/** Returns what the recovery has to do with it. */
export function limitText({ feed, concentrate }: Indices): string {
  const limit = limitRecovery(feed)
  if (limit === null || limit < minRecovery)
    return 'The feed itself is close to 0 or above: a lower recovery alone is not enough, a softener is.'
  const percent = formatNumber(100 * limit)
  return concentrate > 0
    ? `At a recovery of ${percent} % it would be 0: a lower recovery and more flushing help.`
    : `It would reach 0 at a recovery of ${percent} %.`
}

/** Returns what the index does to the diagnosis. */
export function diagnosisText({ concentrate }: Indices): string {
  const factor = scalingFactor(concentrate)
  return factor > 1
    ? `In the diagnosis, scaling counts ${formatNumber(factor)} times as much as without an analysis.`
    : `In the diagnosis, scaling counts ${formatNumber(1 / factor)} times less than without an analysis.`
}

/** Returns why there is no index although there is an analysis. */
export const noIndexText = (isTooSalty: boolean): string =>
  isTooSalty
    ? 'The concentrate has more than 10,000 ppm, for which the Langelier index does not hold.'
    : 'The index follows once the device’s recovery, temperature and feed TDS are known, after some days with data.'

export const indexFormula = 'pH − (9.3 + A + B − C − D)'

/** The symbols of the formula. */
export const indexSymbols: readonly (readonly [symbol: string, meaning: string])[] = [
  ['A, B', '(lg TDS − 1) ÷ 10; 34.55 − 13.12 · lg(T + 273)'],
  ['C, D', 'lg calcium hardness − 0.4; lg alkalinity, both as CaCO₃'],
]

export const indexSources: readonly (readonly [symbol: string, source: string])[] = [
  ['L', 'ASTM D3739, Calculation and adjustment of the Langelier saturation index for reverse osmosis'],
  ['F', 'DuPont FilmTec Technical Manual, 45-D01504 rev. 20, calcium carbonate scale prevention'],
]
