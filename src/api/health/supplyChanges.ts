/** Changes that the devices of a supply share, as the overview and the notifications show them. */
import { msPerDay } from '../../domain/time.ts'
import { shownChangeDays, type SupplyChange } from '../contract/health/fleet.ts'

/** Returns the id of the line of a change, which stays the same while the change goes on. */
export const changeIdOf = ({ _id }: SupplyChange): string => `supply change ${_id}`

/** Returns whether a change goes on or has ended lately. `now`: milliseconds. */
export const isShownChange = ({ ended_at }: SupplyChange, now: number): boolean =>
  ended_at === null || now - Date.parse(ended_at) < shownChangeDays * msPerDay
