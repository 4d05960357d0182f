/** Endpoints of visits that replace cartridges: suggested ones, and what is due and planned for devices. */
import { and, asc, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { maxPerCall } from '../../../src/api/contract/endpoint.ts'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import type { DueDevice } from '../../../src/api/contract/health/plan.ts'
import { maxPlanDays, nextVisitStart, visitsOf } from '../../../src/domain/calendar/visits.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import { badRequest } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { eventDevices, events } from '../../db/schema/events.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { cartridgeForecasts } from '../../db/schema/forecasts.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'
import { parseTime } from '../shared/times.ts'

/** Cartridges of a plan at most, which limits the server's memory. The others follow once the first have events. */
const maxCartridges = 10_000

/**
 * The start of the first event of the device by which a cartridge may be replaced: one that has not ended, within a week of
 * early–late. An overdue cartridge is late now.
 */
const plannedAt = (now: Date): SQL<Date | null> => {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql<Date | null>`(
    select min(${events.starts_at}) from ${eventDevices} join ${events} on ${events.id} = ${eventDevices.event_id}
    where ${eventDevices.bssid} = ${devices.bssid}
      and ${events.ends_at} >= greatest(${at}, ${cartridgeForecasts.early_at} - interval '7 days')
      and ${events.starts_at} <= greatest(${at}, ${cartridgeForecasts.late_at}) + interval '7 days')`.mapWith(
    events.starts_at,
  )
}

/** Returns the forecasts that match a condition, with their devices and events, those that are due first before others. */
const forecasts = (db: Database, now: Date, condition: SQL | undefined) =>
  db
    .select({
      bssid: devices.bssid,
      vendor: { _id: devices.vendor_id, company_name: accounts.company_name },
      water_supply: devices.water_supply,
      position: cartridgeForecasts.position,
      model: cartridgeTypes.model,
      due: cartridgeForecasts.due_at,
      early: cartridgeForecasts.early_at,
      late: cartridgeForecasts.late_at,
      planned: plannedAt(now),
    })
    .from(cartridgeForecasts)
    .innerJoin(devices, eq(devices.bssid, cartridgeForecasts.bssid))
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .innerJoin(
      deviceCartridges,
      and(eq(deviceCartridges.bssid, devices.bssid), eq(deviceCartridges.position, cartridgeForecasts.position)),
    )
    .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
    .where(condition)
    .orderBy(cartridgeForecasts.due_at, devices.bssid)

type Forecast = Awaited<ReturnType<typeof forecasts>>[number]

const dueCartridge = ({ bssid, position, model, due, early, late }: Forecast) => ({
  bssid,
  position,
  model,
  due_at: due.toISOString(),
  early_at: early.toISOString(),
  late_at: late.toISOString(),
})

export const plan = handler(contract.plan, async ({ query, caller, services: { db, now } }) => {
  const [from, to] = [parseTime('From', query.from), parseTime('To', query.to)]
  if (to.getTime() - from.getTime() > maxPlanDays * msPerDay || to < from)
    throw badRequest(`A plan is for at most ${maxPlanDays} days`)
  const next = new Date(nextVisitStart(query.zone, now().getTime()))
  // What is overdue by then is replaced at the next time at which a visit can begin.
  if (to <= next) return { visits: [], more: 0 }
  const dueForecasts = and(
    ownDevices(caller),
    lt(cartridgeForecasts.due_at, to),
    from > next ? gte(cartridgeForecasts.due_at, from) : undefined,
    isNull(plannedAt(now())),
  )
  const rows = await forecasts(db, now(), dueForecasts).limit(maxCartridges)
  const count =
    rows.length < maxCartridges ? rows.length : await db.$count(forecasts(db, now(), dueForecasts).as('due'))
  const due = rows.map(row => ({ ...dueCartridge(row), vendor: row.vendor, water_supply: row.water_supply }))
  const visits = visitsOf(due, { zone: query.zone, now: now().getTime(), maxDevices: maxPerCall })
  return {
    visits: visits.map(visit => ({ ...visit, cartridges: [...visit.cartridges] })),
    more: count - rows.length,
  }
})

export const planOfDevices = handler(contract.planOfDevices, async ({ query, caller, services: { db, now } }) => {
  const condition = and(ownDevices(caller), inArray(devices.bssid, query.devices))
  const [found, rows] = await Promise.all([
    db
      .select({
        bssid: devices.bssid,
        vendor: { _id: devices.vendor_id, company_name: accounts.company_name },
        water_supply: devices.water_supply,
      })
      .from(devices)
      .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
      .where(condition)
      .orderBy(asc(devices.bssid)),
    forecasts(db, now(), condition),
  ])
  const byDevice = Map.groupBy(rows, ({ bssid }) => bssid)
  return found.map((device): DueDevice => ({
    ...device,
    cartridges: (byDevice.get(device.bssid) ?? []).map(row => ({
      ...dueCartridge(row),
      planned_at: row.planned?.toISOString() ?? null,
    })),
  }))
})
