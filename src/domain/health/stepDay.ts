/** The daily step of a device: from the sums of an ended day to its next state. */
import { addDay, hasTank, newChannel } from './channelState.ts'
import { median } from './maths/median.ts'
import { keepFindings } from './findings.ts'
import { updateFindings } from './openFindings.ts'
import { followPump, hasPump, runningOverResting, withPump } from './pressure/pump.ts'
import { ageing, dayValue, dayVariance, keepNeighbours, sharedPart } from './residuals.ts'
import { restHours } from './thresholds.ts'
import { channels, observedChannels, type Channel, type ObservedChannel } from './types/channels.ts'
import type { HealthContext } from './types/context.ts'
import type { DaySums } from './types/observations.ts'
import type { HealthState } from './types/state.ts'

/** What a new membrane must have done before its values count: days, and litres of permeate. */
export const discardDays = 3
export const discardLitres = 20
/** Days of rest flow that are kept. */
const keptRest = 7
const keptReplacements = 4
/** Change of a day, as ln, after which observations are clipped from that day and not from the last three. */
const quickChange = 0.15

const newState = ({ day, bypass, boosted }: HealthContext): HealthState => ({
  version: 2,
  day: day - 1,
  first: day,
  days: 0,
  litres: 0,
  channels: {},
  bypass,
  kept: {},
  rest: [],
  boosted,
  lifts: [],
  recovery: null,
  rejection: null,
  open: [],
  count: 0,
  replaced: [],
})

/**
 * Returns a stored state in its present version; undefined if there is none. The standard flow of version 1 left out the
 * polarisation, so its baseline is learned anew. `boosted`: whether earlier versions took the device for one with a pump.
 */
export function currentState(stored: HealthState | undefined, boosted: boolean): HealthState | undefined {
  const version: number | undefined = stored?.version
  if (stored === undefined || (version !== 1 && version !== 2)) return undefined
  const state = withPump(stored, boosted)
  if (version === 2) return state
  const { a: _, ...channels } = state.channels
  return { ...state, version: 2, channels }
}

/** Channels that a new cartridge changes, by its kind. */
const changedBy = { 0: ['h'], 1: [], 2: ['a', 'b', 'brief'] } as const satisfies Record<number, readonly Channel[]>

/**
 * Returns the state after the day `context.day`; `sums` is undefined for a day without readings, and those of a week count as
 * one day with many observations. The given state is changed
 * and must not be used further. A day that is not newer than the state's is ignored.
 */
export function stepDay(
  state: HealthState | undefined,
  sums: DaySums | undefined,
  context: HealthContext,
): HealthState {
  const { day } = context
  const next = currentState(state, context.boosted) ?? newState(context)
  if (day <= next.day) return next
  next.day = day
  delete next.rest_today
  followReplacements(next, context)
  const isMixed = context.bypass !== next.bypass
  if (isMixed) changeBypass(next, context.bypass)
  if (sums === undefined || sums.n === 0) {
    remember(next.rest, sums === undefined ? null : restFlow(sums))
    return withFindings(next, context)
  }
  remember(next.rest, restFlow(sums))
  next.days++
  next.litres += sums.permeate
  followPump(next, sums)
  if (day - next.first >= discardDays && next.litres >= discardLitres)
    addChannels(next, isMixed ? withoutSalt(sums) : sums, context)
  return withFindings(next, context)
}

function withFindings(state: HealthState, given: HealthContext): HealthState {
  const boosted = hasPump(state)
  const context = given.boosted === boosted ? given : { ...given, boosted }
  updateFindings(state, context)
  keepNeighbours(state, context.neighbours)
  keepFindings(state, context)
  return state
}

/** Days without a run that fills a tank after which there is none: while it is learned, and later. */
const oddDays = 3
const removedDays = 30

/**
 * Drops a tank that is gone, or that outliers had suggested. Standard flow differs with a tank, so its channel restarts, and a
 * finding that it led ends.
 */
function followTank(state: HealthState, hadTank: boolean): void {
  const { tank } = state.channels
  if (tank !== undefined && state.day - tank.day > (tank.baseline === null ? oddDays : removedDays))
    delete state.channels.tank
  if (hasTank(state) === hadTank) return
  delete state.channels.a
  state.open = state.open.filter(({ group, lead }) => group !== 'membrane' || lead?.channel !== 'a')
}

function addChannels(state: HealthState, sums: DaySums, { day, priors, neighbours }: HealthContext): void {
  const had = hasTank(state)
  for (const channel of channels) {
    const value = dayValue(channel, sums, priors, hasPump(state))
    if (value === undefined) continue
    const known = (state.channels[channel] ??= newChannel())
    const aged = known.baseline === null ? 0 : ageing(channel, day - known.since, priors)
    const expected = aged + sharedPart(channel, neighbours[channel])
    addDay(known, { day, value, raw: rawValue(channel, sums) ?? value, expected, variance: dayVariance(channel, sums) })
  }
  if (sums.feed > 0) state.recovery = smooth(state.recovery, Math.min(1, sums.permeate / sums.feed))
  if (sums.passages > 0) state.rejection = smooth(state.rejection, 1 - sums.passage / sums.passages)
  followTank(state, had)
}

