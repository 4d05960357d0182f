/**
 * Standardising of reverse-osmosis readings: what flow and salt passage would be at standard conditions, so that a change
 * shows the membrane and not the weather. Pressures in bar, temperatures in °C, concentrations in ppm (mg/l), recovery and
 * salt passage as shares from 0 to 1, flows in any unit. Natural logarithms, except in `langelierIndex`.
 *
 * Values that do not exist, because something would be divided by nothing, are `null`, as in ro.ts; no function turns finite
 * arguments into NaN or Infinity, except `conformalQuantile`, whose Infinity is a bound.
 *
 * Sources: [A] ASTM D4516-19a · [D] DuPont FilmTec Technical Manual 45-D01504 rev. 20, with the numbers of its equations ·
 * [H] Hydranautics, Membrane performance normalization, 2001 · [L] ASTM D3739 · [Ang] Angelopoulos and Bates, Conformal
 * prediction: a gentle introduction, 2023 · [N] NSF/ANSI 58.
 */

/** Temperature coefficients of a membrane in K: below 25 °C, and from there on. */
export interface TemperatureCoefficients {
  readonly cold?: number
  readonly hot?: number
}

/** The usual coefficients of polyamide membranes [D] 73–74. [H] takes 2700 K throughout. */
export const usualCoefficients = { cold: 3020, hot: 2640 } as const satisfies TemperatureCoefficients

const absoluteZero = -273

/**
 * Returns the temperature correction factor: how many times the permeate flow at 25 °C a membrane lets through at `T` °C.
 * Arrhenius form exp(K·(1/298 − 1/(273 + T))) [D] 73–74; 1 at 25 °C, 0 at absolute zero and below. `coefficients` (K) are
 * those of a membrane type where they are known.
 */
export const temperatureCorrection = (
  T: number,
  { cold = usualCoefficients.cold, hot = usualCoefficients.hot }: TemperatureCoefficients = {},
): number => (T <= absoluteZero ? 0 : Math.exp((T < 25 ? cold : hot) * (1 / 298 - 1 / (273 + T))))

/** Recoveries above this count as this: a membrane without concentrate has no mean concentration. */
const maxRecovery = 0.9999

/**
 * Returns the mean concentration along the feed side of a membrane in ppm: C_f·ln(1/(1 − Y))/Y [D] 77, from the feed's TDS
 * (ppm) and the recovery Y (share). It is the feed's at a recovery of 0 or less. Recoveries above 0.9999 count as 0.9999,
 * where it is 9.2 times the feed's.
 */
export function feedBrineConcentration(feedTds: number, recovery: number): number {
  if (recovery <= 0) return feedTds
  const share = Math.min(maxRecovery, recovery)
  return (-feedTds * Math.log1p(-share)) / share
}

/**
 * Returns how many times the mean concentration of the feed side the water at the membrane has, because salt stays back there:
 * exp(0.7·Y) [D] 55 at a recovery Y (share). 1 at a recovery of 0 or less.
 */
export const polarisationFactor = (recovery: number): number => Math.exp(0.7 * Math.max(0, recovery))

/** Concentration in ppm above which [D] takes a second formula. */
const brackishLimit = 20_000

/**
 * Returns the osmotic pressure in bar of water with `C` ppm at `T` °C: C·(T + 320)/491000 up to 20,000 ppm [D] 75, above
 * that (0.0117·C − 34)/14.23·(T + 320)/345 [D] 76. The two differ by 0.002 bar at the limit.
 */
export const osmoticPressure = (C: number, T: number): number =>
  C > brackishLimit ? (((0.0117 * C - 34) / 14.23) * (T + 320)) / 345 : (C * (T + 320)) / 491_000

/** Pressures in bar, concentrations in ppm, °C. */
export interface DrivingConditions {
  /** Pressure of the feed. */
  readonly feed: number
  /** Pressure drop from feed to concentrate; 0 if it is not measured, as in household devices. */
  readonly drop?: number
  /** Pressure of the permeate; 0 for an open tap. */
  readonly permeate?: number
  /** Mean concentration along the feed side, from `feedBrineConcentration`. */
  readonly feedBrine: number
  /** The permeate's TDS; without it, its osmotic pressure counts as 0. */
  readonly permeateTds?: number | null
  readonly T: number
}

/**
 * Returns the net driving pressure in bar: P_f − ΔP/2 − P_p − π_fb + π_p [A], [D]. It is 0 or negative where no water
 * passes the membrane.
 */
export const netDrivingPressure = ({
  feed,
  drop = 0,
  permeate = 0,
  feedBrine,
  permeateTds,
  T,
}: DrivingConditions): number =>
  feed - drop / 2 - permeate - osmoticPressure(feedBrine, T) + osmoticPressure(permeateTds ?? 0, T)

/** The conditions in which [N] rates household devices: 50 psi in bar, °C, and ppm of sodium chloride in the feed. */
export const nsf58 = { pressure: 3.447, T: 25, feedTds: 750 } as const

/** Conditions of a membrane, actual ones or those to which readings are standardised. */
export interface Conditions {
  /** Permeate flow; any unit, the same in both conditions. */
  readonly flow: number
  /** Net driving pressure, bar. */
  readonly ndp: number
  /** °C */
  readonly T: number
  /** ppm */
  readonly permeateTds: number
  /** Mean concentration along the feed side, ppm. */
  readonly feedBrine: number
}

/** Returns a quotient, or `null` if its divisor was 0 or so small that it has no finite value. */
const finite = (quotient: number): number | null => (Number.isFinite(quotient) ? quotient : null)

