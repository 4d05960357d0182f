/** What the open findings of a device mean: causes with probabilities, beginnings, and evidence. */
import { overdue } from './contextFactors.ts'
import { evidenceOf, frame, position, round } from './findingParts.ts'
import { isLeadMeasured, keepFinding, membraneFinding, observedOf } from './membrane.ts'
import { knownBlend, noiseOf } from './instruments.ts'
import { creepOf, wornOf } from './openFindings.ts'
import { beginning } from './series.ts'
import { changeSince } from './tests.ts'
import { weighCauses } from './verdicts/odds.ts'
import type { Cause, Finding } from './types/assessment.ts'
import type { HealthContext } from './types/context.ts'
import type { Beginning, HealthState, OpenFinding } from './types/state.ts'

/** Returns the findings of the state: those that need action first, then those with the highest confidence. */
export function findingsOf(state: HealthState, context: HealthContext): Finding[] {
  return state.open
    .map(open => {
      if (open.group === 'membrane') return membraneFinding(state, context, open)
      const finding = plainFindingOf(state, context, open)
      return finding && judged(finding, context)
    })
    .filter(finding => finding !== undefined)
    .toSorted((one, other) => rank(other) - rank(one) || other.confidence - one.confidence)
}

const rank = ({ severity }: Finding) => (severity === 'act' ? 1 : 0)

/** A finding whose confidence is that of the method alone. */
type Claim = Omit<Finding, 'claimed'>

/** Returns the finding of a diagnosis group other than the membrane's: it has a few causes with given confidences. */
function plainFindingOf(state: HealthState, context: HealthContext, open: OpenFinding): Claim | undefined {
  switch (open.group) {
    case 'pressure':
      return pressureFinding(state, context, open)
    case 'tank':
      return tankFinding(state, context, open)
    case 'rest':
      return restFinding(state, open)
    case 'creep':
      return creepFinding(state, open)
    default:
      return wornFinding(state, context, open)
  }
}

/** Returns a finding with confidences that verdicts have moved; its cause stays, because the channels say it. */
function judged(claim: Claim, { verdicts }: HealthContext): Finding {
  const { cause, confidence, alternatives } = claim
  const claimed = { cause, confidence }
  const [first, ...others] = weighCauses(
    [claimed, ...alternatives].map(each => ({ cause: each.cause, probability: each.confidence })),
    verdicts,
  )
  return {
    ...claim,
    claimed,
    confidence: round(first!.probability),
    alternatives: others.map(each => ({ cause: each.cause, confidence: round(each.probability) })),
  }
}

/** Days after its detection at which the beginning of a finding is known as well as it will be. */
const settled = 28

/**
 * Keeps the beginnings of findings that are some weeks old: what the channels do later would seem to move them. Keeps what the
 * membrane's finding is, too, while that is measured.
 */
export function keepFindings(state: HealthState, context: HealthContext): void {
  for (const open of state.open) {
    if (open.group === 'membrane') keepFinding(state, context, open)
    if (open.began || state.day - open.day < settled) continue
    const began = beginningOf(state, context, open)
    if (began) open.began = { early: began.early, likely: began.likely, late: began.late, step: began.step }
  }
}

/** Returns the beginning of a finding that has one in the series of a channel. */
function beginningOf(state: HealthState, context: HealthContext, open: OpenFinding): Beginning | undefined {
  if (open.group === 'membrane')
    return isLeadMeasured(state, open, noiseOf(state, context)) ? observedOf(state, context, open)?.began : undefined
  const channel = open.group === 'pressure' ? 'h' : open.group === 'tank' ? 'tank' : undefined
  if (channel === undefined || state.channels[channel] === undefined) return undefined
  return beginning(state, channel, open, noiseOf(state, context))
}

/** Confidence in a pump, in one where the pre-filter may well have clogged, and in a pre-filter without a pump. */
const surePump = 0.9
const likelyPump = 0.6
const surePrefilter = 0.95

