/** Endpoint of a device's health: channels by day against when they were new, neighbours, findings and forecasts. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { health as contract, healthRanges } from '../../../src/api/contract/health/endpoints.ts'
import type { DeviceHealth } from '../../../src/api/contract/health/device.ts'
import { staleChannels } from '../../../src/domain/health/channelState.ts'
import { isSaltKnown, knownBypassShare, noiseOf, type Noise } from '../../../src/domain/health/instruments.ts'
import { priorsOf } from '../../../src/domain/health/priors.ts'
import { ratedFlow } from '../../../src/domain/health/ratedFlow.ts'
import { wanderVariance } from '../../../src/domain/health/reference.ts'
import { rinsedSoFar } from '../../../src/domain/health/stepDay.ts'
import { sensorFaults, type SensorFault } from '../../../src/domain/health/types/sensors.ts'
import { slowThresholds } from '../../../src/domain/health/openFindings.ts'
import { slowSize } from '../../../src/domain/health/thresholds.ts'
import { channels } from '../../../src/domain/health/types/channels.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import { scalingConditions, scalingIndices } from '../../../src/domain/health/water/scaling.ts'
import { bypassShare } from '../../../src/domain/ro.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { instantOf, wallTime } from '../../../src/domain/zone.ts'
import { lowered } from '../../db/caseFold.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeForecasts, forecastScores } from '../../db/schema/forecasts.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { deviceAlarms } from '../../db/schema/notifications.ts'
import { supplyWaters } from '../../db/schema/supplies.ts'
import { membraneFit, runningTemperature } from '../../devices/health/slice.ts'
import { usualFlow } from '../../devices/health/steppingDevice.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevice } from '../devices/detail.ts'
import type { DeviceRow } from '../devices/rows.ts'
import { coverageWhere, pastForecasts } from './coverage.ts'
import { pointsOf } from './devicePoints.ts'
import { findingsOfDevice } from './findings.ts'
import { neighboursOf } from './neighbours.ts'
import { hasPendingDays } from './pending.ts'
import { waterOf } from './supplies.ts'

export const ofDevice = handler(contract.ofDevice, async ({ params, query, caller, services: { db, now } }) => {
  const device = await ownDevice(db, caller, params.bssid)
  const [stored] = await db.select().from(deviceHealth).where(eq(deviceHealth.bssid, device.bssid))
  const state = stored?.state ?? undefined
  const { rows: fits } = await db.execute<{ water_k: number; salt_k: number; fitted_at: number }>(
    sql`select * from ${membraneFit(sql`${device.bssid}`)} as fit`,
  )
  const [fit] = fits
  const priors = priorsOf(fit ?? { water_k: null, salt_k: null })
  const noise = state && (await deviceNoise(db, device.bssid, state, priors))
  const salt_hidden = noise !== undefined && !isSaltKnown(noise.blend)
  const zone = device.time_zone ?? query.zone
  const until = Math.min(now().getTime(), query.until === undefined ? Infinity : Date.parse(query.until))
  const to = Math.floor(wallTime(zone, until) / msPerDay)
  const days = { from: to - healthRanges[query.range], to }
  const at = (day: number) => new Date(instantOf(zone, day * msPerDay)).toISOString()
  const fitted = await db
    .select({ position: deviceCartridges.position, at: deviceCartridges.installed_at })
    .from(deviceCartridges)
    .where(eq(deviceCartridges.bssid, device.bssid))
    .orderBy(asc(deviceCartridges.installed_at))
  const forecasts = await db
    .select()
    .from(cartridgeForecasts)
    .where(eq(cartridgeForecasts.bssid, device.bssid))
    .orderBy(asc(cartridgeForecasts.position))
  const water = await supplyWater(db, device)
  const temperature = await temperatureOf(db, device.bssid)
  // The same numbers as in the daily step.
  const conditions = state ? scalingConditions(state, { temperature, tds: device.feed_tds }) : null
  return {
    score: device.health.score,
    state: device.health.state,
    worst: stored?.shown?.worst ?? null,
    learned: stored?.shown?.learned ?? 0,
    rinsed: state ? rinsedSoFar(state) : null,
    pending: device.health.score === null && (await isPending(db, device.bssid, stored?.day ?? null, now())),
    trends: state && noise ? trendsOf(state, noise) : {},
    salt_hidden,
    stale: state ? staleChannels(state) : [],
    defective_sensors: await defectiveSensors(db, device.bssid),
    correction: fit ? { water: fit.water_k, salt: fit.salt_k, fitted_at: new Date(fit.fitted_at).toISOString() } : null,
    first_seen: state && device.cartridges.some(isOlder(at(state.first - newDays))) ? at(state.first) : null,
    points: state && noise ? await pointsOf(db, { bssid: device.bssid, state, priors, noise }, days, at) : [],
    neighbours:
      stored && state ? await neighboursOf(db, { bssid: device.bssid, supply: stored.supply_key }, days, at) : [],
    thresholds: state ? slowThresholds(state) : slowSize,
    replacements: fitted.map(each => ({ at: each.at.toISOString(), position: each.position })),
    findings: await findingsOfDevice(db, device.bssid),
    forecasts: forecasts.map(({ position, due_at, early_at, late_at, basis, like_ends, typical }) => ({
      position,
      due_at: due_at.toISOString(),
      early_at: early_at.toISOString(),
      late_at: late_at.toISOString(),
      basis,
      like_ends,
      typical,
    })),
    coverage: (await coverageWhere(db, eq(forecastScores.vendor_id, device.vendor._id))).filter(({ kind }) =>
      device.cartridges.some(({ type }) => type === kind),
    ),
    past_forecasts: await pastForecasts(db, device.bssid),
    water: water && waterOf(water),
    scaling: water && conditions && { ...conditions, indices: scalingIndices(water, conditions) },
    rated_flow: state
      ? ratedFlow(state, {
          temperature,
          tds: conditions?.tds ?? device.feed_tds,
          water_k: priors.water_k,
          salt_hidden,
        })
      : null,
  }
})

/** Days within which a membrane counts as new: a device is often fitted some days before it is used. */
const newDays = 14

