/** What the open findings of a device mean: causes with probabilities, beginnings, and evidence. */
import { changePoint, type ChangePoint, type Series } from './changePoint.ts'
import { unit } from './channelState.ts'
import { contextFactors, overdue } from './contextFactors.ts'
import { diagnose, type Diagnosis } from './diagnose.ts'
import { wanderCovariance } from './instruments.ts'
import { creepOf, membraneChannels, noiseOf } from './openFindings.ts'
import { sharpness } from './calibration.ts'
import { changeSince, type Change } from './tests.ts'
import { referenceAt } from './reference.ts'
import { slowSize } from './thresholds.ts'
import type { VectorChannel } from './signatures.ts'
import type { Cause, Channel, Evidence, Finding, HealthContext, HealthState, Neighbours, OpenFinding } from './types.ts'

/** Returns the findings of the state, most serious first. */
export function findingsOf(state: HealthState, context: HealthContext): Finding[] {
  return state.open
    .map(open => {
      switch (open.group) {
        case 'membrane':
          return membraneFinding(state, context, open)
        case 'pressure':
          return pressureFinding(state, context, open)
        case 'rest':
          return restFinding(state, open)
        default:
          return plainFinding(state, context, open)
      }
    })
    .filter(finding => finding !== undefined)
    .toSorted((one, other) => Number(other.severity === 'act') - Number(one.severity === 'act'))
}

/** Probability from which a finding asks for action. */
const actFrom = 0.5
/** Alternatives that are told: at most so many, with at least this probability. */
const maxAlternatives = 3
const minAlternative = 0.02

const round = (value: number) => Math.round(value * 1e4) / 1e4

/** Returns the channel with the largest change in multiples of its threshold. */
function leading(channels: readonly Channel[], changes: readonly Change[]): number {
  const sizes = changes.map(({ value }, at) => Math.abs(value) / slowSize[channels[at]!])
  return sizes.indexOf(Math.max(...sizes))
}

function membraneFinding(state: HealthState, context: HealthContext, open: OpenFinding): Finding | undefined {
  const noise = noiseOf(state, context)
  const channels = membraneChannels(state).filter(channel => channel !== 'f' || state.channels.f !== undefined)
  if (channels.length === 0) return undefined
  const changes = channels.map(channel => changeSince(channel, state.channels[channel]!, open.before, state.day, noise))
  const covariance = channels.map((one, row) =>
    channels.map((other, column) =>
      row === column ? changes[row]!.error ** 2 : 1.3 * wanderCovariance(noise.gains, one, other),
    ),
  )
  const lead = channels[leading(channels, changes)]!
  const began = beginning(state, context, lead, open, noise)
  const names = channels.map(channel => (channel === 'brief' ? 'b' : channel) as VectorChannel)
  const causes = diagnose(
    { channels: names, values: changes.map(({ value }) => value), covariance, step: began.step },
    contextFactors(state, context, began),
    sharpness,
  )
  const [first, second] = causes
  const expected = (channel: Channel, { signature, size }: Diagnosis) =>
    signature === undefined ? 0 : signature.ratios[(['a', 'b', 'r', 'f'] as const).indexOf(nameOf(channel))]! * size
  const evidence = channels.map((channel, at): Evidence => {
    const known = state.channels[channel]!
    return {
      channel,
      value: round(changes[at]!.value),
      error: round(changes[at]!.error),
      unit: 'ln',
      baseline: known.baseline,
      neighbours: context.neighbours[channel] ?? null,
      days: known.values.length,
      expected: [round(expected(channel, first!)), second === undefined ? null : round(expected(channel, second))],
    }
  })
  return {
    ...frame(open, began),
    cause: first!.cause,
    ...position(first!.cause, context),
    confidence: round(first!.probability),
    alternatives: causes
      .slice(1, 1 + maxAlternatives)
      .filter(({ probability }) => probability >= minAlternative)
      .map(({ cause, probability }) => ({ cause, confidence: round(probability) })),
    evidence,
    severity: first!.probability >= actFrom && first!.cause !== 'feed_water' ? 'act' : 'watch',
  }
}

const nameOf = (channel: Channel): VectorChannel => (channel === 'brief' ? 'b' : (channel as VectorChannel))

const frame = (open: OpenFinding, began: ChangePoint) => ({
  number: open.number,
  group: open.group,
  detected: open.day,
  began: { early: began.early, likely: began.likely, late: began.late },
  tempo: began.step > 0 ? ('step' as const) : ('ramp' as const),
})

/** Returns the position of the cartridge that a cause is about, if the device has one of its kind. */
function position(cause: Cause, { cartridges }: HealthContext): { position?: number } {
  const kind = cause === 'prefilter' ? 0 : ['fouling', 'scaling', 'oxidation', 'oring', 'worn'].includes(cause) ? 2 : -1
  const found = cartridges.find(cartridge => cartridge.kind === kind)
  return found === undefined ? {} : { position: found.position }
}

