/** Findings of the membrane, its seals, its restrictor and the sensors: channels that are diagnosed together. */
import { sizeOf } from './maths/changePoint.ts'
import { contextFactors } from './contextFactors.ts'
import { diagnose, type Diagnosis, type Observed } from './diagnose.ts'
import { noiseOf, usualRecovery, wanderCovariance, type Noise } from './instruments.ts'
import { frame, position, round } from './findingParts.ts'
import { measuring, membraneChannels } from './openFindings.ts'
import { doubtfulPart } from './residuals.ts'
import { sharpness } from './calibration.ts'
import { beginning, seriesOf } from './series.ts'
import { changeSince, type Change } from './tests.ts'
import { slowSize } from './thresholds.ts'
import { weighCauses } from './verdicts/odds.ts'
import { vectorChannels, type VectorChannel } from './signatures.ts'
import { watchedCauses, type Evidence, type Finding } from './types/assessment.ts'
import type { Channel } from './types/channels.ts'
import type { HealthContext } from './types/context.ts'
import type { HealthState, OpenFinding } from './types/state.ts'

/** Probability from which a finding asks for action. */
const actFrom = 0.5
/** The first alternative is always listed, others up to this number if they have at least this probability. */
const maxAlternatives = 3
const minAlternative = 0.02
/** The highest confidence of a cause, because none is certain; the first alternative has at least the rest. */
const maxConfidence = 0.99

/** Share of the errors of two channels that goes together; the rest is their own. */
const common = 0.9
/** Returns the channel with the largest change in multiples of its threshold. */
function leading(channels: readonly Channel[], changes: readonly Change[]): number {
  const sizes = changes.map(({ value }, at) => Math.abs(value) / slowSize[channels[at]!])
  return sizes.indexOf(Math.max(...sizes))
}

/** Returns what is observed of a membrane's finding; undefined if no channel has data. */
export function observedOf(state: HealthState, context: HealthContext, open: OpenFinding) {
  const noise = noiseOf(state, context)
  const channels = membraneChannels(state, noise)
  if (channels.length === 0) return undefined
  const rough = channels.map(channel => changeSince(channel, state.channels[channel]!, open.before, state.day, noise))
  const began = beginning(state, channels[leading(channels, rough)]!, open, noise)
  // What the leading channel did from its beginning on, the others are searched for. Later, all are compared with their trend
  // before it.
  const { shape } = began
  const sizes = channels.map((channel, at): Change => {
    if (shape === undefined) return rough[at]!
    const wander = wanderCovariance(noise.gains, channel, channel)
    const { value, variance } = sizeOf(seriesOf(state, channel, open), shape, wander)
    return Number.isFinite(variance) ? { value, error: Math.sqrt(variance) } : rough[at]!
  })
  // A supply of few devices shows that its water has changed, and not by how much.
  const changes = sizes.map(({ value, error }, at): Change => {
    const channel = channels[at]!
    return { value, error: Math.hypot(error, doubtfulPart(channel, state.neighbours?.[channel])) }
  })
  // The errors of two channels go together as far as they come from the same sensors.
  const share = (at: number) =>
    sizes[at]!.error / Math.sqrt(wanderCovariance(noise.gains, channels[at]!, channels[at]!))
  const covariance = channels.map((one, row) =>
    channels.map((other, column) =>
      row === column
        ? changes[row]!.error ** 2
        : share(row) * share(column) * common * wanderCovariance(noise.gains, one, other),
    ),
  )
  const names = channels.map(nameOf)
  const observed: Observed = {
    channels: names,
    values: changes.map(({ value }) => value),
    covariance,
    step: began.step,
    recovery: state.recovery ?? usualRecovery,
  }
  return { channels, changes, began, observed, factors: contextFactors(state, context, began) }
}

/**
 * Returns whether what led a finding of the membrane is still measured. Until that is known, as in states of earlier versions,
 * it counts as measured.
 */
export const isLeadMeasured = (state: HealthState, { lead }: OpenFinding, noise: Noise): boolean =>
  lead === undefined || measuring(state, lead, membraneChannels(state, noise)) !== undefined

/** Days for which a finding is kept anew each day, because its cause is being revised; and days between two later ones. */
const revisedDays = 28
const keptFor = 7

/** Keeps what the membrane's finding is, for days on which what led it is not measured. */
export function keepFinding(state: HealthState, context: HealthContext, open: OpenFinding): void {
  const { known, lead, day } = open
  const isKept = known !== undefined && state.day - day >= revisedDays && state.day - known.day < keptFor
  if (isKept || lead === undefined || !isLeadMeasured(state, open, noiseOf(state, context))) return
  const finding = diagnosedFinding(state, context, open)
  if (finding === undefined) return
  const { number: _number, group: _group, detected: _detected, ...others } = finding
  open.known = { day: state.day, finding: others }
}

/**
 * Returns the finding of the channels that a membrane, its seals, its restrictor and the sensors change: as it was last known
 * while what led it is not measured, because the other channels alone say something else.
 */
export function membraneFinding(state: HealthState, context: HealthContext, open: OpenFinding): Finding | undefined {
  const { number, group, day: detected, known } = open
  return known === undefined || isLeadMeasured(state, open, noiseOf(state, context))
    ? diagnosedFinding(state, context, open)
    : { number, group, detected, ...known.finding }
}

function diagnosedFinding(state: HealthState, context: HealthContext, open: OpenFinding): Finding | undefined {
  const found = observedOf(state, context, open)
  if (found === undefined) return undefined
  const { channels, changes, began } = found
  const diagnoses = diagnose(found.observed, found.factors, sharpness)
  const [claimed] = diagnoses
  const causes = weighCauses(diagnoses, context.verdicts).toSorted((one, other) => other.probability - one.probability)
  const [first, second] = causes
  const expected = (channel: Channel, { signature, size }: Diagnosis) =>
    signature === undefined ? 0 : signature.ratios[vectorChannels.indexOf(nameOf(channel))]! * size
  const evidence = channels.map((channel, at): Evidence => {
    const known = state.channels[channel]!
    return {
      channel,
      value: round(changes[at]!.value),
      error: round(changes[at]!.error),
      unit: 'ln',
      baseline: known.baseline,
      neighbours: state.neighbours?.[channel] ?? null,
      days: known.values.length,
      expected: [round(expected(channel, first!)), second === undefined ? null : round(expected(channel, second))],
    }
  })
  return {
    ...frame(open, began),
    cause: first!.cause,
    ...position(first!.cause, context),
    confidence: round(Math.min(maxConfidence, first!.probability)),
    claimed: { cause: claimed!.cause, confidence: round(Math.min(maxConfidence, claimed!.probability)) },
    alternatives: causes
      .slice(1, 1 + maxAlternatives)
      .filter(({ probability }, at) => at === 0 || probability >= minAlternative)
      .map(({ cause, probability }, at) => ({
        cause,
        confidence: round(at === 0 ? Math.max(1 - maxConfidence, probability) : probability),
      })),
    evidence,
    severity: first!.probability >= actFrom && !watchedCauses.has(first!.cause) ? 'act' : 'watch',
  }
}

const nameOf = (channel: Channel): VectorChannel => (channel === 'brief' ? 'b' : (channel as VectorChannel))
