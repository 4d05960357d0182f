/** How the score is computed, with the numbers of a device, and what to do about its worst part. */
import { lowerFirst } from '../../lib/lowerFirst.ts'
import { formatAmount, formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import { unitOf, type UnitChoice } from '../../units.ts'
import { knownDays } from '../channelState.ts'
import { isRunningPressure } from '../pressure/pump.ts'
import { certain, channelsOf, freeOf, full, lifeFrom, lifeWeight, usedUp, type ScoredChannel } from '../score.ts'
import { discardDays, discardLitres, type Rinsed } from '../stepDay.ts'
import type { ByChannel, Channel } from '../types/channels.ts'
import { channelTexts } from './channelTexts.ts'

const percent = (share: number) => formatNumber(100 * share)

/** Of each channel, the value when new and the change since then, as ln. */
type Trends = ByChannel<{ readonly baseline: number; readonly level: number }>

/** The trends of a device, and which of them the score leaves out. */
interface Measured {
  readonly trends: Trends
  /** Channels whose trends do not count any more, because they have not been measured for long. */
  readonly stale: readonly Channel[]
  /** Whether the bypass hides the salt passage, which then does not count. */
  readonly salt_hidden: boolean
}

/** Returns the trend that counts in the score: short draws stand for the salt passage where there is no other. */
function trendOf({ trends, stale }: Pick<Measured, 'trends' | 'stale'>, part: ScoredChannel) {
  const channel = channelsOf(part).find(each => trends[each] && !stale.includes(each))
  return channel && trends[channel]
}

const parts = Object.keys(full) as ScoredChannel[]
const partsOf = ({ salt_hidden }: Measured) => parts.filter(part => part !== 'b' || !salt_hidden)

/** Returns the parts of the score that are not known any more, because they have not been measured for long. */
export const staleParts = (health: Measured): ScoredChannel[] =>
  partsOf(health).filter(part => channelsOf(part).some(channel => health.trends[channel]) && !trendOf(health, part))

/** Returns what is not in the score because it has not been measured for long; undefined if nothing is. */
export function staleText(health: Measured): string | undefined {
  const names = staleParts(health).map(part => lowerFirst(channelTexts[part].name))
  return names.length === 0
    ? undefined
    : `Not measured in the last ${knownDays} days of use: ${list.format(names)}. The score is without it.`
}
const list = new Intl.ListFormat('en')

/** Returns the part of the score of each channel that has one. */
export function scoreFormulas(health: Measured): string[] {
  return partsOf(health).flatMap(channel => {
    const trend = trendOf(health, channel)
    if (!trend) return []
    const direction = full[channel] < 0 ? 'fall' : 'rise'
    const change = Math.max(0, trend.level * Math.sign(full[channel]))
    const part = Math.max(0, 1 - usedUp(channel, trend.level))
    return `${channelTexts[channel].name}: 1 − (${direction} ${formatNumber(change, 3)} − ${formatNumber(freeOf(channel), 3)}) ÷ ${formatNumber(Math.abs(full[channel]), 2)} = ${formatNumber(part, 2)}`
  })
}

/** What counts in the score besides, and how. */
export const scoreRules =
  'Falls and rises are natural logarithms; what is taken off them is what sensors may wander, and less than that counts as none. ' +
  'The salt passage does not count where an open bypass hides that of the membrane. ' +
  'That of short draws stands for it where there are no others. ' +
  `A cartridge with less than ${percent(lifeFrom)} % of its life left counts as 1 − ${formatNumber(lifeWeight, 1)} × (1 − life left ÷ ${percent(lifeFrom)} %). ` +
  `A critical finding makes the score 0: one that is not shelved, says Act, and is at least ${percent(certain)} % sure.`

/** Returns why a device does not learn yet, and how much its membrane has done so far. */
export function rinsingText({ days, litres }: Rinsed, units: UnitChoice): string {
  const volume = (amount: number) => `${formatAmount(amount, 'volume', units)} ${unitOf('volume', units).symbol}`
  return `The first ${volume(discardLitres)} of a membrane, and at least its first ${discardDays} days, rinse it and do not count: so far ${volume(litres)} in ${plural(days, 'day')}.`
}

/** Returns why a device has no charts. */
export function noChartsText({
  score,
  rinsed,
  learned,
}: {
  readonly score: number | null
  readonly rinsed: Rinsed | null
  readonly learned: number
}): string {
  if (score !== null) return 'No days with data in this range.'
  if (rinsed)
    return 'Charts show changes against the device when new. They begin once its membrane is rinsed and learned.'
  if (learned > 0) return 'Charts show changes against the device when new. They begin once it is learned.'
  return 'No days with data yet. They appear once water is drawn for 20 seconds or longer.'
}

/** In place of a score. */
export const pendingDaysText = 'The stored days of this device are still being computed.'

/** The bypass adds most of the salt, so that nothing is known of the membrane's. */
export const saltHiddenText =
  'The bypass hides the salt passage of the membrane: most of the salt in the permeate comes through it. ' +
  'Salt does not count in the score, and no salt fault can be seen while the bypass is open this far.'

interface PartText {
  /** Since when it has changed, and what its change is besides. */
  readonly since: string
  readonly besides: string
  /** What to do if it makes the state *Act*, and *Watch*. */
  readonly act: string
  readonly watch: string
}

const membrane = { since: 'the membrane was new', besides: ' besides ageing' }
const partTexts: Readonly<Record<ScoredChannel | 'pump', PartText>> = {
  a: {
    ...membrane,
    act: 'measure a litre with a cup to rule out the flow sensor, then clean or replace the membrane',
    watch: 'plan to clean or replace the membrane',
  },
  b: {
    ...membrane,
    act: 'measure the permeate with a hand meter to rule out the TDS sensor, then replace the membrane',
    watch: 'measure the permeate with a hand meter at the next visit',
  },
  h: {
    since: 'the pre-filter was installed',
    besides: '',
    act: 'replace the pre-filter',
    watch: 'plan to replace the pre-filter',
  },
  pump: {
    since: 'the first days',
    besides: '',
    act: 'service the booster pump',
    watch: 'plan to service the booster pump',
  },
}

interface Scored {
  readonly score: number | null
  readonly state: 'good' | 'watch' | 'act' | 'learning'
  readonly worst: string | null
  readonly trends: Trends
  readonly stale: readonly Channel[]
  /** The first day of a device whose membrane was older then. */
  readonly first_seen: string | null
}

/** A cartridge with the share of its life that is left, 0–1. */
export interface LifeLeft {
  readonly name: string
  readonly left: number
}

/**
 * Returns what makes the score, and what to do; undefined if nothing does, or an open finding says so itself. `isFound`: whether
 * an open finding is about it, whose advice counts then.
 */
export function worstText(health: Scored, life: LifeLeft | undefined, isFound: boolean): string | undefined {
  const { score, worst } = health
  if (score === null || score === 100 || worst === null) return undefined
  if (worst === 'life') return life && lifeText(life)
  return worst in full ? channelText(health, worst as ScoredChannel, isFound) : undefined
}

function lifeText({ name, left }: LifeLeft): string {
  if (left === 0) return `${name} is used up: replace it.`
  const share = Math.round(100 * left) === 0 ? 'less than 1' : percent(left)
  return `${name} has ${share} % of its life left: plan to replace it.`
}

function channelText(health: Scored, channel: ScoredChannel, isFound: boolean) {
  const { state, first_seen } = health
  const trend = trendOf(health, channel)
  if (!trend || usedUp(channel, trend.level) === 0) return undefined
  const text = partTexts[channel === 'h' && isRunningPressure(trend.baseline) ? 'pump' : channel]
  const change = full[channel] < 0 ? 'fallen' : 'risen'
  const since = first_seen !== null && channel !== 'h' ? 'its first day here' : text.since
  const advice = state === 'act' || state === 'watch' ? text[state] : 'nothing to do yet'
  const seen = `${channelTexts[channel].name} has ${change} by ${percent(Math.abs(Math.expm1(trend.level)))} %${text.besides} since ${since}`
  return isFound ? `${seen}.` : `${seen}: ${advice}.`
}
