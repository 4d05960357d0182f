/** What a finding is made of: its runner-up, its leading evidence, and what speaks against it. */
import { formatDate, formatDay, formatNumber } from '../../format.ts'
import { usualCoefficients } from '../../normalise.ts'
import { minDegrees, minDevices } from '../maths/coefficients.ts'
import { channelTexts, type Measured } from './channelTexts.ts'
import { changeText } from './findingTexts.ts'
import type { Cause, Evidence } from '../types/assessment.ts'

interface Diagnosis {
  readonly cause: Cause
  /** In %, as those of the alternatives. */
  readonly confidence: number
  readonly alternatives: readonly { readonly cause: Cause; readonly confidence: number }[]
}

/** Returns the second likeliest cause with its probability in %; undefined if there is none. */
export function runnerUp({ cause, alternatives }: Diagnosis): Diagnosis['alternatives'][number] | undefined {
  return alternatives
    .filter(each => each.cause !== cause)
    .toSorted((one, other) => other.confidence - one.confidence)[0]
}

/** Returns when a finding began, with its interval: `It began between Mar 5 and Mar 25, most likely on Mar 15.` */
export function beganText(finding: {
  readonly began_early: string
  readonly began_at: string
  readonly began_late: string
}): string {
  const [early, likely, late] = [finding.began_early, finding.began_at, finding.began_late].map(formatDay)
  return early === late ? `It began on ${likely}.` : `It began between ${early} and ${late}, most likely on ${likely}.`
}

interface Change {
  readonly channel: Measured
  readonly value: number
  readonly error: number
  readonly unit: Evidence['unit']
  readonly expected: readonly [number, number | null]
}

/** Returns twice the standard error in the unit of the change: `± 3 %`. */
export const errorInWords = ({ error, unit }: Pick<Change, 'error' | 'unit'>): string =>
  unit === 'l/h' ? `± ${formatNumber(2 * error, 1)} l/h` : `± ${Math.max(1, Math.round(200 * error))} %`

/** Standard errors beyond which an observation speaks against a cause, and the least distance that counts, as ln. */
const contraryErrors = 2
const contraryDistance = 0.03

/** Returns the channels that do not fit the cause of a finding: `Salt passage: +20 % ± 4 %, expected 0 %`. */
export const contradictions = (evidence: readonly Change[]): string[] =>
  evidence
    .filter(
      ({ value, error, expected }) =>
        Math.abs(value - expected[0]) >= Math.max(contraryErrors * error, contraryDistance),
    )
    .map(each => {
      const observed = `${changeText(each.value, each.unit)} ${errorInWords(each)}`
      return `${channelTexts[each.channel].name}: ${observed}, expected ${changeText(each.expected[0], each.unit)}`
    })

/** Returns the text for a cause that nothing contradicts. If one channel alone shows the cause, no other was compared. */
export function nothingAgainst(evidence: readonly Change[]): string {
  const [only, ...others] = evidence
  return only && others.length === 0 && only.expected[1] === null
    ? `Only one quantity shows this cause, so nothing else was compared: ${channelTexts[only.channel].name}.`
    : 'Nothing that was observed.'
}

/**
 * Returns the temperature coefficients of a device's membrane, and where they are from. `correction`: what its type adds to
 * the general ones, in K, a salt of 0 if only the flow is fitted; null if its type is not fitted yet.
 */
export function correctionText(
  correction: { readonly water: number; readonly salt: number; readonly fitted_at: string } | null,
): string {
  const coefficients = (added: number) => {
    const [cold, hot] = [usualCoefficients.cold + added, usualCoefficients.hot + added]
    return `K ${formatNumber(cold)} below 25 °C, otherwise ${formatNumber(hot)}`
  }
  if (correction === null)
    return `${coefficients(0)}, as usual for such membranes. Once ${minDevices} devices with this type have each seen temperatures ${minDegrees} °C apart, its own coefficients are fitted.`
  const { water, salt, fitted_at } = correction
  // If too few devices of a type have settled readings, only the flow is fitted (`fits.ts`).
  if (salt === 0)
    return `Flow: ${coefficients(water)}, fitted to this membrane type from how its devices follow the seasons, on ${formatDate(fitted_at)}. Salt: ${coefficients(0)}, as usual for such membranes: too few devices have settled readings from different seasons.`
  return `Flow: ${coefficients(water)}. Salt: ${coefficients(salt)}. Fitted to this membrane type from how its devices follow the seasons, on ${formatDate(fitted_at)}.`
}

interface Active extends Diagnosis {
  readonly state: 'open' | 'shelved' | 'resolved' | 'dismissed'
  readonly severity: 'act' | 'watch'
}

/** Returns the findings that have not ended, the most serious one first. */
export const activeFindings = <Finding extends Active>(findings: readonly Finding[]): Finding[] =>
  findings
    .filter(({ state }) => state === 'open' || state === 'shelved')
    .toSorted((one, other) => rank(other) - rank(one) || other.confidence - one.confidence)

const rank = ({ state, severity }: Active) => (state === 'open' ? 2 : 0) + (severity === 'act' ? 1 : 0)

/** Returns the evidence that a finding rests on most: of what its cause changes most, or has changed most if none is known. */
export const leadingEvidence = <Each extends Change>(evidence: readonly Each[]): Each | undefined =>
  evidence.toSorted(
    (one, other) =>
      Math.abs(other.expected[0]) - Math.abs(one.expected[0]) || Math.abs(other.value) - Math.abs(one.value),
  )[0]
