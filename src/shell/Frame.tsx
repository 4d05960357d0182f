import { Suspense, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useSnapshot } from 'valtio'
import { clearCache } from '../api/cache.ts'
import { loadRefresh } from '../api/client.ts'
import { importWithRetry } from '../api/importWithRetry.ts'
import { loadAllCommands } from '../commands/core/registry.ts'
import { Hotkeys } from '../commands/surfaces/keys/Hotkeys.tsx'
import { tour } from '../commands/tour/state.ts'
import { setNavigate } from '../commands/surfaces/host/navigate.ts'
import { lazyComponent, overlayComponent } from '../commands/surfaces/run/lazyComponent.ts'
import { loadExecution } from '../commands/surfaces/run/run.ts'
import { rowMenu } from '../store/rowMenu.ts'
import { loadWhichKey, StatusBar } from '../commands/surfaces/keys/StatusBar.tsx'
import { mayOpen, screenAt } from '../domain/lists/routes.ts'
import type { Role } from '../domain/roles.ts'
import { navigations } from '../store/address.ts'
import { afterFirstRows } from '../store/firstRows.ts'
import { whenIdle } from '../store/timing/whenIdle.ts'
import { closeNavDrawer, closePanelDrawer, layout, narrow, drawers, panelWidths, setPanel } from '../store/layout.ts'
import { anyDialog, closeOverlays, closePalette, overlay, useOverlay } from '../store/overlays.ts'
import { useFollowedSearches } from '../store/selection.ts'
import { useRole } from '../store/session.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { PaletteFrame } from './PaletteFrame.tsx'
import { loadDevicePanel, panels } from './panels.tsx'
import { loadLogin, Screens } from './Screens.tsx'
import { reportFailure } from './reportFailure.ts'
import { SideNavigation } from './SideNavigation.tsx'
import { TopBar } from './TopBar.tsx'
import { usePendingLink } from './usePendingLink.ts'
import { useAddress } from './useAddress.ts'
import { useLiveUpdates } from './useLiveUpdates.ts'
import { usePageTitle } from './usePageTitle.ts'

const loadDialogs = () => loadAllCommands().then(() => import('./dialogs.tsx'))
const loadMenus = () => loadAllCommands().then(() => import('../commands/surfaces/buttons/menus.tsx'))
const Palette = overlayComponent(
  // At the same time, because the palette reads the commands only when it is rendered.
  () => Promise.all([import('../commands/surfaces/palette/Palette.tsx'), loadAllCommands()]),
  ([module]) => module.Palette,
  {
    Frame: PaletteFrame,
    failed(error) {
      closePalette()
      void reportFailure(error)
    },
  },
)
const Dialogs = overlayComponent(loadDialogs, module => module.Dialogs)
const LiveSelection = lazyComponent(
  () => import('./LiveSelection.tsx'),
  module => module.LiveSelection,
)
const Tour = lazyComponent(
  () => loadAllCommands().then(() => import('./Tour.tsx')),
  module => module.Tour,
)
const RowMenu = overlayComponent(loadMenus, module => module.RowMenu)

/** Milliseconds after which what is only needed later is loaded even if the page is not idle. */
const idleTimeout = 2000

/** Paths without the frame, even when signed in. */
const framelessPaths = /^\/(email|password)/

/** The frame around the screens; without a session only the screen is rendered. */
export function Frame() {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()
  const role = useRole()
  const framed = role !== undefined && !framelessPaths.test(pathname)
  useEffect(() => setNavigate((path, how) => void navigate(path, how)), [navigate])
  useEffect(() => void navigations.count++, [pathname, key])
  usePageTitle(pathname, key)
  useEffect(() => {
    if (role) {
      // The palette is one key away from the first row on; everything else is at least two.
      void afterFirstRows()
        .then(() => Promise.all([importWithRetry(loadExecution), Palette.preload()]))
        .then(() => whenIdle(idleTimeout))
        .then(() =>
          Promise.all([
            Dialogs.preload(),
            RowMenu.preload(),
            loadDevicePanel(),
            loadWhichKey(),
            loadLogin(),
            loadRefresh(),
          ]),
        )
      return
    }
    // Without a session: cached data must not be visible to the next account.
    closeOverlays()
    clearCache()
  }, [role])
  useLiveUpdates(role)
  useAddress(role, pathname, key)
  usePendingLink(role)

  if (!framed)
    return (
      <main className="h-full overflow-auto">
        <Screens />
      </main>
    )
  return (
    <>
      <Hotkeys />
      <FramedPage pathname={pathname} role={role} />
      <Overlays />
      <LiveSelections pathname={pathname} />
    </>
  )
}

/** Keeps selections that follow a search up to date. Its code is loaded with the first followed search. */
function LiveSelections({ pathname }: { pathname: string }) {
  return (
    <Suspense fallback={null}>
      {useFollowedSearches().map(entity => (
        <LiveSelection key={entity} entity={entity} pathname={pathname} />
      ))}
    </Suspense>
  )
}

function FramedPage({ pathname, role }: { pathname: string; role: Role }) {
  const { navOpen, panelOpen, panelWidth } = useSnapshot(layout)
  const openDrawers = useSnapshot(drawers)
  const navIsOverlay = useMediaQuery(narrow.navigation)
  const panelIsOverlay = useMediaQuery(narrow.panel)
  const screen = screenAt(pathname)
  // The panel must not read data for a screen that redirects.
  const SidePanel = screen && mayOpen(role, screen) ? panels[screen] : undefined
  const hasPanel = SidePanel !== undefined
  const isDrawerOpen = hasPanel && openDrawers.panel === screen
  const panelShown = panelIsOverlay ? isDrawerOpen : hasPanel && panelOpen
  useEffect(() => {
    if (drawers.panel !== screen) drawers.panel = undefined
  }, [screen])
  const width = panelWidths[panelWidth]
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[46px_minmax(0,1fr)_var(--status-bar)]">
      <TopBar pathname={pathname} />
      <div className="flex min-h-0">
        {(!navIsOverlay || openDrawers.nav) && (
          <SideNavigation pathname={pathname} open={navIsOverlay || navOpen} isOverlay={navIsOverlay} />
        )}
        <main className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Screens />
        </main>
        {SidePanel && panelShown && (
          <Suspense
            fallback={<aside className="border-l border-line bg-panel" style={{ width: panelIsOverlay ? 0 : width }} />}
          >
            <SidePanel width={width} onClose={() => setPanel(false)} />
          </Suspense>
        )}
      </div>
      {((navIsOverlay && openDrawers.nav) || (panelIsOverlay && isDrawerOpen)) && (
        <button
          type="button"
          data-command={navIsOverlay && openDrawers.nav ? 'view.navigation' : 'view.panel'}
          aria-label="Close overlay"
          className="fixed inset-x-0 top-[46px] bottom-(--status-bar) z-[25] bg-[oklch(20%_0.02_240/0.28)]"
          onClick={() => {
            closeNavDrawer()
            closePanelDrawer()
          }}
        />
      )}
      <StatusBar />
    </div>
  )
}

function Overlays() {
  const isPaletteOpen = useOverlay(() => overlay.palette)
  const hasDialog = useOverlay(anyDialog)
  const { at } = useSnapshot(rowMenu)
  const { step } = useSnapshot(tour)
  return (
    <Suspense fallback={null}>
      {isPaletteOpen && <Palette />}
      {hasDialog && <Dialogs />}
      {at && <RowMenu />}
      {step !== undefined && <Tour />}
    </Suspense>
  )
}
