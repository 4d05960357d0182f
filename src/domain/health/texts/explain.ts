/** Puts into words what a finding is made of: how sure it is, how far channels changed, and what speaks against it. */
import { formatNumber } from '../../format.ts'
import { causeNames } from './causeNames.ts'
import { channelTexts, type Measured } from './channelTexts.ts'
import type { Cause } from '../types.ts'

/** The probability in % from which a cause is named without reserve. */
export const sureFrom = 80

interface Diagnosis {
  readonly cause: Cause
  /** % */
  readonly confidence: number
  /** Probabilities, 0–1. */
  readonly alternatives: readonly { readonly cause: Cause; readonly confidence: number }[]
}

/** Returns the second likeliest cause with its probability in %; undefined if there is none. */
export function runnerUp({ cause, alternatives }: Diagnosis): { cause: Cause; confidence: number } | undefined {
  const [first] = alternatives
    .filter(each => each.cause !== cause)
    .toSorted((one, other) => other.confidence - one.confidence)
  return first && { cause: first.cause, confidence: Math.round(first.confidence * 100) }
}

/** Returns how sure a diagnosis is: `Fouling, 86 %`, or `Not sure: fouling 52 %, scaling 38 %`. */
export function certainty(diagnosis: Diagnosis): string {
  const { cause, confidence } = diagnosis
  if (confidence >= sureFrom) return `${causeNames[cause]}, ${confidence} %`
  const second = runnerUp(diagnosis)
  const likely = [{ cause, confidence }, ...(second ? [second] : [])]
  return `Not sure: ${likely.map(each => `${midSentence(causeNames[each.cause])} ${each.confidence} %`).join(', ')}`
}

/** Returns a name as it stands within a sentence; `O-ring` keeps its letter. */
const midSentence = (name: string) => (/^.[-A-Z]/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

/** Formats a change, given as a natural logarithm: `−14 %`, `+3 %`, `0 %`. */
export function changeInPercent(change: number): string {
  const percent = Math.round(Math.expm1(change) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${formatNumber(Math.abs(percent), 0)} %`
}

interface Change {
  readonly channel: Measured
  readonly value: number
  readonly error: number
  readonly unit: 'ln' | 'l/h'
  readonly expected: readonly [number, number | null]
}

/** Formats a change or a flow of evidence: `−14 %`, `0.52 l/h`. */
export const changeInWords = (value: number, unit: Change['unit']): string =>
  unit === 'ln' ? changeInPercent(value) : `${formatNumber(value, 2)} l/h`

/** Returns twice the standard error in the unit of the change: `± 3 %`. */
export const errorInWords = ({ error, unit }: Pick<Change, 'error' | 'unit'>): string =>
  unit === 'ln' ? `± ${Math.max(1, Math.round(200 * error))} %` : `± ${formatNumber(2 * error, 2)} l/h`

/** Standard errors beyond which an observation speaks against a cause, and the least distance that counts, as ln. */
const contraryErrors = 2
const contraryDistance = 0.03

/** Returns sentences about the channels in which a finding's cause does not fit. */
export const contradictions = (cause: Cause, evidence: readonly Change[]): string[] =>
  evidence.flatMap(each => {
    const distance = Math.abs(each.value - each.expected[0])
    if (distance < Math.max(contraryErrors * each.error, contraryDistance)) return []
    const observed = `${changeInWords(each.value, each.unit)} ${errorInWords(each)}`
    const expected = changeInWords(each.expected[0], each.unit)
    return [
      `${channelTexts[each.channel].name}: ${observed}, where ${midSentence(causeNames[cause])} would show ${expected}`,
    ]
  })

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

/** Returns the evidence that a finding rests on most: of what its cause changes most. */
export const leadingEvidence = <Evidence extends Change>(evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.toSorted((one, other) => Math.abs(other.expected[0]) - Math.abs(one.expected[0]))[0]
