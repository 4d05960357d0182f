/**
 * The state from which commands compute their availability, label and targets. Plain data, so that a test can write one
 * by hand.
 */
import { subscribe } from 'valtio/vanilla'
import { cachedDevice, cachedList } from '../../api/hooks.ts'
import { itemOf, type ItemOf } from '../../api/lists.ts'
import type { Role } from '../../domain/roles.ts'
import type { Route } from '../../domain/lists/route.ts'
import { bssidInPath, screenAt, routes, type ScreenId } from '../../domain/lists/routes.ts'
import { currentPath, navigations } from '../../store/address.ts'
import { calendar } from '../../store/calendar.ts'
import { charts } from '../../store/charts.ts'
import { focus, overviewFocus, type Focus } from '../../store/focus.ts'
import { openFinding } from '../../store/openFinding.ts'
import { entities, lists, type Entity, type ListState } from '../../store/lists.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { preferences } from '../../store/preferences.ts'
import { selections, selectionState, unreadMatch, type AnyItem, type Selection } from '../../store/selection.ts'
import { session, signedInRole } from '../../store/session.ts'
import { lastRun, runs, type LastRun } from './runs/lastRun.ts'
import { jobs } from './runs/jobs.ts'
import { activeTasks } from './runs/activeTasks.ts'

export interface ListContext {
  readonly entity: Entity
  readonly state: ListState
  readonly focus: Focus
  /** The rows of the current page; empty until the page has loaded. */
  readonly rows: readonly AnyItem[]
  /** The number of all matching rows; undefined until the page has loaded. */
  readonly count: number | undefined
  /** Whether the count is an estimate. */
  readonly isEstimate?: boolean
}

/** Returns what commands act on, by entity: the selection, or the focused row if nothing is selected. */
export type Targets = <E extends Entity>(entity: E) => readonly ItemOf<E>[]

export interface Context {
  readonly role: Role | undefined
  readonly path: string
  /** The list on screen. */
  readonly list: ListContext | undefined
  readonly targets: Targets
  readonly last: LastRun | undefined
}

/** The items of each page of rows, so that rows are converted once and not at every key press. */
const itemsByPage = new WeakMap<readonly unknown[], readonly AnyItem[]>()
function rowsOf(entity: Entity): Pick<ListContext, 'rows' | 'count' | 'isEstimate'> {
  const page = cachedList(entity, lists[entity])
  if (!page) return { rows: none, count: undefined }
  const rows = itemsByPage.get(page.data) ?? page.data.map(row => itemOf(entity, row))
  itemsByPage.set(page.data, rows)
  return { rows, count: page.count, isEstimate: page.count_is === 'estimate' }
}

const none: readonly never[] = []

/** Returns the entity whose list is at a path. */
const entityAt = (path: string): Entity | undefined => entities.find(entity => (routes[entity] as Route).path === path)

/** Returns the device of a device screen; its commands act on it regardless of the list's selection. */
function deviceAt(path: string): readonly AnyItem[] | undefined {
  const id = bssidInPath(path)
  if (id === undefined) return undefined
  const device = cachedDevice(id)
  return device ? [itemOf('devices', device)] : none
}

/** The placeholders of each selection, valid for one query, page and size. */
const placeholderCache = new Map<
  Selection,
  Pick<Selection, 'query'> & { rows: readonly AnyItem[]; items: readonly AnyItem[] }
>()

/**
 * Returns an item for each match of a followed search: the rows on screen, and a placeholder for each other match. A
 * placeholder is a copy of the first row with status -1. Placeholders only give the count; commands that change or read
 * their targets never act on them, because `execute` materializes the selection first (`Host.targets`).
 */
function placeholders(selection: Selection, rows: readonly AnyItem[]): readonly AnyItem[] {
  const { query, size } = selection
  const cached = placeholderCache.get(selection)
  if (cached?.query === query && cached?.rows === rows && cached.items.length === size) return cached.items
  const matchesOnPage = selection.covers() ? rows.slice(0, size) : none
  const placeholder = { ...(matchesOnPage[0] ?? unreadMatch), status: -1 }
  const items = [...matchesOnPage, ...Array<AnyItem>(size - matchesOnPage.length).fill(placeholder)]
  placeholderCache.set(selection, { query, rows, items })
  return items
}

export function currentContext(): Context {
  const path = currentPath()
  const entity = entityAt(path)
  const list = entity && { entity, state: lists[entity], focus: focus[entity], ...rowsOf(entity) }
  const targets = (targetEntity: Entity): readonly AnyItem[] => {
    const openDevice = targetEntity === 'devices' ? deviceAt(path) : undefined
    if (openDevice) return openDevice
    if (targetEntity === 'findings' && openFinding.item) return [openFinding.item]
    const selection = selections[targetEntity]
    if (selection.query) return placeholders(selection, list?.entity === targetEntity ? list.rows : none)
    if (selection.size > 0) return selection.items()
    return list?.entity === targetEntity ? list.rows.filter(row => row.id === list.focus.id) : none
  }
  // `itemOf` has made these items for the entity, so the type is correct.
  return { role: signedInRole(), path, list, targets: targets as Targets, last: lastRun() }
}

/**
 * Returns the context with these items of an entity as targets instead of the selection; other entities have no
 * targets.
 */
export const withTargets = (context: Context, entity: Entity | undefined, items: readonly AnyItem[]): Context => ({
  ...context,
  // Callers read the items for this entity, so the type is correct.
  targets: ((requestedEntity: Entity) => (requestedEntity === entity ? items : none)) as Targets,
})

/** The properties of a command that limit the screens on which it applies. */
interface CommandScope {
  readonly entity?: Entity
  readonly screen?: ScreenId
  readonly inList?: boolean
}

/** Whether a command applies to the current screen; if not, its keys do nothing there. */
export function appliesHere(scope: CommandScope, { list, path }: Context): boolean {
  if (scope.inList && !list) return false
  const screen = screenAt(path)
  if (scope.screen !== undefined) return scope.screen === screen
  return (
    scope.entity === undefined || scope.entity === list?.entity || (scope.entity === 'devices' && screen === 'device')
  )
}

/** Whether a command leads to the current screen. */
export const leadsHere = ({ id }: { readonly id: string }, { path }: Pick<Context, 'path'>): boolean =>
  id === `go.${screenAt(path)}`

/** Calls `onChange` when any part of the context has changed. Returns the function that unsubscribes. */
export function subscribeContext(onChange: () => void): () => void {
  const parts = [
    session,
    navigations,
    selectionState,
    runs,
    jobs,
    activeTasks,
    charts,
    calendar,
    notificationsView,
    overviewFocus,
    openFinding,
    preferences,
    ...Object.values(lists),
    ...Object.values(focus),
  ]
  const stops = parts.map(part => subscribe(part, onChange))
  return () => {
    for (const stop of stops) stop()
  }
}
