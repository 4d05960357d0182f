/** One number for the health of a device, 0–100: the worst of its parts. */
import { knownChannel, saltChannels, wasLearned } from './channelState.ts'
import { blendOf, isSaltKnown } from './instruments.ts'
import { slowSize } from './thresholds.ts'
import type { Assessment, Finding } from './types/assessment.ts'
import type { Channel } from './types/channels.ts'
import type { HealthContext } from './types/context.ts'
import { unobservedChannels, type SensorFault } from './types/sensors.ts'
import type { HealthState } from './types/state.ts'

/** Changes at which a part is used up, as ln: flow down, salt passage up, pressure down. */
export const full = { a: -0.25, b: Math.LN2, h: -0.25 } as const
/** Scores from which a device is good, and from which it is watched; below that it needs action. */
const goodFrom = 80
const watchFrom = 50
/** Confidence from which a finding that asks for action makes the score 0, and people are notified. */
export const certain = 0.8
/**
 * The life that is left counts half, as a filter due next month is no fault, and from this share down: if it counted from
 * the first day, most of a fleet would be watched for filters that are half used.
 */
export const lifeWeight = 0.5
export const lifeFrom = 0.4

/**
 * Returns score, its worst part and the state. `life` is the smallest share of life left of a cartridge, 0–1. Salt passage does
 * not count where an open bypass hides the membrane's, nor does what has not been measured for long.
 */
export function scoreOf(
  state: HealthState,
  findings: readonly Finding[],
  { life, bypass_share }: Pick<HealthContext, 'bypass_share'> & { readonly life: number | undefined },
): Pick<Assessment, 'score' | 'worst' | 'state' | 'stale'> {
  const parts: [Assessment['worst'], number][] = []
  const stale: ScoredChannel[] = []
  const channels = isSaltKnown(blendOf(state, bypass_share)) ? (['a', 'b', 'h'] as const) : (['a', 'h'] as const)
  for (const part of channels) {
    const known = channelsOf(part)
      .map(channel => knownChannel(state, channel))
      .find(channel => channel !== undefined)
    if (known) parts.push([part, 1 - usedUp(part, known.level)])
    else if (channelsOf(part).some(channel => wasLearned(state, channel))) stale.push(part)
  }
  if (life !== undefined) parts.push(['life', 1 - lifeWeight * Math.max(0, 1 - life / lifeFrom)])
  if (findings.some(isCritical)) return { score: 0, worst: 'finding', state: 'act', stale }
  if (parts.length === 0) return { score: null, worst: null, state: 'learning', stale }
  const [worst, share] = parts.reduce((one, other) => (other[1] < one[1] ? other : one))
  const score = Math.round(100 * Math.min(1, Math.max(0, share)))
  const known = score >= goodFrom ? 'good' : score >= watchFrom ? 'watch' : 'act'
  return { score, worst, state: known === 'good' && findings.length > 0 ? 'watch' : known, stale }
}

/** Returns whether a finding asks for action and is sure enough, by the % that are shown: it makes the score 0 and becomes a notification. */
export const isCritical = ({ severity, confidence }: Pick<Finding, 'severity' | 'confidence'>): boolean =>
  severity === 'act' && Math.round(100 * confidence) >= 100 * certain

/** Returns the channels from which a part of the score can be computed, best first. */
export const channelsOf = (part: ScoredChannel): readonly Channel[] => (part === 'b' ? saltChannels : [part])

export type ScoredChannel = Channel & keyof typeof full

/** Returns the change of a channel that does not count, because its sensors may have wandered by it, as ln. */
export const freeOf = (channel: ScoredChannel): number => slowSize[channel] / 4

/** Returns the share of a channel's part that is used up, from 0 on. `level`: its change since it was new, as ln. */
export const usedUp = (channel: ScoredChannel, level: number): number =>
  Math.max(0, level * Math.sign(full[channel]) - freeOf(channel)) / Math.abs(full[channel])

/** Returns whether a part of the score is not measured while these sensors are defective. */
export const isScoreUnsure = (faults: readonly SensorFault[]): boolean =>
  unobservedChannels(faults).some(channel => channel in full)
