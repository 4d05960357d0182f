/** A device while it is stepped through its days: what is known before the first one, and its context at each. */
import { knownBypassShare } from '../../../src/domain/health/instruments.ts'
import { survivalOf, type SurvivalStep } from '../../../src/domain/health/maths/survival.ts'
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import { ownWidths } from '../../../src/domain/health/outcomes/ownWidths.ts'
import { baselinesOf, currentState } from '../../../src/domain/health/stepDay.ts'
import { priorsOf } from '../../../src/domain/health/priors.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthContext, OwnWidths, VerdictOdds } from '../../../src/domain/health/types/context.ts'
import type { DaySums } from '../../../src/domain/health/types/observations.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { scalingConditions, scalingIndices } from '../../../src/domain/health/water/scaling.ts'
import { bypassShare } from '../../../src/domain/ro.ts'
import { msPerDay, msPerHour } from '../../../src/domain/time.ts'
import { instantOf, wallTime } from '../../../src/domain/zone.ts'
import { unpack } from '../../db/packed.ts'
import type { Volume } from '../../db/schema/health.ts'
import { dueDevice, type ReadDevice } from './claim.ts'
import type { DueColumns, DueDevice } from './slice.ts'

/** l/min of a household membrane, against which the bypass is measured where no flow is known. */
export const usualFlow = 0.8
/** Milliseconds from the end of a local day to its step: readings of the day may be on their way. */
const stepDelay = msPerHour

export interface SteppingDevice {
  readonly device: DueDevice
  /** The key of its supply. */
  readonly supply: string
  readonly zone: string
  /** The local day that has not ended yet, and when it is stepped. */
  readonly today: number
  readonly nextStep: Date
  state: HealthState | undefined
  /** As they are stored. */
  readonly baselines: ByChannel<number>
  context: HealthContext
  scores: readonly DayScore[]
  /** Of the days that are stepped, by day. */
  readonly sums: ReadonlyMap<number, DaySums>
}

/** Returns a function that returns a device of a slice as it is before the first of its days. `now` is in milliseconds. */
export function beginsOf(
  due: readonly ReadDevice[],
  now: number,
  verdicts: VerdictOdds,
): (row: ReadDevice) => SteppingDevice {
  const zones = new Map<string, Today>()
  const widths = new Map(due.flatMap(({ vendor_id, own_scores: own }) => (own ? [[vendor_id, ownWidths(own)]] : [])))
  const lives = new Map(
    due.flatMap(({ supply_key, like_lives: like }) => (like ? [[supply_key, survivalOf(like)]] : [])),
  )
  return row => {
    const device = dueDevice(row)
    const zone = device.time_zone ?? 'UTC'
    const today = zones.get(zone) ?? todayOf(zone, now)
    zones.set(zone, today)
    // The stored lives are those of the supply to which it belonged in its last step.
    const prefilter_lives = device.supply_key === supplyKey(device) ? lives.get(device.supply_key) : undefined
    return steppingDevice(device, zone, today, {
      own_widths: widths.get(device.vendor_id),
      prefilter_lives,
      verdicts,
    })
  }
}

/** A time zone's local day, and when the next step of its devices is due. */
interface Today {
  readonly today: number
  readonly nextStep: Date
}

function todayOf(zone: string, now: number): Today {
  const today = dayAt(zone, now)
  return { today, nextStep: new Date(instantOf(zone, (today + 1) * msPerDay) + stepDelay) }
}

/** What a device's vendor, its supply, and the installation know. */
interface SharedKnowledge {
  readonly own_widths: OwnWidths | undefined
  readonly prefilter_lives: readonly SurvivalStep[] | undefined
  readonly verdicts: VerdictOdds
}

function steppingDevice(
  device: DueDevice,
  zone: string,
  { today, nextStep }: Today,
  { own_widths, prefilter_lives, verdicts }: SharedKnowledge,
): SteppingDevice {
  const cartridges = device.cartridges.map(({ volume_before, ...cartridge }) => ({
    ...cartridge,
    litres: Math.max(0, (cartridge.kind === 0 ? device.feed : device.permeate) - volume_before),
  }))
  const priors = priorsOf(device)
  const context: HealthContext = {
    day: today,
    neighbours: {},
    priors,
    cartridges,
    boosted: device.boosted,
    bypass: device.bypass,
    bypass_share: bypassShare(device.bypass_rate ?? 0, usualFlow),
    weekly_litres: weeklyLitres(device.volumes),
    ...(own_widths && { own_widths }),
    ...(prefilter_lives && { prefilter_lives }),
    verdicts,
  }
  const stored = device.state ? unpack<HealthState>(device.state) : undefined
  return {
    device,
    supply: supplyKey(device),
    zone,
    today,
    nextStep,
    state: stored && currentState(stored, device.boosted),
    baselines: stored ? baselinesOf(stored) : {},
    context,
    scores: device.scores,
    sums: device.days,
  }
}

/** Returns the context of a device at a day, with what its state says: the bypass's share, and the concentrate's Langelier index. */
export function contextAt({ device, state, context }: SteppingDevice, day: number): HealthContext {
  const { water, running_temperature, feed_tds } = device
  const conditions = water && state && scalingConditions(state, { temperature: running_temperature, tds: feed_tds })
  const indices = conditions ? scalingIndices(water, conditions) : null
  const bypass_share = state && knownBypassShare(state, device.bypass_rate ?? 0)
  return {
    ...context,
    day,
    ...(bypass_share !== undefined && { bypass_share }),
    ...(indices && { langelier: indices.concentrate }),
  }
}

/** Returns the local day of a time in milliseconds. */
export const dayAt = (zone: string, at: number) => Math.floor(wallTime(zone, at) / msPerDay)

/**
 * Devices without a label are compared with those of the same vendor and zone whose feed TDS is within about 25 %: the one that
 * was learned, so that devices stay together when their water changes.
 */
const tdsBand = Math.log(1.25)

/** Returns the key of the supply that a device is compared with. */
export function supplyKey({ vendor_id, water_supply, time_zone, feed_tds, feed_baseline }: DueColumns): string {
  if (water_supply !== null) return `${vendor_id} ${water_supply.toLowerCase()}`
  const level = feed_baseline ?? (feed_tds !== null && feed_tds > 0 ? Math.log(feed_tds) : undefined)
  const band = level === undefined ? '' : Math.round(level / tdsBand)
  return `${vendor_id}  ${time_zone ?? ''} ${band}`
}

/** Returns the litres of permeate a day, by week, oldest first. */
const weeklyLitres = (volumes: readonly Volume[]): number[] =>
  volumes.slice(1).map(({ day, permeate }, index) => {
    const before = volumes[index]!
    return Math.max(0, permeate - before.permeate) / Math.max(1, day - before.day)
  })
