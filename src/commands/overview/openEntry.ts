/** What Enter does on an entry of the overview, and on a change of a supply among the notifications. */
import { routes } from '../../domain/lists/routes.ts'
import { lists, setSearch, setSearchBy } from '../../store/lists.ts'
import type { Services } from '../core/types.ts'
import { applyMatches } from '../selection/materialize.ts'
import { followMatches } from '../selection/selectHealth.ts'
import { devicesOfEntry } from './devices.ts'
import type { OverviewEntry } from './entries.ts'

/** Opens the device of an entry, or selects its devices and opens their list. Returns a message. Rejects if there are none. */
export async function openEntry(entry: OverviewEntry, { go, progress }: Services): Promise<string | undefined> {
  if ('bssid' in entry) {
    go(`${routes.devices.path}/${entry.bssid}`)
    return undefined
  }
  if (entry.search === undefined) {
    const found = await devicesOfEntry(entry, progress)
    const source = 'group' in entry ? 'new findings' : 'a change of a water supply'
    const message = await applyMatches('devices', found, { mode: undefined, source, progress })
    go(routes.devices.path)
    return message
  }
  const message = await followMatches(entry.search, progress)
  const { search, column, operator } = entry.search
  setSearch(lists.devices, search)
  setSearchBy(lists.devices, { ...(column !== undefined && { column }), operator })
  go(routes.devices.path)
  return message
}
