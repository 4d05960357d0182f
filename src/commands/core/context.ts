/** All that a command may look at, read at the moment it is asked. Plain data: a test writes one by hand. */
import { subscribe } from 'valtio/vanilla'
import { cachedDevice, cachedList } from '../../api/hooks.ts'
import { itemOf, type ItemOf } from '../../api/lists.ts'
import type { Role } from '../../domain/roles.ts'
import type { Route } from '../../domain/lists/route.ts'
import { deviceIn, placeOf, routes, type Place } from '../../domain/lists/routes.ts'
import { currentPath } from '../../store/address.ts'
import { calendar } from '../../store/calendar.ts'
import { charts } from '../../store/charts.ts'
import { focus, type Focus } from '../../store/focus.ts'
import { entities, lists, type Entity, type ListState } from '../../store/lists.ts'
import { notices } from '../../store/notices.ts'
import { preferences } from '../../store/preferences.ts'
import { selections, selectionState, type AnyItem, type Selection } from '../../store/selection.ts'
import { session, signedInRole } from '../../store/session.ts'
import { lastRun, runs, type LastRun } from './runs/lastRun.ts'
import { jobs } from './runs/jobs.ts'
import { activeTasks } from './runs/activeTasks.ts'

export interface ListContext {
  readonly entity: Entity
  readonly state: ListState
  readonly focus: Focus
  /** The page on screen; empty until it has arrived. */
  readonly rows: readonly AnyItem[]
  /** All that match; undefined until known. */
  readonly count: number | undefined
}

/** What commands act on, by entity: the selection, or the focused row where nothing is selected. */
export type Targets = <E extends Entity>(entity: E) => readonly ItemOf<E>[]

export interface Context {
  readonly role: Role | undefined
  readonly path: string
  /** The list on screen. */
  readonly list: ListContext | undefined
  readonly targets: Targets
  readonly last: LastRun | undefined
}

/** Rows are turned into items once, not at every key. */
const known = new WeakMap<readonly unknown[], readonly AnyItem[]>()
function rowsOf(entity: Entity): { rows: readonly AnyItem[]; count: number | undefined } {
  const shown = cachedList(entity, lists[entity])
  if (!shown) return { rows: none, count: undefined }
  const rows = known.get(shown.data) ?? shown.data.map(row => itemOf(entity, row))
  known.set(shown.data, rows)
  return { rows, count: shown.count }
}

const none: readonly never[] = []

/** The entity whose list is at a path. */
const entityAt = (path: string): Entity | undefined => entities.find(entity => (routes[entity] as Route).path === path)

/** On a device's own screen, that device, whatever is selected in the list. */
function deviceAt(path: string): readonly AnyItem[] | undefined {
  const id = deviceIn(path)
  if (id === undefined) return undefined
  const device = cachedDevice(id)
  return device ? [itemOf('devices', device)] : none
}

const unknownItem: AnyItem = { id: '', name: '', vendor: '', company: '', status: -1, platform: '' }
/** Made once for each list's search, page on screen and count. */
const standing = new Map<
  Selection,
  Pick<Selection, 'query'> & { rows: readonly AnyItem[]; items: readonly AnyItem[] }
>()

/**
 * For all that match a search: as many items as there are. Those on screen are known; each of the others looks like the
 * first of them in a state of its own. They tell how many there are and are never acted on: execution fixes the
 * selection first (`Host.targets`).
 */
function placeholders(selection: Selection, rows: readonly AnyItem[]): readonly AnyItem[] {
  const { query, size } = selection
  const before = standing.get(selection)
  if (before?.query === query && before?.rows === rows && before.items.length === size) return before.items
  const known = selection.covers() ? rows.slice(0, size) : none
  const other = { ...(known[0] ?? unknownItem), status: -1 }
  const items = [...known, ...Array<AnyItem>(size - known.length).fill(other)]
  standing.set(selection, { query, rows, items })
  return items
}

export function currentContext(): Context {
  const path = currentPath()
  const entity = entityAt(path)
  const list = entity && { entity, state: lists[entity], focus: focus[entity], ...rowsOf(entity) }
  const targets = (of: Entity): readonly AnyItem[] => {
    const here = of === 'devices' ? deviceAt(path) : undefined
    if (here) return here
    const selection = selections[of]
    if (selection.query) return placeholders(selection, list?.entity === of ? list.rows : none)
    if (selection.size > 0) return selection.items()
    return list?.entity === of ? list.rows.filter(row => row.id === list.focus.id) : none
  }
  // A list's items are made by `itemOf` for that entity, which is what the type says.
  return { role: signedInRole(), path, list, targets: targets as Targets, last: lastRun() }
}

/** The same, but for these of an entity in place of what is selected; of another there are none. */
export const actingOn = (context: Context, entity: Entity | undefined, items: readonly AnyItem[]): Context => ({
  ...context,
  // They were read as the same entity's, so the type holds.
  targets: ((of: Entity) => (of === entity ? items : none)) as Targets,
})

/** What tells where a command means something. */
interface Placed {
  readonly entity?: Entity
  readonly place?: Place
  readonly inList?: boolean
}

/** Whether what a command acts on is what the screen is about; if not, its keys do nothing here. */
export function inPlace(of: Placed, { list, path }: Context): boolean {
  if (of.inList && !list) return false
  const place = placeOf(path)
  if (of.place !== undefined) return of.place === place
  return of.entity === undefined || of.entity === list?.entity || (of.entity === 'devices' && place === 'device')
}

/** Calls back when anything that a context is made of has changed. */
export function subscribeContext(changed: () => void): () => void {
  const parts = [
    session,
    selectionState,
    runs,
    jobs,
    activeTasks,
    charts,
    calendar,
    notices,
    preferences,
    ...Object.values(lists),
    ...Object.values(focus),
  ]
  const stops = parts.map(part => subscribe(part, changed))
  return () => {
    for (const stop of stops) stop()
  }
}