/** Days before the finding's reference that the series for its beginning starts. */
const lead = 14

/** Returns when a finding began by the series of one channel. */
function beginning(
  state: HealthState,
  context: HealthContext,
  channel: Channel,
  open: OpenFinding,
  noise: ReturnType<typeof noiseOf>,
): ChangePoint {
  const known = state.channels[channel]!
  const wandering = wanderCovariance(noise.gains, channel, channel)
  const { value } = referenceAt(known, open.before, state.day, { wandering, spread: noise.spread })
  const series = seriesOf(state, context, channel, open.before - lead)
  return changePoint(series, value) ?? { early: open.before, likely: open.day, late: open.day, step: 0 }
}

/** Returns the residuals of a channel from a day on: stored ones if the server gave them, else those of the state. */
function seriesOf(state: HealthState, context: HealthContext, channel: Channel, from: number): Series {
  const { weeks, medians, days, values } = state.channels[channel]!
  const stored = context.recent
    ?.filter(({ day, residuals }) => day >= from && residuals[channel] !== undefined)
    .map(({ day, residuals }) => [day, residuals[channel]!] as const)
  const points =
    stored !== undefined && stored.length >= days.length
      ? stored
      : [
          ...weeks
            .map((week, at) => [week * 7 + 3, medians[at]! / unit] as const)
            .filter(([day]) => day >= from && day + 4 <= days[0]!),
          ...days.map((day, at) => [day, values[at]! / unit] as const).filter(([day]) => day >= from),
        ]
  return { days: points.map(([day]) => day), values: points.map(([, value]) => value) }
}

function pressureFinding(state: HealthState, context: HealthContext, open: OpenFinding): Finding | undefined {
  const known = state.channels.h
  if (known === undefined || known.baseline === null) return undefined
  const noise = noiseOf(state, context)
  const { value, error } = changeSince('h', known, open.before, state.day, noise)
  const began = beginning(state, context, 'h', open, noise)
  // A pump also loses pressure behind a clogged pre-filter.
  const filter = overdue(context, 0) ? 0.75 : 0.35
  const causes: { cause: Cause; confidence: number }[] = context.boosted
    ? [
        { cause: 'pump', confidence: 0.95 - filter * 0.6 },
        { cause: 'prefilter', confidence: filter * 0.6 },
      ]
    : [{ cause: 'prefilter', confidence: 0.92 }]
  causes.sort((one, other) => other.confidence - one.confidence)
  const [first, ...alternatives] = causes
  return {
    ...frame(open, began),
    ...first!,
    ...position(first!.cause, context),
    alternatives,
    evidence: [evidenceOf('h', { value, error }, known.baseline, known.values.length, context.neighbours.h)],
    severity: 'act',
  }
}

const evidenceOf = (
  channel: Evidence['channel'],
  { value, error }: Change,
  baseline: number | null,
  days: number,
  neighbours?: Neighbours,
): Evidence => ({
  channel,
  value: round(value),
  error: round(error),
  unit: channel === 'rest' ? 'l/h' : 'ln',
  baseline,
  neighbours: neighbours ?? null,
  days,
  expected: [round(value), null],
})

/** l/h at rest that only an open valve lets through: as much as concentrate. A leak is less. */
const valveFlow = 6

function restFinding(state: HealthState, open: OpenFinding): Finding {
  const value = state.rest.at(-1) ?? 0
  const isValve = value >= valveFlow
  const confidence = Math.min(0.95, 0.6 + 0.2 * Math.abs(Math.log(Math.max(0.1, value) / valveFlow)))
  return {
    ...frame(open, { early: open.day - 1, likely: open.day, late: open.day, step: 1 }),
    cause: isValve ? 'valve_stuck' : 'leak',
    confidence,
    alternatives: [{ cause: isValve ? 'leak' : 'valve_stuck', confidence: 0.97 - confidence }],
    evidence: [evidenceOf('rest', { value, error: 0.05 }, null, state.rest.length)],
    severity: 'act',
  }
}

function plainFinding(state: HealthState, context: HealthContext, open: OpenFinding): Finding {
  const isCreep = open.group === 'creep'
  const lead: Channel =
    (state.channels.b?.level ?? 0) / slowSize.b > -(state.channels.a?.level ?? 0) / slowSize.a ? 'b' : 'a'
  const known = state.channels[lead]
  const value = isCreep ? creepOf(state) : (known?.level ?? 0)
  return {
    ...frame(open, { early: open.before, likely: open.day, late: open.day, step: -1 }),
    cause: isCreep ? 'creep' : 'worn',
    ...position(open.group === 'worn' ? 'worn' : 'creep', context),
    confidence: 0.85,
    alternatives: [{ cause: 'unknown', confidence: 0.15 }],
    evidence: [
      evidenceOf(isCreep ? 'creep' : lead, { value, error: 0.05 }, known?.baseline ?? null, known?.values.length ?? 0),
    ],
    severity: isCreep ? 'watch' : 'act',
  }
}
