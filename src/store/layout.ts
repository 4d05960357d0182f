/** The state of the navigation and the side panel. */
import { proxy } from 'valtio'
import { isFlag, isOneOf } from '../domain/lib/checks.ts'
import { screenAt, type ScreenId } from '../domain/lists/routes.ts'
import { currentPath } from './address.ts'
import { persist } from './persist.ts'

/** Pixels (specification, section 4). */
export const panelWidths = { large: 650, medium: 450, small: 300 } as const
export type PanelWidth = keyof typeof panelWidths
export const panelTabs = ['info', 'settings', 'assign', 'control', 'create'] as const
export type PanelTab = (typeof panelTabs)[number]

interface Layout {
  navOpen: boolean
  panelOpen: boolean
  panelWidth: PanelWidth
  panelTab: PanelTab
}

export const layout = proxy<Layout>({ navOpen: true, panelOpen: true, panelWidth: 'medium', panelTab: 'info' })
persist('layout', layout, {
  navOpen: isFlag,
  panelOpen: isFlag,
  panelWidth: isOneOf(['large', 'medium', 'small']),
  panelTab: isOneOf(panelTabs),
})

/** Screens other than lists that have a side panel. */
export const screensWithPanel: ReadonlySet<ScreenId | undefined> = new Set<ScreenId | undefined>(['device', 'calendar'])

/** Media queries below which the navigation and the panel overlay the page (720 and 1,100 px). */
export const narrow = { navigation: '(max-width: 719px)', panel: '(max-width: 1099px)' } as const
// On narrow screens drawers start closed and are not persisted, so that the layout of wide screens is kept.
export const drawers = proxy<{
  nav: boolean
  /** The screen that the panel was opened on: it must not cover the next one. */
  panel: ScreenId | undefined
}>({ nav: false, panel: undefined })
export const isNarrow = (what: keyof typeof narrow) => window.matchMedia(narrow[what]).matches

export const navIsOpen = () => (isNarrow('navigation') ? drawers.nav : layout.navOpen)
export const panelIsOpen = () =>
  isNarrow('panel') ? drawers.panel !== undefined && drawers.panel === screenAt(currentPath()) : layout.panelOpen
export function setNav(open: boolean): void {
  if (isNarrow('navigation')) drawers.nav = open
  else layout.navOpen = open
}
export function setPanel(open: boolean): void {
  if (isNarrow('panel')) drawers.panel = open ? screenAt(currentPath()) : undefined
  else layout.panelOpen = open
}
/** Closes the navigation if it covers the page. Returns whether it did. */
export function closeNavDrawer(): boolean {
  const covers = isNarrow('navigation') && drawers.nav
  drawers.nav = false
  return covers
}
/** Closes the panel if it covers the page. Returns whether it did. */
export function closePanelDrawer(): boolean {
  const covers = isNarrow('panel') && panelIsOpen()
  drawers.panel = undefined
  return covers
}

/** Pixels. */
export const navigationWidth = { open: 216, collapsed: 50 } as const

/** Returns the size in pixels left for a screen beside the navigation and the panel, before the first layout. */
export function mainSize(): { width: number; height: number } {
  const navigation = isNarrow('navigation') ? 0 : navigationWidth[layout.navOpen ? 'open' : 'collapsed']
  const panel = !isNarrow('panel') && layout.panelOpen ? panelWidths[layout.panelWidth] : 0
  return { width: window.innerWidth - navigation - panel, height: window.innerHeight }
}
