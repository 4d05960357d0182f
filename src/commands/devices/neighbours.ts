/** What stands before and after a device: in the selection where it is one of several, or else in the devices' list. */
import { loadPage, cachedList } from '../../api/hooks.ts'
import { queryOf } from '../../api/readList.ts'
import { focus } from '../../store/focus.ts'
import { lists, setPage } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'

export interface Neighbours {
  readonly of: 'selection' | 'list'
  /** From 1; undefined where the list no longer has it. */
  readonly position: number | undefined
  readonly count: number
  /** Ids; undefined at the ends, and where the neighbour is on the page before or after. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Undefined where neither the selection nor the page shown last has it. */
export function neighboursOf(bssid: string): Neighbours | undefined {
  const selected = selections.devices
  if (selected.size > 1 && selected.has(bssid)) {
    const items = selected.items()
    const at = items.findIndex(({ id }) => id === bssid)
    return {
      of: 'selection',
      position: at + 1,
      count: items.length,
      previous: items[at - 1]?.id,
      next: items[at + 1]?.id,
    }
  }
  const list = lists.devices
  const shown = cachedList('devices', list)
  if (!shown) return undefined
  const at = shown.data.findIndex(row => row.bssid === bssid)
  // It was in the list a moment ago, at that place; another may have taken it.
  const before = focus.devices.id === bssid ? focus.devices.index : -1
  if (at < 0 && before < 0) return undefined
  return {
    of: 'list',
    position: at < 0 ? undefined : (list.page - 1) * list.limit + at + 1,
    count: shown.count,
    previous: shown.data[(at < 0 ? before : at) - 1]?.bssid,
    next: shown.data[at < 0 ? before : at + 1]?.bssid,
  }
}

/** Whether there is a device before (-1) or after (1), on this page or another. */
export function hasNeighbour({ of, position, count, previous, next }: Neighbours, by: 1 | -1): boolean {
  if ((by > 0 ? next : previous) !== undefined) return true
  if (of === 'selection') return false
  if (position === undefined) return by > 0 ? lists.devices.page * lists.devices.limit < count : lists.devices.page > 1
  return by > 0 ? position < count : position > 1
}

/** The id of the device before or after. Past an end of the page it turns the page, so that the way back leads there. */
export async function stepFrom(bssid: string, by: 1 | -1): Promise<string | undefined> {
  const here = neighboursOf(bssid)
  if (!here) return undefined
  const beside = by > 0 ? here.next : here.previous
  if (beside !== undefined || here.of === 'selection') return beside
  const list = lists.devices
  const page = list.page + by
  const { data } = await loadPage('devices', queryOf(list, page))
  const row = by > 0 ? data[0] : data.at(-1)
  if (row) setPage(list, page)
  return row?.bssid
}