function pressureFinding(state: HealthState, context: HealthContext, open: OpenFinding): Claim | undefined {
  const known = state.channels.h
  if (known === undefined || known.baseline === null) return undefined
  const noise = noiseOf(state, context)
  const { value, error } = changeSince('h', known, open.before, state.day, noise)
  const began = beginning(state, 'h', open, noise)
  // A clogged pre-filter takes pressure from a pump as well: one that is overdue, or on a supply where others have clogged.
  const mayBeClogged = overdue(context, 0) || context.prefilter_lives !== undefined
  const pump = mayBeClogged ? likelyPump : surePump
  const causes: { cause: Cause; confidence: number }[] = context.boosted
    ? [
        { cause: 'pump', confidence: pump },
        { cause: 'prefilter', confidence: 0.97 - pump },
      ]
    : [
        { cause: 'prefilter', confidence: surePrefilter },
        { cause: 'unknown', confidence: 1 - surePrefilter },
      ]
  causes.sort((one, other) => other.confidence - one.confidence)
  const [first, ...alternatives] = causes
  return {
    ...frame(open, began),
    ...first!,
    ...position(first!.cause, context),
    alternatives,
    evidence: [evidenceOf('h', { value, error }, known.baseline, known.values.length, state.neighbours?.h)],
    severity: 'act',
  }
}

/** Confidence in a tank with less air. */
const sureTank = 0.95

function tankFinding(state: HealthState, context: HealthContext, open: OpenFinding): Claim | undefined {
  const known = state.channels.tank
  if (known === undefined || known.baseline === null) return undefined
  const noise = noiseOf(state, context)
  const change = changeSince('tank', known, open.before, state.day, noise)
  return {
    ...frame(open, beginning(state, 'tank', open, noise)),
    cause: 'tank',
    confidence: sureTank,
    alternatives: [{ cause: 'unknown', confidence: 1 - sureTank }],
    evidence: [evidenceOf('tank', change, known.baseline, known.values.length)],
    severity: 'act',
  }
}

/** l/h at rest that only an open valve lets through: as much as concentrate. A leak is less. */
const valveFlow = 6

function restFinding(state: HealthState, open: OpenFinding): Claim {
  const value = state.rest_today ?? state.rest.at(-1) ?? 0
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

/** Confidence in creep and in wear, and in wear by salt that is hardly known: because of an open bypass, or from glasses alone. */
const surePlain = 0.85
const doubtfulSalt = 0.5

function creepFinding(state: HealthState, open: OpenFinding): Claim {
  const { b, brief } = state.channels
  const baseline = (brief?.baseline ?? 0) - (b?.baseline ?? 0)
  return {
    ...foundBetween(open),
    cause: 'creep',
    confidence: surePlain,
    alternatives: [{ cause: 'unknown', confidence: round(1 - surePlain) }],
    evidence: [evidenceOf('creep', creepOf(state), baseline, brief?.values.length ?? 0)],
    severity: 'watch',
  }
}

function wornFinding(state: HealthState, context: HealthContext, open: OpenFinding): Claim {
  const noise = noiseOf(state, context)
  const { channel, change, unit } = wornOf(state, context.priors, noise)
  const known = state.channels[channel]
  // What passes in a glass also crept through at rest.
  const isMixed = channel === 'brief'
  const bypassed = channel === 'b' ? Math.min(1, (noise.blend - 1) / (knownBlend - 1)) : 0
  const confidence = round(surePlain + (doubtfulSalt - surePlain) * (isMixed ? 1 : bypassed))
  const baseline = unit === 'ln' ? (known?.baseline ?? null) : null
  return {
    ...foundBetween(open),
    cause: 'worn',
    ...position('worn', context),
    confidence,
    alternatives: [{ cause: isMixed ? 'creep' : 'unknown', confidence: round(1 - confidence) }],
    evidence: [{ ...evidenceOf(channel, change, baseline, known?.values.length ?? 0), unit }],
    severity: 'act',
  }
}

/** Of what grows so slowly that no beginning is searched for. */
const foundBetween = (open: OpenFinding) =>
  frame(open, { early: open.before, likely: open.day, late: open.day, step: -1 })
