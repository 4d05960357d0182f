/** Reads notifications and incidents in the form of the contract. */
import { desc, eq, max, sql } from 'drizzle-orm'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import type { Line } from './newest.ts'

const columns = { notification: notifications, description: devices.description, company_name: accounts.company_name }

/** Returns the notifications of these ids, newest first; missing ones are left out. Does not check access. */
export async function notificationsByIds(db: Database, ids: readonly string[]): Promise<Notification[]> {
  const rows = await db
    .select(columns)
    .from(notifications)
    .innerJoin(devices, eq(devices.bssid, notifications.bssid))
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(anyOf(notifications.id, ids))
    .orderBy(desc(notifications.created_at), desc(notifications.id))
  return rows.map(toNotification)
}

interface NotificationRow {
  readonly notification: typeof notifications.$inferSelect
  readonly description: string
  readonly company_name: string
}

const toNotification = ({ notification, description, company_name }: NotificationRow): Notification => ({
  _id: notification.id,
  type: notification.type,
  device: { bssid: notification.bssid, description, company_name },
  created_at: notification.created_at.toISOString(),
  values: { ...notification.values },
  ...(notification.repeats > 0 && { repeats: notification.repeats }),
})

/** Returns the rows of a collapsed page, in its order; `storms`: an incident stands for its storm. Does not check access. */
export async function rowsOfLines(db: Database, lines: readonly Line[], storms: boolean): Promise<Notification[]> {
  const [ofIncidents, single] = [true, false].map(which =>
    lines.filter(({ isIncident }) => isIncident === which).map(({ id }) => id),
  ) as [string[], string[]]
  const byId = await incidentsByIds(db, ofIncidents, storms)
  for (const notification of await notificationsByIds(db, single)) byId.set(notification._id, notification)
  return lines.flatMap(({ id }) => byId.get(id) ?? [])
}

/**
 * Returns the rows of incidents by the incident's id. Each has the id and beginning of the incident, and else its first notification.
 * A vendor's part of a storm may be a single notification, which is its row.
 */
async function incidentsByIds(
  db: Database,
  ids: readonly string[],
  storms: boolean,
): Promise<Map<string, Notification>> {
  if (ids.length === 0) return new Map()
  const stormsById = new Map(storms ? (await stormsOf(db, ids)).map(storm => [storm.id, storm]) : [])
  const rows = await db
    .select({ incident: incidents, ...columns })
    .from(incidents)
    .innerJoin(
      notifications,
      sql`${notifications.id} = (
        select first.id from ${notifications} as first where first.incident_id = ${incidents.id}
        order by first.created_at, first.id limit 1)`,
    )
    .innerJoin(devices, eq(devices.bssid, notifications.bssid))
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(anyOf(incidents.id, ids))
  return new Map(
    rows.map(({ incident, ...row }) => {
      const storm = stormsById.get(incident.id)
      const first = toNotification(row)
      const isSingle = incident.notifications === 1 && !(storms && incident.storm_id !== null)
      return [incident.id, isSingle ? first : { ...first, ...incidentRow(incident, storm) }]
    }),
  )
}

const incidentRow = (incident: typeof incidents.$inferSelect, storm: Storm | undefined) => ({
  _id: incident.id,
  created_at: incident.began_at.toISOString(),
  incident: {
    devices: incident.devices,
    open: incident.open,
    water_supply: incident.water_supply,
    last_at: incident.last_at.toISOString(),
    ended_at: incident.ended_at?.toISOString() ?? null,
    ...storm?.incident,
  },
})

type Storm = Awaited<ReturnType<typeof stormsOf>>[number]

/** Returns of those incidents that are the first of a storm what its line has in place of theirs. */
async function stormsOf(db: Database, ids: readonly string[]) {
  const rows = await db
    .select({
      id: sql<string>`${incidents.storm_id}`,
      devices: sql<number>`sum(${incidents.devices})::integer`,
      open: sql<number>`sum(${incidents.open})::integer`,
      vendors: sql<number>`count(distinct ${incidents.vendor_id})::integer`,
      last_at: max(incidents.last_at),
      ended_at: max(incidents.ended_at),
      lasting: sql<number>`(count(*) - count(${incidents.ended_at}))::integer`,
    })
    .from(incidents)
    .where(anyOf(incidents.storm_id, ids))
    .groupBy(incidents.storm_id)
  return rows
    .filter(({ vendors }) => vendors > 1)
    .map(({ id, last_at, ended_at, lasting, ...counts }) => ({
      id,
      incident: {
        ...counts,
        water_supply: null,
        last_at: last_at!.toISOString(),
        ended_at: lasting > 0 ? null : ended_at!.toISOString(),
      },
    }))
}
