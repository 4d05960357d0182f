/**
 * Synchronizes the URL query with the screen's state: state changes are written to the URL, and Back and Forward apply the
 * URL to the state. This bypasses the router: to it, history entries that differ only in their query are one visit with
 * one key, so that the screen stays mounted.
 */
import { subscribe } from 'valtio/vanilla'
import { jobs } from '../../commands/core/runs/jobs.ts'
import { mayOpen, screenAt } from '../../domain/lists/routes.ts'
import { calendar } from '../../store/calendar.ts'
import { charts } from '../../store/charts.ts'
import { lists } from '../../store/lists.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { overviewView } from '../../store/overview/view.ts'
import { preferences } from '../../store/preferences.ts'
import { session, signedInRole } from '../../store/session.ts'
import { screenAddresses, type ScreenAddress } from './screenAddresses.ts'

/** Whether the current history entry belongs to a search that is still being typed. */
let isTyping = false

/** Returns the current screen's address; undefined if the account may not see it or it has no parameters. */
function currentScreen(): ScreenAddress | undefined {
  const role = signedInRole()
  const screenId = screenAt(window.location.pathname)
  if (!role || !screenId || screenId === 'device') return undefined
  return mayOpen(role, screenId) ? screenAddresses[screenId] : undefined
}

/** Returns the id of the account that wrote the current history entry; undefined if none did. */
function entryOwner(): unknown {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'addressOf' in state ? state.addressOf : undefined
}
const isOwnEntry = () => entryOwner() === session.userId

const currentQuery = () => window.location.search.slice(1)

/** Writes a query to the URL: as a new history entry, or to the current one. */
function write(query: string, newEntry: boolean): void {
  const { pathname, hash } = window.location
  const state: unknown = window.history.state
  const next = { ...(state as object | null), addressOf: session.userId }
  const url = pathname + (query && `?${query}`) + hash
  try {
    if (newEntry) window.history.pushState(next, '', url)
    else window.history.replaceState(next, '', url)
  } catch {
    // Browsers limit the rate of changes, which a held key can exceed. The next change writes the whole state.
  }
}

/** Applies the URL's parameters to the screen, and writes the screen's state to the URL if they are missing. */
export function applyAddress(): void {
  isTyping = false
  const screen = currentScreen()
  if (!screen) return
  const query = currentQuery()
  // An entry of another account in this tab is not applied.
  if (isOwnEntry() || (entryOwner() === undefined && screen.hasParams(query))) screen.apply(query)
  updateEntry()
}

/** Writes the screen's state to the current history entry. */
function updateEntry(): void {
  const screen = currentScreen()
  if (!screen) return
  const query = screen.query()
  if (!isOwnEntry() || query !== currentQuery()) write(query, false)
}

/** Called when the screen's state may have changed. */
function onStateChange(): void {
  const screen = currentScreen()
  if (!screen) return
  const [before, after] = [currentQuery(), screen.query()]
  if (!isOwnEntry()) return updateEntry()
  if (before === after) return
  const isSearchEdit = screen.isSearchEdit(before, after)
  const isSameSearch = isSearchEdit && isTyping
  isTyping = isSearchEdit
  write(after, !isSameSearch && screen.isHistoryStep(before, after))
}

let isSubscribed = false

/** Called after the router has navigated: applies a URL that a person or a link supplied, or completes the URL. */
export function onNavigation(): void {
  if (!isOwnEntry()) applyAddress()
  if (isSubscribed) return
  isSubscribed = true
  for (const part of [...Object.values(lists), charts, calendar, notificationsView, overviewView, jobs, preferences])
    subscribe(part, onStateChange)
  window.addEventListener('popstate', applyAddress)
  document.addEventListener('focusin', ({ target }) => {
    // Text typed after focusing the field is a new search.
    if (target instanceof Element && target.matches('[data-list-search]')) isTyping = false
  })
}
