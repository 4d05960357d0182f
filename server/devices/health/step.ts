/** The daily step of health: from the sums of the ended days to states, findings and forecasts, in slices of devices. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { forecastsOf } from '../../../src/domain/health/forecast.ts'
import { resumeFindings } from '../../../src/domain/health/history/earlierFindings.ts'
import { keepsScore, scoreChange, withScore } from '../../../src/domain/health/history/scores.ts'
import { followRestFlow } from '../../../src/domain/health/openFindings.ts'
import { hasPump } from '../../../src/domain/health/pressure/pump.ts'
import {
  dayResiduals,
  medianOfMore,
  mediansOf,
  minNeighbours,
  neighboursOfEach,
} from '../../../src/domain/health/residuals.ts'
import {
  baselinesOf,
  followReplacements,
  levelsOf,
  resetBaseline,
  restFlow,
  stepDay,
} from '../../../src/domain/health/stepDay.ts'
import { sharedChanges } from '../../../src/domain/health/supply.ts'
import type { Assessment } from '../../../src/domain/health/types/assessment.ts'
import { channels, type ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthContext, VerdictOdds } from '../../../src/domain/health/types/context.ts'
import type { Neighbours, SupplyDay } from '../../../src/domain/health/types/supply.ts'
import { verdictOdds } from '../../../src/domain/health/verdicts/odds.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import type { Volume } from '../../db/schema/health.ts'
import { followLives, noLives } from './lives.ts'
import { followForecasts, nothingFollowed } from './outcomes.ts'
import { claimNamed, claimSlice, type ReadDevice } from './claim.ts'
import { maxDays, sliceSize, type DueDevice } from './slice.ts'
import { assessShown, type Shown } from './setAside.ts'
import { beginsOf, contextAt, dayAt, supplyKey, type SteppingDevice } from './steppingDevice.ts'
import {
  steppedDevice,
  type EndedDevice,
  type SteppedDevice,
  type SteppedSlice,
  type SteppedSupply,
} from './sliceRows.ts'
import { storeSlice } from './storeSlice.ts'

/** Weeks of lifetime litres that are kept. */
const keptWeeks = 9

export interface SliceResult {
  /** Whether more devices may be due. */
  readonly hasMore: boolean
  /** Devices whose rows changed, or with a finding that has begun or ended. */
  readonly changed: readonly string[]
}

/** Steps the next slice of devices that are due. Servers that do so at the same time take different ones. */
export function stepSlice(db: Database, now: Date, size = sliceSize): Promise<SliceResult> {
  return db.transaction(async tx => {
    const due = await claimSlice(tx, now, size)
    const { devices, changed } = await stepClaimed(tx, due, now)
    return { hasMore: due.length === size || devices.some(({ due_at }) => due_at <= now), changed }
  })
}

/** Steps those of the named devices that are due, and returns which of them changed. */
export function stepNamed(db: Database, bssids: readonly string[], now: Date): Promise<readonly string[]> {
  return db.transaction(async tx => (await stepClaimed(tx, await claimNamed(tx, now, bssids), now)).changed)
}

async function stepClaimed(tx: Database, due: readonly ReadDevice[], now: Date) {
  if (due.length === 0) return { devices: [], changed: [] }
  const slice = await stepDevices(due, now.getTime(), verdictOdds(due[0]!.verdicts ?? []))
  const rows = await storeSlice(tx, slice, now)
  const news = slice.devices.filter(({ has_news }) => has_news).map(({ bssid }) => bssid)
  return { devices: slice.devices, changed: [...new Set([...rows, ...news])] }
}

/** Steps of devices after which API calls have their turn. */
const maxSteps = 200

/** Steps the devices of each supply through their days, all of them through one day before the next, so that neighbours are compared. */
async function stepDevices(due: readonly ReadDevice[], now: number, verdicts: VerdictOdds): Promise<SteppedSlice> {
  const begin = beginsOf(due, now, verdicts)
  const slice: { readonly devices: SteppedDevice[]; readonly supplies: SteppedSupply[] } = { devices: [], supplies: [] }
  let steps = 0
  // One supply after the other, so that few states are in memory at a time: collecting those of a slice took as long as stepping.
  for (const rows of Map.groupBy(due, supplyKey).values()) {
    const supply = rows.map(begin)
    const medians: SupplyDay[] = []
    const stored = new Map(storedDays(supply).map(day => [day.day, day.medians]))
    const days = new Set(supply.flatMap(({ sums }) => [...sums.keys()]))
    for (const day of [...days].toSorted((one, other) => one - other)) {
      const members = supply.filter(({ sums, today }) => sums.has(day) && day < today)
      const residuals = members.map(({ state, sums, context }) =>
        state ? dayResiduals(state, sums.get(day)!, context.priors, day) : {},
      )
      // A late day is compared with the medians that were stored on time: this slice may have few neighbours.
      const earlier = stored.get(day)
      const neighbours = neighboursOfEach(residuals)
      medians.push({ day, medians: medianOfMore(mediansOf(residuals), earlier) })
      for (const [index, member] of members.entries()) step(member, day, medianOfMore(neighbours[index]!, earlier), now)
      steps += members.length
      if (steps >= maxSteps) {
        steps = 0
        // Yields to API calls.
        await nextTick()
      }
    }
    for (const member of supply) slice.devices.push(steppedDevice(end(member, now), member.device, now))
    slice.supplies.push(steppedSupply(supply, medians))
  }
  return slice
}

/** Returns the last days of a supply that earlier steps have stored. */
const storedDays = (members: readonly SteppingDevice[]): readonly SupplyDay[] =>
  members.find(({ device, supply }) => device.supply_days !== null && device.supply_key === supply)?.device
    .supply_days ?? []

