/** Groups new notifications into incidents: several devices of a vendor give the same type within two minutes. */
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import { msPerHour } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { deviceAlarms, incidents, notifications } from '../../db/schema/notifications.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceEventTypes } from './alarmEvaluator.ts'
import { incidentWindow, maxGrowth, minDevices, planIncidents, type IncidentPlan } from './incidentRules.ts'
import { findStorms, stormType } from './storms.ts'

/** Notifications of one type and vendor, up to the newest of them. */
interface Group {
  readonly vendor: string
  readonly type: NotificationType
  readonly at: Date
}

/** An event does not last, so its incident grows although nothing of it is open. */
const isEvent = (type: NotificationType) => deviceEventTypes.some(event => event === type)

/**
 * Adds new notifications to incidents. Called after they are stored, in transactions of their own: the later of two
 * processes that store notifications of an incident sees those of both.
 */
export async function findIncidents(db: Database, created: readonly string[]): Promise<void> {
  if (created.length === 0) return
  const groups = await groupsToPlan(db, created)
  for (const group of groups) await withRetry(() => db.transaction(tx => addTo(tx, group)))
  const offline = groups.filter(({ type }) => type === stormType).map(({ at }) => at.getTime())
  if (offline.length > 0) await findStorms(db, new Date(Math.max(...offline)))
}

/** Returns the groups of new notifications in which there is an incident, or there are enough devices for one. */
async function groupsToPlan(db: Database, created: readonly string[]): Promise<Group[]> {
  const { rows } = await db.execute<{ vendor: string; type: NotificationType; at: number }>(sql`
    select fresh.vendor, fresh.type, (extract(epoch from fresh.at) * 1000)::float8 as at
    from (
      select ${notifications.vendor_id} as vendor, ${notifications.type} as type, max(${notifications.created_at}) as at
      from ${notifications} where ${notifications.id} = any(${sql.param(created)}::text[]) group by 1, 2
    ) as fresh
    where exists (
      select from ${incidents} where ${and(eq(incidents.vendor_id, sql`fresh.vendor`), eq(incidents.type, sql`fresh.type`))}
        and ${incidents.last_at} > fresh.at - ${incidentWindow}::integer * interval '1 millisecond'
    ) or ${minDevices}::integer <= (
      select count(*) from (
        select distinct ${notifications.bssid} from ${notifications}
        where ${and(eq(notifications.vendor_id, sql`fresh.vendor`), eq(notifications.type, sql`fresh.type`))}
          and ${notifications.incident_id} is null and ${notifications.created_at} <= fresh.at
          and ${notifications.created_at} > fresh.at - ${incidentWindow}::integer * interval '1 millisecond'
        limit ${minDevices}
      ) as recent
    )
    order by 1, 2`)
  return rows.map(({ at, ...group }) => ({ ...group, at: new Date(at) }))
}

async function addTo(tx: Database, group: Group): Promise<void> {
  const { vendor, type, at } = group
  // Processes that store notifications of one type and vendor plan one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`incident ${vendor} ${type}`}, 0))`)
  const singles = await singlesOf(tx, group)
  const growing = await growingOf(tx, group)
  const since = new Date(at.getTime() - incidentWindow)
  const usual = await tx.$count(
    notifications,
    and(
      singleNotifications(group),
      lte(notifications.created_at, since),
      gt(notifications.created_at, before(since, msPerHour)),
    ),
  )
  for (const plan of planIncidents(singles, growing, (usual * incidentWindow) / msPerHour)) {
    const joining = new Set(plan.joining)
    const parts = [
      ...singles.filter(({ id }) => joining.has(id)).map(one => ({ ...one, began_at: one.at, last_at: one.at })),
      ...growing.filter(({ id }) => id === plan.into || plan.absorbed.includes(id)),
    ]
    const times = parts.flatMap(({ began_at, last_at }) => [began_at.getTime(), last_at.getTime()])
    await carryOut(tx, group, plan, {
      id: plan.into ?? newId(),
      water_supply: parts.find(({ supply }) => supply === plan.supply)?.label ?? null,
      began_at: new Date(Math.min(...times)),
      last_at: new Date(Math.max(...times)),
    })
  }
}

const before = (time: Date, milliseconds: number) => new Date(time.getTime() - milliseconds)

const singleNotifications = ({ vendor, type }: Group) =>
  and(eq(notifications.vendor_id, vendor), eq(notifications.type, type), isNull(notifications.incident_id))

/** Returns the single notifications within the window, oldest first. */
const singlesOf = (tx: Database, group: Group) =>
  tx
    .select({
      id: notifications.id,
      bssid: notifications.bssid,
      at: notifications.created_at,
      supply: devices.water_supply_key,
      label: devices.water_supply,
    })
    .from(notifications)
    .innerJoin(devices, eq(devices.bssid, notifications.bssid))
    .where(
      and(
        singleNotifications(group),
        gt(notifications.created_at, before(group.at, incidentWindow)),
        lte(notifications.created_at, group.at),
      ),
    )
    .orderBy(asc(notifications.created_at), asc(notifications.id))

/** Returns the incidents that may still grow, oldest first. */
const growingOf = (tx: Database, { vendor, type, at }: Group) =>
  tx
    .select({
      id: incidents.id,
      devices: incidents.devices,
      began_at: incidents.began_at,
      last_at: incidents.last_at,
      supply: sql<string | null>`lower(${incidents.water_supply} collate "pg_c_utf8")`,
      label: incidents.water_supply,
    })
    .from(incidents)
    .where(
      and(
        eq(incidents.vendor_id, vendor),
        eq(incidents.type, type),
        gt(incidents.last_at, before(at, incidentWindow)),
        gt(incidents.began_at, before(at, maxGrowth)),
        isEvent(type) ? undefined : isNull(incidents.ended_at),
      ),
    )
    .orderBy(asc(incidents.began_at), asc(incidents.id))

/** Stores a plan. Triggers count the notifications, devices and open conditions of the incidents. */
async function carryOut(
  tx: Database,
  { vendor, type }: Group,
  { into, joining, absorbed }: IncidentPlan,
  { id, ...values }: Pick<typeof incidents.$inferInsert, 'id' | 'water_supply' | 'began_at' | 'last_at'>,
): Promise<void> {
  if (into === undefined) await tx.insert(incidents).values({ id, vendor_id: vendor, type, ...values })
  const joiningNotifications = sql`${notifications.id} = any(${sql.param(joining)}::text[])`
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
