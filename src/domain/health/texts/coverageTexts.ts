/** Sentences on how forecasts turned out. */
import { cartridgeKinds } from '../../device.ts'
import { plural } from '../../plural.ts'
import { enoughOutcomes } from '../outcomes/ownWidths.ts'
import { formatNumber } from '../../format.ts'

/** How the forecasts of a kind of cartridge turned out, as in the API. */
interface Coverage {
  readonly kind: number
  readonly outcomes: number
  readonly inside: number
  readonly replaced_early: number
  readonly typical: boolean
}

/** Returns the name of a kind of cartridge for several: `Membranes`. */
export const kindsName = (kind: number): string => `${cartridgeKinds[kind as 0 | 1 | 2]}s`

/** Returns the share of the known outcomes that lie in their interval, in whole %; undefined with too few outcomes. */
export const coveredShare = ({ outcomes, inside }: Coverage): number | undefined =>
  outcomes < enoughOutcomes ? undefined : Math.round((100 * inside) / outcomes)

/**
 * Describes how forecasts of a kind turned out: `Of 143 forecasts of membranes 81 % ended inside their interval`, or with too
 * few outcomes `Membranes: typical interval; 7 own outcomes so far`.
 */
export function coverageText(coverage: Coverage): string {
  const { kind, outcomes, typical } = coverage
  const share = coveredShare(coverage)
  if (share === undefined) return `${kindsName(kind)}: typical interval; ${plural(outcomes, 'own outcome')} so far`
  const sentence = `Of ${formatNumber(outcomes)} forecasts of ${kindsName(kind).toLowerCase()} ${share} % ended inside their interval`
  return typical ? `${sentence}; the interval is typical so far` : sentence
}

/** Describes the forecasts about which early replacements leave nothing to say; undefined without any. */
export const earlyText = ({ replaced_early: early }: Coverage): string | undefined =>
  early === 0 ? undefined : `${formatNumber(early)} more unknown: replaced early`
