/** The devices that an entry of the overview stands for. */
import type { Progress } from '../../api/readMatches.ts'
import type { AnyItem } from '../../store/selection.ts'
import { matchingItems } from '../selection/materialize.ts'
import { readDevices } from '../selection/selectList.ts'
import type { OverviewEntry } from './entries.ts'

/** Reads the devices of an entry. Rejects if they are not known any more. */
export async function devicesOfEntry(entry: OverviewEntry, progress: Progress): Promise<readonly AnyItem[]> {
  if ('bssid' in entry) return readDevices([entry.bssid], progress)
  if (entry.search !== undefined) return matchingItems('devices', entry.search, progress)
  if (entry.bssids.length === 0) throw new Error('The devices of this change are on another supply now')
  return readDevices(entry.bssids, progress)
}
