/**
 * Keeps what a screen shows and its address in step: a change of what is shown is written into the address, and Back and
 * Forward show what the address says. The router takes no part in that, because the screen stays the same: to it, all
 * entries of the history that differ in their query alone are one visit to the screen, with one key.
 */
import { subscribe } from 'valtio/vanilla'
import { jobs } from '../../commands/core/runs/jobs.ts'
import { placeOf, routes } from '../../domain/lists/routes.ts'
import { calendar } from '../../store/calendar.ts'
import { charts } from '../../store/charts.ts'
import { lists } from '../../store/lists.ts'
import { notices } from '../../store/notices.ts'
import { preferences } from '../../store/preferences.ts'
import { session, signedInRole } from '../../store/session.ts'
import { screens, type AddressedScreen } from './screens.ts'

/** Whether the entry on top of the history is that of a search that is still being typed. */
let typing = false

/** Returns what is on screen, if the person may see it and its address has parameters. */
function addressed(): AddressedScreen | undefined {
  const role = signedInRole()
  const place = placeOf(window.location.pathname)
  if (!role || !place || place === 'device') return undefined
  const allowed: readonly string[] = routes[place].roles
  return allowed.includes(role) ? screens[place] : undefined
}

/** Returns the id of the person whose address the entry of the history has; undefined where nothing was written to it. */
function writtenFor(): unknown {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'addressOf' in state ? state.addressOf : undefined
}
const isOurs = () => writtenFor() === session.userId

const currentQuery = () => window.location.search.slice(1)

function write(query: string, step: boolean): void {
  const { pathname, hash } = window.location
  const state: unknown = window.history.state
  const next = { ...(state as object | null), addressOf: session.userId }
  const url = pathname + (query && `?${query}`) + hash
  try {
    if (step) window.history.pushState(next, '', url)
    else window.history.replaceState(next, '', url)
  } catch {
    // Browsers refuse too many changes at once, while a key is held down say; the next change writes all.
  }
}

/** Shows what the address says, where it says anything, and completes it where it does not. */
function showAddress(): void {
  typing = false
  const screen = addressed()
  if (!screen) return
  const query = currentQuery()
  // What another person was shown in this tab is not for this one.
  if (isOurs() || (writtenFor() === undefined && screen.says(query))) screen.show(query)
  complete()
}

/** Writes into the address what is shown, without a step in the history. */
function complete(): void {
  const screen = addressed()
  if (!screen) return
  const query = screen.query()
  if (!isOurs() || query !== currentQuery()) write(query, false)
}

/** What is shown may have changed. */
function writeChange(): void {
  const screen = addressed()
  if (!screen) return
  const [before, after] = [currentQuery(), screen.query()]
  if (!isOurs()) return complete()
  if (before === after) return
  const search = screen.isSearch(before, after)
  const sameSearch = search && typing
  typing = search
  write(after, !sameSearch && screen.isStep(before, after))
}

/** Before anything is shown. */
export const readAddress = showAddress

let following = false

/** The router has gone somewhere: an address that a person or a link gave is shown, any other is completed. */
export function enterScreen(): void {
  if (!isOurs()) showAddress()
  if (following) return
  following = true
  for (const part of [...Object.values(lists), charts, calendar, notices, jobs, preferences])
    subscribe(part, writeChange)
  window.addEventListener('popstate', showAddress)
  document.addEventListener('focusin', ({ target }) => {
    // What is typed from now on is another search.
    if (target instanceof Element && target.matches('[data-list-search]')) typing = false
  })
}