/** Returns a supply's new days, and the changes of all its days. */
function steppedSupply(members: readonly SteppingDevice[], days: readonly SupplyDay[]): SteppedSupply {
  const { supply, device } = members[0]!
  const { vendor_id, water_supply } = device
  const added = days.filter(({ medians }) => Object.values(medians).some(({ n }) => n >= minNeighbours))
  const known = storedDays(members).filter(({ day }) => !added.some(each => each.day === day))
  const all = [...known, ...added].toSorted((one, other) => one.day - other.day)
  return {
    vendor_id,
    supply_key: supply,
    water_supply,
    days: added,
    changes: added.length > 0 ? sharedChanges(all) : [],
  }
}

function step(member: SteppingDevice, day: number, neighbours: ByChannel<Neighbours>, now: number): void {
  const { state } = member
  const last = state?.day ?? -Infinity
  const sums = member.sums.get(day)!
  const before: HealthContext = { ...contextAt(member, day), neighbours, replaced: replacedUntil(member, day) }
  member.state = stepDay(state, sums, before)
  resume(member)
  // A reset was made after the step of its day.
  if (member.device.before?.resets.some(reset => reset > last && reset <= day))
    member.state = resetBaseline(member.state)
  member.context = { ...before, boosted: hasPump(member.state) }
  // The score of the newest day is that of its assessment.
  if (day < member.today - 1 && keepsScore(member.scores, day, member.today))
    keepScore(member, day, shownOf(member, day, now)?.shown)
}

/** Returns the cartridges that were replaced between the newest stepped day, which is left out, and `day`. */
function replacedUntil({ state, context, zone }: SteppingDevice, day: number): NonNullable<HealthContext['replaced']> {
  if (state === undefined) return []
  return (
    context.cartridges
      // Local days are at most one away from those of UTC, which are much quicker to compute.
      .filter(({ installed_at }) => installed_at >= (state.day - 1) * msPerDay)
      .map(({ position, installed_at }) => ({ position, day: dayAt(zone, installed_at) }))
      .filter(replaced => replaced.day > state.day && replaced.day <= day)
  )
}

/** Lets findings go on that the device had before its state began anew. */
function resume({ state, device }: SteppingDevice): void {
  if (state && device.before) resumeFindings(state, device.before.findings)
}

const shownOf = (member: SteppingDevice, day: number, now: number): Shown | undefined =>
  member.state && assessShown(member.state, contextAt(member, day), member.device.set_aside, now)

function keepScore(member: SteppingDevice, day: number, assessment: Assessment | undefined): void {
  const score = assessment?.score
  if (score !== undefined && score !== null) member.scores = withScore(member.scores, { day, score })
}

/** Returns what is stored of a device after its days. */
function end(member: SteppingDevice, now: number): EndedDevice {
  const { device, supply, today, nextStep, state, sums } = member
  const { boosted } = member.context
  const soFar = sums.get(today)
  if (state && soFar) followRestFlow(state, today, restFlow(soFar))
  resume(member)
  // What is known today, and not only up to some day of a long past.
  const isCurrent = sums.size < maxDays
  // Lists need not wait for the next day. A day from before that is still to come is followed by another such step.
  if (state && isCurrent) followReplacements(state, { ...member.context, replaced: replacedUntil(member, today) })
  const { assessment, shown, returned = [], shelf_ends = Infinity } = shownOf(member, today, now) ?? {}
  if (isCurrent && keepsScore(member.scores, today, today)) keepScore(member, today, shown)
  const score = shown?.score ?? null
  const { cartridges } = member.context
  const newest = isCurrent || !state ? now : nextStep.getTime() - (today - state.day) * msPerDay
  return {
    bssid: device.bssid,
    vendor_id: device.vendor_id,
    supply_key: supply,
    due_at: isCurrent ? new Date(Math.min(nextStep.getTime(), shelf_ends)) : new Date(now),
    // A past is stepped at once: yesterday already within the hour after its end.
    stepped_at: new Date(Math.min(now, newest)),
    state,
    baselines: state && baselineChange(member.baselines, baselinesOf(state)),
    levels: state ? levelsOf(state) : {},
    boosted,
    earlier_findings: device.earlier_findings,
    is_anew: device.before !== null && !isCurrent,
    volumes: newVolumes(device, today),
    scores: member.scores === device.scores ? undefined : member.scores,
    change: score === null || !isCurrent ? null : scoreChange(member.scores, { day: today, score }),
    assessment,
    shown,
    returned,
    forecasts: shown?.forecasts ?? forecastsOf(undefined, contextAt(member, today)),
    followed:
      isCurrent && assessment
        ? followForecasts(device.pending, { forecasts: assessment.forecasts, cartridges, day: today })
        : nothingFollowed,
    lives:
      isCurrent && state
        ? followLives(device.life, {
            cartridges: device.cartridges,
            feed: device.feed,
            state,
            boosted,
            now,
            dayAt: at => dayAt(member.zone, at),
          })
        : noLives,
  }
}

/** Returns baselines if they differ from the stored ones. */
function baselineChange(stored: ByChannel<number>, found: ByChannel<number>): ByChannel<number> | undefined {
  const isStored = channels.every(channel => stored[channel] === found[channel])
  return isStored ? undefined : found
}

/** Returns the lifetime litres of the last weeks with today's, once a week; undefined on the other days. */
function newVolumes({ volumes, feed, permeate }: DueDevice, today: number): readonly Volume[] | undefined {
  const last = volumes.at(-1)
  if (last && today - last.day < 7) return undefined
  return [...volumes, { day: today, feed, permeate }].slice(-keptWeeks)
}