/**
 * Returns the permeate flow at standard conditions, in the unit of `actual.flow`: Q_a·NDP_s/NDP_a·TCF_s/TCF_a [A], [D] 72.
 * `null` for a negative flow, and without a positive net driving pressure on both sides. `coefficients` are the
 * membrane's (K).
 */
export function standardFlow(
  actual: Pick<Conditions, 'flow' | 'ndp' | 'T'>,
  standard: Pick<Conditions, 'ndp' | 'T'>,
  coefficients?: TemperatureCoefficients,
): number | null {
  if (actual.flow < 0 || !(actual.ndp > 0 && standard.ndp > 0)) return null
  return finite(
    (((actual.flow * standard.ndp) / actual.ndp) * temperatureCorrection(standard.T, coefficients)) /
      temperatureCorrection(actual.T, coefficients),
  )
}

/**
 * Returns the permeate's TDS in ppm at standard conditions: C_pa·NDP_a/NDP_s·C_fbs/C_fba [D] 78. For reports; a fouled
 * membrane, which takes more pressure for the same flow, changes it. `null` without a positive net driving pressure on both
 * sides, and without salt in the actual feed.
 */
export function standardPermeateTds(
  actual: Pick<Conditions, 'permeateTds' | 'ndp' | 'feedBrine'>,
  standard: Pick<Conditions, 'ndp' | 'feedBrine'>,
): number | null {
  if (!(actual.ndp > 0 && standard.ndp > 0 && actual.feedBrine > 0)) return null
  return finite((((actual.permeateTds * actual.ndp) / standard.ndp) * standard.feedBrine) / actual.feedBrine)
}

/**
 * Returns the salt passage as a share at standard conditions: SP_a·Q_a/Q_s·STCF_s/STCF_a with SP_a = C_pa/C_fba [A],
 * [D] 57, [H]. It is proportional to the membrane's permeability for salt, so fouling does not change it: for diagnosis.
 * `coefficients` (K) are those of the salt's permeability, by default the water's, as in [D]. `null` without a positive
 * flow on both sides, and without salt in the actual feed.
 */
export function standardSaltPassage(
  actual: Pick<Conditions, 'flow' | 'T' | 'permeateTds' | 'feedBrine'>,
  standard: Pick<Conditions, 'flow' | 'T'>,
  coefficients?: TemperatureCoefficients,
): number | null {
  if (!(actual.flow > 0 && standard.flow > 0 && actual.feedBrine > 0)) return null
  const passage = actual.permeateTds / actual.feedBrine
  return finite(
    (((passage * actual.flow) / standard.flow) * temperatureCorrection(standard.T, coefficients)) /
      temperatureCorrection(actual.T, coefficients),
  )
}

/** An analysis of water. */
export interface Analysis {
  readonly pH: number
  /** ppm */
  readonly tds: number
  /** °C */
  readonly T: number
  /** Calcium hardness and alkalinity, each in ppm as CaCO₃. */
  readonly calcium: number
  readonly alkalinity: number
}

/**
 * Returns the Langelier saturation index, for water up to 10,000 ppm: pH − (9.3 + A + B − C − D) with A = (lg TDS − 1)/10,
 * B = 34.55 − 13.12·lg(T + 273), C = lg calcium − 0.4, D = lg alkalinity [L]. Above 0, carbonate may precipitate. `null`
 * without salt, calcium or alkalinity, and at absolute zero and below.
 */
export function langelierIndex({ pH, tds, T, calcium, alkalinity }: Analysis): number | null {
  if (!(tds > 0 && calcium > 0 && alkalinity > 0 && T > absoluteZero)) return null
  const a = (Math.log10(tds) - 1) / 10
  const b = 34.55 - 13.12 * Math.log10(T + 273)
  const c = Math.log10(calcium) - 0.4
  const d = Math.log10(alkalinity)
  return pH - (9.3 + a + b - c - d)
}

/** Returns the median of sorted values; at least one is required. */
const medianOfSorted = (sorted: ArrayLike<number>): number =>
  (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2

/**
 * Returns the line through points [x, y] by Theil and Sen: the median of the slopes of all pairs with different x, and the
 * median of y − slope·x. Up to 29 % of the points may be outliers. The time grows with the square of the number of points.
 * `null` without two points of different x. Sources: Theil 1950, Sen 1968.
 */
export function theilSen(
  points: readonly (readonly [number, number])[],
): { readonly slope: number; readonly intercept: number } | null {
  const slopes: number[] = []
  for (let first = 0; first < points.length; first++)
    for (let second = first + 1; second < points.length; second++) {
      const [x1, y1] = points[first]!
      const [x2, y2] = points[second]!
      if (x1 !== x2) slopes.push((y2 - y1) / (x2 - x1))
    }
  if (slopes.length === 0) return null
  const slope = medianOfSorted(Float64Array.from(slopes).sort())
  return { slope, intercept: medianOfSorted(Float64Array.from(points, ([x, y]) => y - slope * x).sort()) }
}

/** A rank that is a whole number is not raised by a rounding error of the multiplication. */
const roundingError = 1e-9

/**
 * Returns the bound that a further score exceeds with a probability of at most 1 − `coverage`: of n scores the one with
 * rank ⌈coverage·(n + 1)⌉; Infinity if that exceeds n, for there are too few scores for a bound [Ang].
 */
export function conformalQuantile(scores: readonly number[], coverage: number): number {
  const rank = Math.max(1, Math.ceil(coverage * (scores.length + 1) - roundingError))
  return rank > scores.length ? Number.POSITIVE_INFINITY : Float64Array.from(scores).sort()[rank - 1]!
}