/** Returns whether a cartridge is a membrane that was installed before a time. */
const isOlder =
  (time: string) =>
  ({ type, installed_at }: DeviceRow['cartridges'][number]): boolean =>
    type === 2 && Date.parse(installed_at) < Date.parse(time)

/** Returns whether stored days of a device have yet to be computed. */
async function isPending(db: Database, bssid: string, lastDay: number | null, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ pending: boolean }>(
    sql`select ${hasPendingDays({ bssid: sql`${bssid}`, lastDay: sql`${lastDay}::integer` }, now)} as pending`,
  )
  return rows[0]!.pending
}

/** Returns the alarms of a device that say that a sensor is defective. */
async function defectiveSensors(db: Database, bssid: string): Promise<SensorFault[]> {
  const active = await db
    .selectDistinct({ type: deviceAlarms.type })
    .from(deviceAlarms)
    .where(and(eq(deviceAlarms.bssid, bssid), inArray(deviceAlarms.type, [...sensorFaults])))
  return sensorFaults.filter(fault => active.some(({ type }) => type === fault))
}

/** Returns the analysis of a device's supply; `null` without one. */
async function supplyWater(
  db: Database,
  { vendor, water_supply }: Pick<DeviceRow, 'vendor' | 'water_supply'>,
): Promise<typeof supplyWaters.$inferSelect | null> {
  if (water_supply === null) return null
  const [water = null] = await db
    .select()
    .from(supplyWaters)
    .where(
      and(
        eq(supplyWaters.vendor_id, vendor._id),
        eq(supplyWaters.water_supply_key, lowered(sql`${water_supply}::text`)),
      ),
    )
  return water
}

/** Returns a device's temperature in °C while water runs; `null` before a day with observations. */
async function temperatureOf(db: Database, bssid: string): Promise<number | null> {
  const { rows } = await db.execute<{ temperature: number | null }>(
    sql`select ${runningTemperature(sql`${bssid}`)} as temperature`,
  )
  return rows[0]?.temperature ?? null
}

/** Returns what the errors of a device are computed from, with what its bypass adds today, as in the daily step. */
async function deviceNoise(db: Database, bssid: string, state: HealthState, priors: MembranePriors): Promise<Noise> {
  const [bypass] = await db
    .select({ rate: sql<number | null>`${deviceModels.bypass_flow_rates}[${devices.bypass_state} + 1]` })
    .from(devices)
    .innerJoin(deviceModels, eq(deviceModels.id, devices.model_id))
    .where(eq(devices.bssid, bssid))
  const rate = bypass?.rate ?? 0
  return noiseOf(state, { priors, bypass_share: knownBypassShare(state, rate) ?? bypassShare(rate, usualFlow) })
}

function trendsOf(state: HealthState, noise: Noise): z.input<typeof DeviceHealth>['trends'] {
  const trends: z.input<typeof DeviceHealth>['trends'] = {}
  for (const channel of channels) {
    const known = state.channels[channel]
    if (!known || known.baseline === null) continue
    trends[channel] = {
      baseline: known.baseline,
      level: known.level,
      deviation: Math.sqrt(Math.max(0, known.covariance[0])),
      error: Math.sqrt(Math.max(0, known.covariance[0]) + wanderVariance(channel, known, noise)),
    }
  }
  return trends
}
