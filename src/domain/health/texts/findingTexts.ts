/** Findings in words: what has changed, by how much and for how long, and what it is likely to be. */
import { formatNumber } from '../../format.ts'
import { lowerFirst } from '../../lib/lowerFirst.ts'
import { plural } from '../../plural.ts'
import { msPerDay } from '../../time.ts'
import { causeNames, causeLabels } from './causeNames.ts'
import { channelTexts } from './channelTexts.ts'
import type { Cause, Evidence } from '../types/assessment.ts'

/** Returns a change in words: natural logarithms and shares as a percentage, flows at rest in litres an hour. */
export function changeText(value: number, unit: Evidence['unit']): string {
  if (unit === 'l/h') return `${formatNumber(value, 1)} l/h`
  if (unit === 'share') return `${formatNumber(100 * value)} %`
  const percent = Math.round((Math.exp(value) - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${formatNumber(Math.abs(percent))} %`
}

/** Confidence in % below which a cause is called not sure. */
const sureFrom = 60

/** The parts of a finding that its texts are made of. */
export interface DescribedFinding {
  readonly cause: Cause
  /** In %, as those of the alternatives. */
  readonly confidence: number
  readonly alternatives: readonly { readonly cause: Cause; readonly confidence: number }[]
  readonly evidence: readonly Pick<Evidence, 'channel' | 'value' | 'error' | 'unit' | 'neighbours'>[]
  readonly began_at: string
}

/** Confidence in % from which another cause is possible where none is known. */
const possibleFrom = 10

/**
 * Returns the likely cause: `Fouling, 86 %`, or `Not sure: fouling 52 %, scaling 38 %`. However likely it is that no known cause
 * fits, that is not sure: `Not sure, possibly fouling 12 %`.
 */
export function causeText({ cause, confidence, alternatives }: DescribedFinding): string {
  if (cause === 'unknown') {
    const possible = possibleCause({ cause, alternatives })
    return possible
      ? `${causeLabels[cause]}, possibly ${lowerFirst(causeNames[possible.cause])} ${possible.confidence} %`
      : causeLabels[cause]
  }
  if (confidence >= sureFrom) return `${causeNames[cause]}, ${confidence} %`
  const [second] = alternatives
  const other = second ? `, ${lowerFirst(causeNames[second.cause])} ${second.confidence} %` : ''
  return `Not sure: ${lowerFirst(causeNames[cause])} ${confidence} %${other}`
}

/** Returns the cause that is possible where none is known, with its probability in %; undefined if there is none. */
export const possibleCause = ({ cause, alternatives }: Pick<DescribedFinding, 'cause' | 'alternatives'>) =>
  alternatives
    .filter(other => other.cause !== cause && other.confidence >= possibleFrom)
    .toSorted((one, other) => other.confidence - one.confidence)[0]

/**
 * Returns the line of findings that belong together: `Fouling: 12 of 40 devices on Storgata`. Devices without a label of their supply
 * are those with similar feed water.
 */
export const findingsText = (group: {
  readonly cause: Cause
  readonly devices: number
  readonly of: number
  readonly water_supply: string | null
}): string => {
  const where = group.water_supply === null ? 'with similar feed water' : `on ${group.water_supply}`
  return `${causeLabels[group.cause]}: ${group.devices} of ${group.of} devices ${where}`
}

/** Returns the evidence that speaks loudest: the largest change in standard errors. */
const loudest = ({ evidence }: DescribedFinding) =>
  evidence.toSorted((one, other) => loudness(other) - loudness(one))[0]
const loudness = ({ value, error }: { readonly value: number; readonly error: number }) =>
  Math.abs(value) / Math.max(error, 0.005)

/** Causes that grow so slowly that nobody knows when they began: what they have changed is since the device was new. */
const sinceNew: ReadonlySet<Cause> = new Set<Cause>(['worn', 'creep'])

/** Returns since when a finding has changed something; what is no change but a share has no such time. */
function timeText({ cause, began_at }: DescribedFinding, unit: Evidence['unit'], now: number): string {
  if (unit === 'share') return ''
  if (sinceNew.has(cause)) return ' since new'
  return ` in ${plural(Math.max(1, Math.round((now - Date.parse(began_at)) / msPerDay)), 'day')}`
}

/** Returns a finding in a line: `Standard flow −14 % in 38 days (neighbours −1 %): fouling, 86 %`. `now`: milliseconds. */
export function findingText(finding: DescribedFinding, now: number): string {
  const cause = causeText(finding)
  const first = loudest(finding)
  if (!first) return cause
  const neighbours = first.neighbours ? ` (neighbours ${changeText(first.neighbours.median, first.unit)})` : ''
  const change = `${channelTexts[first.channel].name} ${changeText(first.value, first.unit)}`
  return `${change}${timeText(finding, first.unit, now)}${neighbours}: ${lowerFirst(cause)}`
}
