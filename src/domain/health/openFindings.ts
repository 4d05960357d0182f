/** Opens and closes the findings of a device, day by day. What they mean, `diagnose` says. */
import { hasTank, restartTrend, residualScale, saltChannel, saltChannels } from './channelState.ts'
import { isSaltKnown, noiseOf, wanderCovariance, type Noise } from './instruments.ts'
import { median, robustDeviation } from './maths/median.ts'
import { changeSince, slowTest, stepTest, type Change } from './tests.ts'
import {
  closedBelow,
  closedDays,
  creepDays,
  creepErrors,
  creepSize,
  minRestFlow,
  slowDays,
  slowReach,
  slowReachOf,
  slowSize,
  stepDays,
  wornFlow,
  wornRejection,
  wornSalt,
} from './thresholds.ts'
import { ageing } from './residuals.ts'
import type { DiagnosisGroup, Evidence } from './types/assessment.ts'
import type { ByChannel, Channel } from './types/channels.ts'
import type { HealthContext, MembranePriors } from './types/context.ts'
import type { ChannelState, HealthState, OpenFinding } from './types/state.ts'

/** Days without data after which a channel says nothing about today. */
const current = 7

/**
 * Returns the channels of the membrane's diagnosis group that count: brief readings only where there are no settled ones, and
 * none of salt where most of it comes through the bypass.
 */
export function membraneChannels(state: HealthState, { blend }: Pick<Noise, 'blend'>): Channel[] {
  const isLive = (channel: Channel) => {
    const known = state.channels[channel]
    return known !== undefined && known.baseline !== null && state.day - known.day <= current
  }
  const salt = isSaltKnown(blend) ? [isLive('b') ? ('b' as const) : ('brief' as const)] : []
  return (['a', ...salt, 'r', 'f', 'meter'] as const).filter(isLive)
}

/** Opens, updates and closes findings by the state after the day `state.day`. */
export function updateFindings(state: HealthState, context: HealthContext): void {
  const noise = noiseOf(state, context)
  const membrane = membraneChannels(state, noise)
  // A changed feed TDS alone is the water's matter; it counts as evidence.
  const opened = countTestDays(state, [...membrane.filter(channel => channel !== 'f'), 'h', 'tank'], noise)
  follow(state, 'membrane', opened.membrane, open => membraneSize(state, open, membrane, noise))
  follow(state, 'pressure', opened.pressure, open => sizeSince('h', state, open, noise))
  follow(state, 'tank', opened.tank, open => sizeSince('tank', state, open, noise))
  const rest = state.rest.at(-1) ?? 0
  follow(state, 'rest', rest >= minRestFlow ? state.day : undefined, () => rest / minRestFlow)
  const creep = isSaltKnown(noise.blend) ? creepOf(state) : noChange
  state.creep = creep.value >= Math.max(creepSize, creepErrors * creep.error) ? (state.creep ?? 0) + 1 : 0
  follow(state, 'creep', state.creep >= creepDays ? state.day - slowReach : undefined, () => creep.value / creepSize)
  const worn = isOpen(state, 'membrane') ? 0 : wornOf(state, context.priors, noise).size
  follow(state, 'worn', worn >= 1 ? state.day - slowReach : undefined, () => worn)
}

/**
 * Opens a finding of the flow at rest on a day that goes on, because a leak must not wait for its end. `flow`: l/h so far, 0 if
 * it has lasted for fewer hours than count.
 */
export function followRestFlow(state: HealthState, day: number, flow: number): void {
  if (flow < minRestFlow) return
  state.rest_today = flow
  if (!isOpen(state, 'rest')) open(state, 'rest', { day, before: day })
}

const isOpen = (state: HealthState, group: DiagnosisGroup) => state.open.some(finding => finding.group === group)

/** Returns the diagnosis group of a channel. */
const groupOf = (channel: Channel | undefined): DiagnosisGroup =>
  channel === 'h' ? 'pressure' : channel === 'tank' ? 'tank' : 'membrane'

/**
 * Multiples of the thresholds that a device with a tank needs: its flow and its tank's air are taken at the ends of runs, and
 * how far people let the tank fill changes from week to week.
 */
