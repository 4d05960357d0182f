/** Endpoints of what devices of a supply share: incidents, and visits that replace cartridges together. */
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { health as contract, maxPlanDays, type PlannedVisit } from '../../../src/api/contract/health.ts'
import { maxPerCall } from '../../../src/api/contract/endpoint.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { wallTime } from '../../../src/domain/zone.ts'
import { badRequest } from '../../core/errors.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { cartridgeForecasts, supplyIncidents } from '../../db/schema/health.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices, ownSupplyIncidents } from '../shared/scope.ts'

const maxIncidents = 100

export const incidents = handler(contract.incidents, async ({ caller, services: { db } }) => {
  const rows = await db
    .select({ incident: supplyIncidents, company: accounts.company_name })
    .from(supplyIncidents)
    .innerJoin(accounts, eq(accounts.id, supplyIncidents.vendor_id))
    .where(ownSupplyIncidents(caller))
    .orderBy(desc(supplyIncidents.began_at))
    .limit(maxIncidents)
  return rows.map(({ incident, company }) => ({
    vendor: { _id: incident.vendor_id, company_name: company },
    water_supply: incident.water_supply,
    cause: incident.cause,
    began_at: incident.began_at.toISOString(),
    ended_at: incident.ended_at?.toISOString() ?? null,
    change: Math.round((Math.exp(incident.value) - 1) * 100),
    devices: incident.devices,
  }))
})

/** Cartridges that are read for a plan at most. */
const maxCartridges = 10_000

export const plan = handler(contract.plan, async ({ query, caller, services: { db, now } }) => {
  const [from, to] = [new Date(query.from), new Date(query.to)]
  if (to.getTime() - from.getTime() > maxPlanDays * msPerDay || to < from)
    throw badRequest(`A plan is for at most ${maxPlanDays} days`)
  const rows = await db
    .select({
      bssid: devices.bssid,
      vendor: devices.vendor_id,
      company: accounts.company_name,
      supply: devices.water_supply,
      position: cartridgeForecasts.position,
      model: cartridgeTypes.model,
      due: cartridgeForecasts.due_at,
      early: cartridgeForecasts.early_at,
      late: cartridgeForecasts.late_at,
    })
    .from(cartridgeForecasts)
    .innerJoin(devices, eq(devices.bssid, cartridgeForecasts.bssid))
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .innerJoin(
      deviceCartridges,
      and(eq(deviceCartridges.bssid, devices.bssid), eq(deviceCartridges.position, cartridgeForecasts.position)),
    )
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(
      and(
        ownDevices(caller),
        gte(cartridgeForecasts.due_at, from),
        lt(cartridgeForecasts.due_at, to),
        // A device with an event until then is visited anyway.
        sql`not exists (select from ${eventDevices} join ${events} on ${events.id} = ${eventDevices.event_id}
          where ${eventDevices.bssid} = ${devices.bssid} and ${events.ends_at} >= ${now().toISOString()}::timestamptz
            and ${events.starts_at} <= ${cartridgeForecasts.late_at})`,
      ),
    )
    .orderBy(cartridgeForecasts.due_at, devices.bssid)
    .limit(maxCartridges)
  const week = (due: Date) => Math.floor((wallTime(query.zone, due.getTime()) / msPerDay + 3) / 7)
  const visits = Map.groupBy(rows, row => JSON.stringify([row.vendor, row.supply, week(row.due)]))
  return [...visits.values()].map((cartridges): PlannedVisit => {
    const [first] = cartridges
    return {
      vendor: { _id: first!.vendor, company_name: first!.company },
      water_supply: first!.supply,
      at: first!.due.toISOString(),
      cartridges: cartridges.slice(0, maxPerCall).map(({ bssid, position, model, due, early, late }) => ({
        bssid,
        position,
        model,
        due_at: due.toISOString(),
        early_at: early.toISOString(),
        late_at: late.toISOString(),
      })),
      count: new Set(cartridges.map(({ bssid }) => bssid)).size,
    }
  })
})
