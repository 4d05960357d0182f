/** Changes that the devices of a supply share, as the overview and the notifications show them. */
import { msPerDay } from '../../domain/time.ts'
import { shownIncidentDays, type Incident } from '../contract/health/fleet.ts'

/** Returns the id of an incident's line, which stays the same while the incident goes on. */
export const incidentIdOf = ({ vendor, water_supply, cause, began_at }: Incident): string =>
  `incident ${vendor._id} ${water_supply} ${cause} ${began_at}`

/** Returns whether an incident goes on or has ended lately. `now`: milliseconds. */
export const isShownIncident = ({ ended_at }: Incident, now: number): boolean =>
  ended_at === null || now - Date.parse(ended_at) < shownIncidentDays * msPerDay
