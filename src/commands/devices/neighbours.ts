/** The previous and next device: in the selection if several devices including it are selected, or else in the list. */
import { loadPage, cachedList } from '../../api/hooks.ts'
import { queryOf } from '../../api/readList.ts'
import { focus } from '../../store/focus.ts'
import { lists, setPage } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'

export interface Neighbours {
  readonly source: 'selection' | 'list'
  /** From 1; undefined if the device has left the list. */
  readonly position: number | undefined
  readonly count: number
  readonly isEstimate?: boolean
  /** Id of the previous device; undefined at an end and if that device is on another page. Likewise `next`. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Returns undefined if the device is neither in the selection nor on the last shown page of the list. */
export function neighboursOf(bssid: string): Neighbours | undefined {
  const selected = selections.devices
  if (selected.size > 1 && selected.has(bssid)) {
    const items = selected.items()
    const index = items.findIndex(({ id }) => id === bssid)
    return {
      source: 'selection',
      position: index + 1,
      count: items.length,
      previous: items[index - 1]?.id,
      next: items[index + 1]?.id,
    }
  }
  const list = lists.devices
  const page = cachedList('devices', list)
  if (!page) return undefined
  const index = page.data.findIndex(row => row.bssid === bssid)
  // A device that has just left the list keeps its last index, where another row may be now.
  const lastIndex = focus.devices.id === bssid ? focus.devices.index : -1
  if (index < 0 && lastIndex < 0) return undefined
  return {
    source: 'list',
    position: index < 0 ? undefined : (list.page - 1) * list.limit + index + 1,
    count: page.count,
    ...(page.count_is === 'estimate' && { isEstimate: true }),
    previous: page.data[(index < 0 ? lastIndex : index) - 1]?.bssid,
    next: page.data[index < 0 ? lastIndex : index + 1]?.bssid,
  }
}

/** Whether there is a previous (-1) or next (1) device, on this page or another. */
export function hasNeighbour({ source, position, count, previous, next }: Neighbours, by: 1 | -1): boolean {
  if ((by > 0 ? next : previous) !== undefined) return true
  if (source === 'selection') return false
  if (position === undefined) return by > 0 ? lists.devices.page * lists.devices.limit < count : lists.devices.page > 1
  return by > 0 ? position < count : position > 1
}

/**
 * Returns the id of the previous (-1) or next (1) device. Past an end of the page it turns the list's page, so that
 * "Back to list" shows that device. Rejects with ApiError.
 */
export async function stepFrom(bssid: string, by: 1 | -1): Promise<string | undefined> {
  const here = neighboursOf(bssid)
  if (!here) return undefined
  const neighbour = by > 0 ? here.next : here.previous
  if (neighbour !== undefined || here.source === 'selection') return neighbour
  const list = lists.devices
  const page = list.page + by
  const { data } = await loadPage('devices', queryOf(list, page))
  const row = by > 0 ? data[0] : data.at(-1)
  if (row) setPage(list, page)
  return row?.bssid
}
