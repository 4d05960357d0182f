/** The alarm load: how many alarms people get, and the devices with the most. */
import { isoOf } from '../../../src/domain/time.ts'
import { and, desc, gte, isNull, sql, type SQL } from 'drizzle-orm'
import { notifications as contract, type AlarmLoad } from '../../../src/api/contract/notifications.ts'
import { sum } from '../../../src/domain/lib/sum.ts'
import {
  alarmLoad,
  lastDays,
  loadDays,
  windowLength,
  type AlarmWindow,
} from '../../../src/domain/notifications/alarmLoad.ts'
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { incidents, notifications } from '../../db/schema/notifications.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownIncidents, ownNotifications, type Scope } from '../shared/scope.ts'
import { hasLine, notificationsOfLine, seesStorms } from './storms.ts'

/** Maximum alarms that are counted, the newest first, so that a call stays quick: by windows, and by devices. */
const maxCounted = { windows: 1_000_000, devices: 100_000 }
/** Maximum devices that are listed as those with the most alarms. */
const maxWorst = 10

export const load = handler(contract.load, async ({ query: { range, zone }, caller, services: { db, now } }) => {
  const until = now().getTime()
  const days = lastDays(loadDays[range], until, zone)
  const { from, windows, incidents, worst, worst_from } = await countAlarms(db, caller, days[0]!)
  // A day without counts is left out.
  const shown = days.filter((_, index) => (days[index + 1] ?? Infinity) > from)
  const found = alarmLoad(windows, { days: shown, from, now: until })
  return {
    from: isoOf(from),
    until: isoOf(until),
    alarms: found.alarms,
    incidents: incidents.count,
    incident_notifications: incidents.notifications,
    per_person_day: found.perPersonDay,
    windows: found.windows,
    flood_windows: found.floodWindows,
    flood_hours: found.floodHours,
    fullest: found.fullest ? { ...found.fullest, at: isoOf(found.fullest.at) } : null,
    days: found.days.map(day => ({ ...day, at: isoOf(day.at) })),
    worst,
    worst_from: isoOf(worst_from),
  }
})

export interface CountedAlarms {
  /** Since when alarms are counted by windows, and by devices, milliseconds UTC: later than asked for if there are too many. */
  readonly from: number
  readonly worst_from: number
  readonly windows: readonly AlarmWindow[]
  readonly incidents: { readonly count: number; readonly notifications: number }
  readonly worst: AlarmLoad['worst']
}

/** Counts the alarms since a time (milliseconds UTC): single notifications and incidents. */
export async function countAlarms(
  db: Database,
  caller: Scope,
  since: number,
  max = maxCounted,
): Promise<CountedAlarms> {
  const single = and(
    ownNotifications(caller),
    isNull(notifications.incident_id),
    gte(notifications.created_at, new Date(since)),
  )
  const counted = await countWindows(db, caller, single, since, max.windows)
  const { worst, oldest } = await countDevices(db, single, max.devices)
  return { ...counted, worst, worst_from: Math.max(counted.from, oldest ?? 0) }
}

interface StoredWindow extends Record<string, unknown> {
  /** The start of the window, milliseconds UTC. */
  readonly at: number
  readonly of_incidents: boolean
  readonly n: number
  /** The notifications that its incidents stand for. */
  readonly members: number
  /** Milliseconds UTC of its oldest alarm. */
  readonly oldest: number
}

/** Counts alarms by windows. Both parts are read from the end of an index, and of single notifications nothing else. */
async function countWindows(db: Database, caller: Scope, single: SQL | undefined, since: number, max: number) {
  const storms = seesStorms(caller)
  const ofIncidents = and(ownIncidents(caller), hasLine(storms), gte(incidents.began_at, new Date(since)))
  const newest = sql`select ${notifications.created_at} as at, 0 as members from ${notifications} where ${single}
    order by ${desc(notifications.created_at)}, ${desc(notifications.id)} limit ${max}`
  const newestIncidents = sql`select ${incidents.began_at} as at, ${storms ? notificationsOfLine : incidents.notifications} as members
    from ${incidents} where ${ofIncidents} order by ${desc(incidents.began_at)}, ${desc(incidents.id)} limit ${max}`
  const byWindow = (part: SQL, of_incidents: boolean) => sql`
    select ${milliseconds('start')} as at, ${of_incidents}::boolean as of_incidents, n, members, ${milliseconds('oldest')} as oldest
    from (select date_bin(${`${windowLength} milliseconds`}::interval, at, timestamptz 'epoch') as start, count(*)::integer as n,
        sum(members)::integer as members, min(at) as oldest from (${part}) as newest group by 1) as counted`
  const { rows } = await db.execute<StoredWindow>(
    sql`${byWindow(newest, false)} union all ${byWindow(newestIncidents, true)}`,
  )
  const oldest = [true, false].map(which => {
    const part = rows.filter(({ of_incidents }) => of_incidents === which)
    return sum(part.map(({ n }) => n)) >= max ? Math.min(...part.map(each => each.oldest)) : 0
  })
  // A window that is counted in part is left out.
  const from = Math.max(since, ...oldest.map(at => Math.ceil(at / windowLength) * windowLength))
  const counted = rows.filter(({ at }) => at > from - windowLength)
  const windows = new Map<number, number>()
  for (const { at, n } of counted) windows.set(at, (windows.get(at) ?? 0) + n)
  const found = counted.filter(({ of_incidents }) => of_incidents)
  return {
    from,
    windows: [...windows].map(([at, alarms]) => ({ at, alarms })).toSorted((one, other) => one.at - other.at),
    incidents: { count: sum(found.map(({ n }) => n)), notifications: sum(found.map(({ members }) => members)) },
  }
}

const milliseconds = (column: 'start' | 'oldest') =>
  sql`(extract(epoch from ${sql.identifier(column)}) * 1000)::double precision`

interface WorstRow extends Record<string, unknown> {
  readonly bssid: string
  readonly description: string
  readonly company_name: string
  readonly alarms: number
  readonly type: NotificationType
  readonly of_type: number
}

/** Returns the devices with the most single notifications, and the time of the oldest counted one if not all are counted. */
async function countDevices(db: Database, single: SQL | undefined, max: number) {
  const { rows } = await db.execute<WorstRow & { readonly oldest: number | null }>(sql`
    with newest as materialized (
      select ${notifications.created_at} as at, ${notifications.bssid} as bssid, ${notifications.type} as type
      from ${notifications} where ${single}
      order by ${desc(notifications.created_at)}, ${desc(notifications.id)} limit ${max}
    ),
    worst as (
      select bssid, count(*)::integer as alarms from newest group by bssid order by alarms desc, bssid limit ${maxWorst}
    ),
    typed as (
      select distinct on (bssid) bssid, type, count(*)::integer as of_type from newest join worst using (bssid)
      group by bssid, type order by bssid, of_type desc, type
    )
    select worst.*, typed.type, typed.of_type, ${devices.description} as description,
      ${accounts.company_name} as company_name,
      case when (select count(*) from newest) >= ${max} then
        (select (extract(epoch from min(at)) * 1000)::double precision from newest) end as oldest
    from worst join typed using (bssid) join ${devices} on ${devices.bssid} = worst.bssid
    join ${accounts} on ${accounts.id} = ${devices.vendor_id} order by worst.alarms desc, worst.bssid`)
  return {
    oldest: rows[0]?.oldest,
    worst: rows.map(({ bssid, description, company_name, alarms, type, of_type }) => ({
      device: { bssid, description, company_name },
      alarms,
      type,
      of_type,
    })),
  }
}
