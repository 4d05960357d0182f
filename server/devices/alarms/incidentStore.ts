/** Reads the notifications and incidents that may belong together, and stores which do. */
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { msPerHour } from '../../../src/domain/time.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceAlarms, incidents, notifications } from '../../db/schema/notifications.ts'
import { deviceEventTypes } from './alarmEvaluator.ts'
import { incidentWindow, maxGrowth, type IncidentPlan } from './incidentRules.ts'

/** Notifications of one type up to a time: of a vendor or, without one, of all. */
export interface Recent {
  readonly vendor?: string
  readonly type: NotificationType
  readonly at: Date
}

/** Processes that store incidents of one type and vendor do so one after the other, until their transactions end. */
export async function lockIncidents(tx: Database, vendor: string, type: NotificationType): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`incident ${vendor} ${type}`}, 0))`)
}

const before = (time: Date, milliseconds: number) => new Date(time.getTime() - milliseconds)

const isSingle = ({ vendor, type }: Recent) =>
  and(
    vendor === undefined ? undefined : eq(notifications.vendor_id, vendor),
    eq(notifications.type, type),
    isNull(notifications.incident_id),
  )

/** Returns the notifications of the window that are in no incident, oldest first. */
export const singlesOf = (tx: Database, recent: Recent) =>
  tx
    .select({
      id: notifications.id,
      bssid: notifications.bssid,
      vendor: notifications.vendor_id,
      at: notifications.created_at,
      supply: devices.water_supply_key,
      label: devices.water_supply,
    })
    .from(notifications)
    .innerJoin(devices, eq(devices.bssid, notifications.bssid))
    .where(
      and(
        isSingle(recent),
        gt(notifications.created_at, before(recent.at, incidentWindow)),
        lte(notifications.created_at, recent.at),
      ),
    )
    .orderBy(asc(notifications.created_at), asc(notifications.id))

/** Returns how many notifications are in no incident in a usual window: the mean of the hour before. */
export async function usualOf(tx: Database, recent: Recent): Promise<number> {
  const since = before(recent.at, incidentWindow)
  const ofHour = and(
    isSingle(recent),
    lte(notifications.created_at, since),
    gt(notifications.created_at, before(since, msPerHour)),
  )
  return ((await tx.$count(notifications, ofHour)) * incidentWindow) / msPerHour
}

/** An event does not last, so its incident grows although nothing of it is open. */
const isEvent = (type: NotificationType) => deviceEventTypes.some(event => event === type)

/** Returns the incidents that may still grow, oldest first. */
export const growingOf = (tx: Database, { vendor, type, at }: Recent) =>
  tx
    .select({
      id: incidents.id,
      vendor: incidents.vendor_id,
      devices: incidents.devices,
      began_at: incidents.began_at,
      last_at: incidents.last_at,
      supply: sql<string | null>`lower(${incidents.water_supply} collate "pg_c_utf8")`,
      label: incidents.water_supply,
    })
    .from(incidents)
    .where(
      and(
        vendor === undefined ? undefined : eq(incidents.vendor_id, vendor),
        eq(incidents.type, type),
        gt(incidents.last_at, before(at, incidentWindow)),
        gt(incidents.began_at, before(at, maxGrowth)),
        isEvent(type) ? undefined : isNull(incidents.ended_at),
      ),
    )
    .orderBy(asc(incidents.began_at), asc(incidents.id))

type Singles = Awaited<ReturnType<typeof singlesOf>>
type Growing = Awaited<ReturnType<typeof growingOf>>

/** Stores a plan for these notifications and incidents. Triggers count an incident's notifications, devices and open conditions. */
export async function carryOut(
  tx: Database,
  { vendor, type }: { readonly vendor: string; readonly type: NotificationType },
  plan: IncidentPlan,
  singles: Singles,
  growing: Growing,
): Promise<void> {
  const { into, joining, absorbed } = plan
  const isJoining = new Set(joining)
  const parts = [
    ...singles.filter(({ id }) => isJoining.has(id)).map(one => ({ ...one, began_at: one.at, last_at: one.at })),
    ...growing.filter(({ id }) => id === into || absorbed.includes(id)),
  ]
  const times = parts.flatMap(({ began_at, last_at }) => [began_at.getTime(), last_at.getTime()])
  const id = into ?? newId()
  const values = {
    water_supply: parts.find(({ supply }) => supply === plan.supply)?.label ?? null,
    began_at: new Date(Math.min(...times)),
    last_at: new Date(Math.max(...times)),
  }
  if (into === undefined) await tx.insert(incidents).values({ id, vendor_id: vendor, type, ...values })
  const joiningNotifications = anyOf(notifications.id, joining)
  const anyAbsorbed = sql`= any(${sql.param(absorbed)}::text[])`
  // With an array of devices in place of a subquery, each side of the `or` is found by an index.
  await tx.execute(sql`
    update ${deviceAlarms} set incident_id = ${id}
    where ${deviceAlarms.incident_id} ${anyAbsorbed} or (${deviceAlarms.type} = ${type} and ${isNull(deviceAlarms.incident_id)}
      and ${deviceAlarms.bssid} = any(array(select ${notifications.bssid} from ${notifications} where ${joiningNotifications})))`)
  await tx
    .update(notifications)
    .set({ incident_id: id })
    .where(or(joiningNotifications, sql`${notifications.incident_id} ${anyAbsorbed}`))
  // Its conditions may have ended before it was found.
  const ended_at = sql`case when ${incidents.open} = 0 then coalesce(${incidents.ended_at}, ${values.last_at.toISOString()}::timestamptz) end`
  await tx
    .update(incidents)
    .set({ ...values, ended_at })
    .where(eq(incidents.id, id))
}
