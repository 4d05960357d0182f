/** One number for the health of a device, 0–100: the worst of its parts. */
import { blendOf, isSaltKnown } from './instruments.ts'
import { slowSize } from './thresholds.ts'
import type { Assessment, Finding } from './types/assessment.ts'
import type { Channel } from './types/channels.ts'
import type { HealthContext } from './types/context.ts'
import type { HealthState } from './types/state.ts'

/** Changes at which a part is used up, as ln: flow down, salt passage up, pressure down. */
const full = { a: -0.25, b: Math.LN2, h: -0.25 } as const
/** Scores from which a device is good, and from which it is watched; below that it needs action. */
const goodFrom = 80
const watchFrom = 50
/** Confidence from which a finding that asks for action makes the score 0, and is told. */
const certain = 0.8
/**
 * The life that is left counts half, as a filter due next month is no fault, and from this share down: if it counted from
 * the first day, most of a fleet would be watched for filters that are half used.
 */
const lifeWeight = 0.5
const lifeFrom = 0.4

/**
 * Returns score, its worst part and the state. `life` is the smallest share of life left of a cartridge, 0–1. Salt passage does
 * not count where an open bypass hides the membrane's.
 */
export function scoreOf(
  state: HealthState,
  findings: readonly Finding[],
  { life, bypass_share }: Pick<HealthContext, 'bypass_share'> & { readonly life: number | undefined },
): Pick<Assessment, 'score' | 'worst' | 'state'> {
  const parts: [Assessment['worst'], number][] = []
  const channels = isSaltKnown(blendOf(state, bypass_share)) ? (['a', 'b', 'h'] as const) : (['a', 'h'] as const)
  for (const channel of channels) {
    const level = levelOf(state, channel)
    if (level !== undefined) parts.push([channel, 1 - Math.max(0, level / full[channel])])
  }
  if (life !== undefined) parts.push(['life', 1 - lifeWeight * Math.max(0, 1 - life / lifeFrom)])
  if (findings.some(isCritical)) return { score: 0, worst: 'finding', state: 'act' }
  if (parts.length === 0) return { score: null, worst: null, state: 'learning' }
  const [worst, share] = parts.reduce((one, other) => (other[1] < one[1] ? other : one))
  const score = Math.round(100 * Math.min(1, Math.max(0, share)))
  const known = score >= goodFrom ? 'good' : score >= watchFrom ? 'watch' : 'act'
  return { score, worst, state: known === 'good' && findings.length > 0 ? 'watch' : known }
}

/** Returns whether a finding asks for action and is sure enough: it makes the score 0 and becomes a notification. */
export const isCritical = ({ severity, confidence }: Pick<Finding, 'severity' | 'confidence'>): boolean =>
  severity === 'act' && confidence >= certain

/** Returns how far a channel is from what it was when new, beyond what its sensors may have wandered. */
function levelOf(state: HealthState, channel: Channel & keyof typeof full): number | undefined {
  const known = state.channels[channel] ?? (channel === 'b' ? state.channels.brief : undefined)
  if (known === undefined || known.baseline === null) return undefined
  const free = slowSize[channel] / 4
  return Math.sign(known.level) * Math.max(0, Math.abs(known.level) - free)
}