/** Returns the mean of a channel's observations, from which the next ones are clipped; undefined if it is not observed. */
function rawValue(channel: Channel, sums: DaySums): number | undefined {
  if (channel === 'h') return runningOverResting(sums)
  const kept = channel in sums.channels ? sums.channels[channel as ObservedChannel] : undefined
  return kept && kept.sum / kept.n
}

const smooth = (known: number | null, value: number) => (known === null ? value : known + 0.1 * (value - known))

/** Returns the l/h that flowed at rest; 0 if they flowed for fewer hours a day than count. */
export const restFlow = ({ rest_hours, rest_litres, days = 1 }: Pick<DaySums, 'rest_hours' | 'rest_litres' | 'days'>) =>
  rest_hours >= restHours * days ? rest_litres / rest_hours : 0

function remember(list: (number | null)[], value: number | null): void {
  list.push(value === null ? null : Math.round(value * 1000) / 1000)
  if (list.length > keptRest) list.shift()
}

/** Restarts the channels that replaced cartridges affect (`context.replaced`), and ends the findings about these cartridges. */
export function followReplacements(state: HealthState, context: HealthContext): void {
  for (const { position, day } of context.replaced ?? []) replace(state, position, day, context)
}

/** Restarts the channels that a replaced cartridge affects. A new membrane is rinsed before its values count. */
function replace(state: HealthState, position: number, day: number, { cartridges }: HealthContext): void {
  const kind = cartridges.find(cartridge => cartridge.position === position)?.kind
  const others = state.replaced.filter(each => each.position !== position || each.day !== day)
  state.replaced = [...others, { position, day }].slice(-keptReplacements)
  if (kind === undefined) return
  for (const channel of changedBy[kind]) delete state.channels[channel]
  if (kind === 2) {
    Object.assign(state, { first: day, litres: 0, kept: {}, rejection: null })
    state.open = state.open.filter(({ group }) => group !== 'membrane' && group !== 'worn')
  }
  if (kind === 0) state.open = state.open.filter(({ group }) => group !== 'pressure')
}

/** What a membrane has done while its first water does not count: days since the first one, and litres of permeate. */
export interface Rinsed {
  readonly days: number
  readonly litres: number
}

/** Returns what a membrane has done whose first water does not count yet; null once it counts. */
export function rinsedSoFar({ first, day, litres }: Pick<HealthState, 'first' | 'day' | 'litres'>): Rinsed | null {
  const days = day - first + 1
  return days < discardDays || litres < discardLitres ? { days, litres } : null
}

/**
 * Forgets the baselines, as after cleaning: the next days with data make new ones. Open findings are closed, but for flow at
 * rest, which is compared with no baseline.
 */
export function resetBaseline(state: HealthState): HealthState {
  return { ...state, channels: {}, kept: {}, open: state.open.filter(({ group }) => group === 'rest') }
}

/**
 * Returns the state before a reset in the place of the present one. Findings since then keep their numbers, so that later
 * ones do not take them.
 */
export const restoreBaseline = (earlier: HealthState, present: HealthState | null | undefined): HealthState => ({
  ...earlier,
  count: Math.max(earlier.count, present?.count ?? 0),
})

/** Returns the sums of a day on which the bypass changed, without the salt: its readings are from both states. */
function withoutSalt(sums: DaySums): DaySums {
  const { b: _b, brief: _brief, ...others } = sums.channels
  return { ...sums, channels: others, passages: 0, passage: 0 }
}

/** Salt passage differs by bypass state, so each has its own baseline. */
function changeBypass(state: HealthState, bypass: number): void {
  const { b, brief } = state.channels
  // Values after the valve moved say nothing about earlier ones.
  state.rejection = null
  state.kept[state.bypass] = { ...(b && { b }), ...(brief && { brief }) }
  delete state.channels.b
  delete state.channels.brief
  const known = state.kept[bypass] ?? {}
  delete state.kept[bypass]
  Object.assign(state.channels, known)
  state.bypass = bypass
}

/** Returns the values of the channels when new, as far as they are known. */
export function baselinesOf(state: HealthState): Partial<Record<Channel, number>> {
  const baselines: Partial<Record<Channel, number>> = {}
  for (const channel of channels) {
    const baseline = state.channels[channel]?.baseline
    if (baseline !== undefined && baseline !== null) baselines[channel] = baseline
  }
  return baselines
}

/** Returns the absolute levels of the channels, from which the next day's observations are clipped. */
export function levelsOf(state: HealthState): Partial<Record<ObservedChannel, number>> {
  const levels: Partial<Record<ObservedChannel, number>> = {}
  for (const channel of observedChannels) {
    const raw = state.channels[channel]?.raw ?? []
    if (raw.length < 3) continue
    const [middle, last] = [median(raw), raw.at(-1)!]
    // A change of the day is followed at once, so that the next day is not clipped as well.
    levels[channel] = Math.abs(last - middle) > quickChange ? last : middle
  }
  return levels
}
