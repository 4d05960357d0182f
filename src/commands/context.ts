/** All that a command may look at, read at the moment it is asked. Plain data: a test writes one by hand. */
import { subscribe } from 'valtio/vanilla'
import { shownDevice, shownDevices } from '../api/hooks.ts'
import type { Device } from '../api/contract/devices.ts'
import type { Role } from '../domain/roles.ts'
import { routes } from '../domain/routes.ts'
import { focus, type Focus } from '../store/focus.ts'
import { lists, type Entity, type ListState } from '../store/lists.ts'
import { selection, selectionState, type Pickable, type PickedDevice } from '../store/selection.ts'
import { session, signedInRole } from '../store/session.ts'
import { lastRun, runs, type LastRun } from './history.ts'

export interface ListContext {
  readonly entity: Entity
  readonly state: ListState
  readonly focus: Focus
  /** The page on screen; empty until it has arrived. */
  readonly rows: readonly Pickable[]
  /** All that match; undefined until known. */
  readonly count: number | undefined
}

export interface Context {
  readonly role: Role | undefined
  readonly path: string
  /** The list on screen. */
  readonly list: ListContext | undefined
  readonly selected: readonly PickedDevice[]
  /** What commands on devices act on: the selection, or the focused row where nothing is selected. */
  readonly devices: readonly Pickable[]
  readonly last: LastRun | undefined
}

export const pickable = (device: Device): Pickable => ({
  id: device.bssid,
  vendor: device.vendor._id,
  company: device.vendor.company_name,
  status: device.status,
})

/** Rows are turned once, not at every key. */
const pickables = new WeakMap<readonly Device[], readonly Pickable[]>()
function pickableRows(rows: readonly Device[]): readonly Pickable[] {
  const known = pickables.get(rows) ?? rows.map(pickable)
  pickables.set(rows, known)
  return known
}

const none: readonly never[] = []

function listAt(path: string): ListContext | undefined {
  if (path !== routes.devices.path) return undefined
  const shown = shownDevices(lists.devices)
  return {
    entity: 'devices',
    state: lists.devices,
    focus: focus.devices,
    rows: shown ? pickableRows(shown.data) : none,
    count: shown?.count,
  }
}

/** On a device's own screen, that device, whatever is selected in the list. */
function deviceAt(path: string): readonly Pickable[] | undefined {
  const bssid = /^\/devices\/([^/]+)$/.exec(path)?.[1]
  if (!bssid || path === routes.models.path) return undefined
  const device = shownDevice(decodeURIComponent(bssid))
  return device ? [pickable(device)] : none
}

export function currentContext(): Context {
  const path = window.location.pathname
  const list = listAt(path)
  return {
    role: signedInRole(),
    path,
    list,
    // Read only when asked for: listing a large selection at every key would be felt.
    get selected() {
      return selection.values()
    },
    get devices() {
      const here = deviceAt(path)
      if (here) return here
      if (selection.size > 0) return selection.values()
      return list?.rows.filter(row => row.id === list.focus.id) ?? none
    },
    last: lastRun(),
  }
}

/** Calls back when anything that a context is made of has changed. */
export function subscribeContext(changed: () => void): () => void {
  const parts = [session, selectionState, runs, ...Object.values(lists), ...Object.values(focus)]
  const stops = parts.map(part => subscribe(part, changed))
  return () => {
    for (const stop of stops) stop()
  }
}
