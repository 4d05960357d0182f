/** Storms in collapsed lists: administrators see incidents of several vendors that belong together as one line. */
import { sql, type SQL } from 'drizzle-orm'
import { incidents } from '../../db/schema/notifications.ts'
import type { Scope } from '../shared/scope.ts'

const member = sql.identifier('member')

/** Whether the caller sees storms. A vendor sees its own incident of each. */
export const seesStorms = ({ vendor }: Scope): boolean => vendor === null

/** The incident whose line stands for an incident: itself, or the first one of its storm. */
export const shownIncident = (storms: boolean): SQL =>
  storms ? sql`coalesce(${incidents.storm_id}, ${incidents.id})` : sql`${incidents.id}`

/** The condition of the incidents that have a line; `undefined` if all have one. */
export const hasLine = (storms: boolean): SQL | undefined =>
  storms ? sql`(${incidents.storm_id} is null or ${incidents.storm_id} = ${incidents.id})` : undefined

/** The incidents of a line. */
export const incidentsOfLine = (id: string): SQL =>
  sql`select ${incidents.id} from ${incidents} where ${incidents.id} = ${id} or ${incidents.storm_id} = ${id}`

/** The number of notifications of the storm of an incident that has a line. */
export const notificationsOfLine = sql`(select coalesce(sum(${member}.notifications), ${incidents.notifications})::integer
  from ${incidents} as ${member} where ${member}.storm_id = ${incidents.id})`
