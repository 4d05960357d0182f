/** The alarm load: how many alarms people get, and the devices with the most. */
import { and, gte, isNull, sql } from 'drizzle-orm'
import { notifications as contract } from '../../../src/api/contract/notifications.ts'
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
import { handler, type Caller } from '../../endpoints/handler.ts'
import { ownIncidents, ownNotifications } from '../shared/scope.ts'

/** Alarms that are counted at most, the newest first, so that a call stays quick however many there are. */
const maxAlarms = 500_000
/** Devices that are listed as those with the most alarms. */
const maxWorst = 10

interface Counted extends Record<string, unknown> {
  /** Milliseconds UTC of the oldest counted alarm, if not all are counted. */
  readonly oldest: number | null
  readonly incidents: number
  readonly incident_notifications: number
  readonly windows: readonly AlarmWindow[] | null
  readonly worst:
    | readonly {
        readonly bssid: string
        readonly description: string
        readonly company_name: string
        readonly alarms: number
        readonly type: NotificationType
        readonly of_type: number
      }[]
    | null
}

export const load = handler(contract.load, async ({ query: { range, zone }, caller, services: { db, now } }) => {
  const until = now().getTime()
  const days = lastDays(loadDays[range], until, zone)
  const { oldest, windows, worst, ...counted } = await countAlarms(db, caller, new Date(days[0]!))
  const from = Math.max(days[0]!, oldest ?? 0)
  // A day of which nothing is counted is left out.
  const shown = days.filter((_, index) => (days[index + 1] ?? Infinity) > from)
  const loaded = alarmLoad(windows ?? [], { days: shown, from, now: until })
  return {
    from: iso(from),
    until: iso(until),
    ...counted,
    alarms: loaded.alarms,
    per_person_day: loaded.perPersonDay,
    windows: loaded.windows,
    flood_windows: loaded.floodWindows,
    flood_hours: loaded.floodHours,
    fullest: loaded.fullest ? { ...loaded.fullest, at: iso(loaded.fullest.at) } : null,
    days: loaded.days.map(day => ({ ...day, at: iso(day.at) })),
    worst: (worst ?? []).map(({ alarms, type, of_type, ...device }) => ({ device, alarms, type, of_type })),
  }
})

const iso = (at: number) => new Date(at).toISOString()

/**
 * Counts the alarms since a time by window and by device, in one statement. Single notifications and incidents are each
 * read from the end of an index, at most `max` of them.
 */
export async function countAlarms(
  db: Database,
  caller: Pick<Caller, 'role' | 'account'>,
  from: Date,
  max = maxAlarms,
): Promise<Counted> {
  const ofSingle = and(ownNotifications(caller), isNull(notifications.incident_id), gte(notifications.created_at, from))
  const ofIncidents = and(ownIncidents(caller), gte(incidents.began_at, from))
  const milliseconds = (at: string) => sql.raw(`(extract(epoch from ${at}) * 1000)::double precision`)
  const { rows } = await db.execute<Counted>(sql`
    with single as materialized (
      select ${notifications.created_at} as at, ${notifications.bssid} as bssid, ${notifications.type} as type
      from ${notifications} where ${ofSingle}
      order by ${notifications.created_at} desc, ${notifications.id} desc limit ${max}
    ),
    incident as materialized (
      select ${incidents.began_at} as at, ${incidents.notifications} as n from ${incidents} where ${ofIncidents}
      order by ${incidents.began_at} desc, ${incidents.id} desc limit ${max}
    ),
    oldest as materialized (
      select greatest(
        case when (select count(*) from single) >= ${max} then (select min(at) from single) end,
        case when (select count(*) from incident) >= ${max} then (select min(at) from incident) end) as at
    ),
    line as (
      select at from single union all select at from incident
    ),
    windows as (
      select floor(${milliseconds('line.at')} / ${windowLength}) * ${windowLength} as at, count(*)::integer as alarms
      from line, oldest where oldest.at is null or line.at >= oldest.at group by 1
    ),
    typed as (
      select bssid, type, count(*)::integer as n from single, oldest
      where oldest.at is null or single.at >= oldest.at group by 1, 2
    ),
    worst as (
      select bssid, sum(n)::integer as alarms, (array_agg(type order by n desc, type))[1] as type, max(n) as of_type
      from typed group by bssid order by alarms desc, bssid limit ${maxWorst}
    )
    select (select ${milliseconds('at')} from oldest) as oldest,
      (select count(*)::integer from incident, oldest where oldest.at is null or incident.at >= oldest.at) as incidents,
      (select coalesce(sum(n), 0)::integer from incident, oldest where oldest.at is null or incident.at >= oldest.at)
        as incident_notifications,
      (select json_agg(windows order by windows.at) from windows) as windows,
      (select json_agg(found order by found.alarms desc, found.bssid) from (
        select worst.*, ${devices.description} as description, ${accounts.company_name} as company_name
        from worst join ${devices} on ${devices.bssid} = worst.bssid
        join ${accounts} on ${accounts.id} = ${devices.vendor_id}) as found) as worst`)
  return rows[0]!
}