const withTank: ByChannel<{ readonly slow: number; readonly step: number }> = {
  a: { slow: 1.25, step: 1.7 },
  tank: { slow: 1.2, step: 1 },
}
const usual = { slow: 1, step: 1 }

/** Returns the multiples of its thresholds that a channel of a device needs. */
const neededOf = (state: Pick<HealthState, 'channels'>, channel: Channel) =>
  (hasTank(state) && withTank[channel]) || usual

/** Returns the changes of a device's channels, as ln, from which on a slow one is a finding. */
export const slowThresholds = (state: Pick<HealthState, 'channels'>): Readonly<Record<Channel, number>> => ({
  ...slowSize,
  a: slowSize.a * neededOf(state, 'a').slow,
  tank: slowSize.tank * neededOf(state, 'tank').slow,
})

/**
 * Counts for each channel the days for which its tests have been over their thresholds. Returns the diagnosis groups in which they
 * have been so for long enough, each with the day before which nothing had begun.
 */
function countTestDays(state: HealthState, tested: readonly Channel[], noise: Noise) {
  const opened: Partial<Record<DiagnosisGroup, number>> = {}
  for (const channel of tested) {
    const known = state.channels[channel]
    if (known === undefined || known.baseline === null || known.day !== state.day) continue
    const step = stepTest(channel, known, noise)
    const needed = neededOf(state, channel)
    known.slow = slowTest(channel, known, state.day, noise) >= needed.slow ? known.slow + 1 : 0
    known.step = step.size >= needed.step ? known.step + 1 : 0
    const group = groupOf(channel)
    // Higher pressure behind the pre-filter, or more air in the tank, is good news.
    if ((channel === 'h' && known.level > 0) || (channel === 'tank' && known.level > 0)) continue
    if (known.step >= stepDays) {
      if (!isOpen(state, group)) restartTrend(known, median(known.values.slice(-4)) / residualScale)
      opened[group] ??= state.day - 8
    }
    if (known.slow >= slowDays) opened[group] = state.day - slowReachOf(channel)
  }
  return opened
}

/** Returns the change of a channel since a finding began, in multiples of its threshold; 0 without a baseline. */
function sizeSince(channel: Channel, state: HealthState, { before }: OpenFinding, noise: Noise): number {
  const known = state.channels[channel]
  if (known === undefined || known.baseline === null) return 0
  return Math.abs(changeSince(channel, known, before, state.day, noise).value) / slowSize[channel]
}

const isSalt = (channel: Channel) => (saltChannels as readonly Channel[]).includes(channel)

/**
 * Returns that of the membrane's channels which measures what led a finding, against a baseline without the fault; undefined
 * if none does. Short draws and settled readings stand for each other.
 */
export const measuring = (
  { channels }: HealthState,
  { channel, day }: NonNullable<OpenFinding['lead']>,
  membrane: readonly Channel[],
): Channel | undefined =>
  membrane.find(each => (each === channel || (isSalt(each) && isSalt(channel))) && channels[each]!.since <= day)

/**
 * Returns the largest change of the membrane's channels since their finding began, in multiples of their thresholds, and keeps
 * which channel that is. Undefined on days that do not measure what led the finding, unless another channel is over its threshold.
 */
function membraneSize(
  state: HealthState,
  open: OpenFinding,
  membrane: readonly Channel[],
  noise: Noise,
): number | undefined {
  let [largest, size]: [Channel | undefined, number] = [undefined, 0]
  for (const channel of membrane) {
    const found = sizeSince(channel, state, open, noise)
    if (largest === undefined || found > size) [largest, size] = [channel, found]
  }
  const measured = open.lead === undefined ? largest : measuring(state, open.lead, membrane)
  const isMeasured = measured !== undefined && state.channels[measured]!.day === state.day
  if (largest === undefined || (!isMeasured && size < 1)) return undefined
  if (size >= closedBelow) open.lead = { channel: largest, day: state.day }
  return size
}

/**
 * Opens the finding of a group if it has none and `before`, the day before which nothing had begun, is given; otherwise updates it,
 * and closes it once `sizeOf` (multiples of the threshold) has been small for days. Days on which it is undefined say nothing.
 */
function follow(
  state: HealthState,
  group: DiagnosisGroup,
  before: number | undefined,
  sizeOf: (open: OpenFinding) => number | undefined,
): void {
  const known = state.open.find(finding => finding.group === group)
  if (known === undefined) {
    if (before !== undefined) open(state, group, { day: state.day, before })
    return
  }
  const size = sizeOf(known)
  if (size === undefined) return
  known.peak = Math.max(known.peak, size)
  known.quiet = size < closedBelow ? known.quiet + 1 : 0
  if (known.quiet >= (group === 'rest' ? 1 : closedDays)) state.open.splice(state.open.indexOf(known), 1)
}

function open(state: HealthState, group: DiagnosisGroup, days: Pick<OpenFinding, 'day' | 'before'>): void {
  state.count++
  state.open.push({ number: state.count, group, ...days, quiet: 0, peak: 1 })
}

const noChange: Change = { value: 0, error: 0 }
/** Days with data over which creep is the median. */
const creepWindow = 14
/** Standard error of the median of normal values, in those of their mean. */
const ofMedian = 1.25
/** What sensors may wander besides, as ln. */
const creepWander = 0.01

/**
 * Returns how far brief salt passage has risen, by itself and over settled salt passage: where only the settled one has fallen, there
 * is no creep.
 */
export function creepOf(state: HealthState): Change {
  const { b, brief } = state.channels
  if (b === undefined || brief === undefined || b.baseline === null || brief.baseline === null) return noChange
  const isLive = ({ day, values }: ChannelState) => state.day - day <= current && values.length >= creepWindow
  if (!isLive(b) || !isLive(brief)) return noChange
  const [settled, short] = [b.values.slice(-creepWindow), brief.values.slice(-creepWindow)]
  const rise = median(short) / residualScale
  const scatter = Math.hypot(robustDeviation(settled), robustDeviation(short)) / residualScale
  return {
    value: Math.min(rise, rise - median(settled) / residualScale),
    error: (ofMedian * scatter) / Math.sqrt(creepWindow) + creepWander,
  }
}

/** Standard errors that an open bypass adds to salt, by which salt passage must be over its limit. */
const wornErrors = 2

/** What shows most of how far a membrane has worn. */
interface Worn {
  readonly channel: 'a' | (typeof saltChannels)[number]
  /** Its change since new with ageing, or the share of the salt that passes. */
  readonly change: Change
  readonly unit: Exclude<Evidence['unit'], 'l/h'>
  /** In multiples of its limit: 1 and more is worn. */
  readonly size: number
}

/**
 * Returns how far a membrane has worn since new. Ageing counts, and what the supply shares does not, nor the
 * salt that a bypass adds, nor what that makes uncertain. Salt that is not known any more says nothing.
 */
export function wornOf(state: HealthState, priors: MembranePriors, noise: Noise): Worn {
  const changeOf = (channel: Worn['channel']): Change => {
    const known = state.channels[channel]
    if (known === undefined || known.baseline === null) return noChange
    const wandering = wanderCovariance(noise.gains, channel, channel)
    return {
      value: known.level + ageing(channel, known.day - known.since, priors),
      error: Math.sqrt(wandering + Math.max(0, known.covariance[0])),
    }
  }
  const change = changeOf('a')
  const flow: Worn = { channel: 'a', change, unit: 'ln', size: change.value / wornFlow / neededOf(state, 'a').slow }
  const salt = saltChannel(state)
  if (salt === undefined || !isSaltKnown(noise.blend)) return flow
  const risen = changeOf(salt)
  const wander = Math.sqrt(wanderCovariance(noise.gains, salt, salt))
  const doubt = wornErrors * wander * (1 - 1 / noise.blend)
  // It is measured in settled readings only.
  const passage = salt === 'b' && state.rejection !== null ? (1 - state.rejection) / noise.blend : 0
  const passed = { value: passage, error: passage * wander }
  const others: readonly Worn[] = [
    { channel: salt, change: risen, unit: 'ln', size: (risen.value - doubt) / wornSalt },
    { channel: salt, change: passed, unit: 'share', size: passage / (1 - wornRejection) },
  ]
  return others.reduce((most, other) => (other.size > most.size ? other : most), flow)
}
