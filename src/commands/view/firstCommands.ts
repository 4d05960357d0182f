/** The commands of the console's appearance that show with the first rows. */
import { revalidateAll } from '../../api/hooks.ts'
import { roles } from '../../domain/roles.ts'
import { navIsOpen, panelIsOpen, setNav, setPanel } from '../../store/layout.ts'
import { overlay, togglePalette } from '../../store/overlays.ts'
import { preferences } from '../../store/preferences.ts'
import { definePlainCommand } from '../core/buildCommand.ts'
import { nothing } from '../core/needs.ts'
import { hasPanel } from './needs.ts'

export const openPalette = definePlainCommand({
  id: 'view.palette',
  title: 'Search devices or run commands',
  recordable: false,
  group: 'view',
  icon: 'search',
  keys: 'mod+k',
  keysOnly: true,
  roles,
  needs: nothing,
  run: togglePalette,
})
export const showKeys = definePlainCommand({
  id: 'view.keys',
  title: 'Show all keys',
  recordable: false,
  group: 'view',
  icon: 'keyboard',
  keys: '?',
  keywords: ['help', 'shortcuts', 'hotkeys', 'cheat sheet'],
  on: ['status'],
  short: 'all keys',
  roles,
  needs: nothing,
  run() {
    overlay.keySheet = true
  },
})
export const refresh = definePlainCommand({
  id: 'view.refresh',
  title: 'Reload this screen',
  group: 'view',
  icon: 'reset',
  keywords: ['refresh', 'retry', 'read again'],
  roles,
  needs: nothing,
  run: revalidateAll,
})
export const switchTheme = definePlainCommand({
  id: 'view.theme',
  title: 'Switch theme',
  group: 'view',
  icon: 'sun',
  keys: 't',
  keywords: ['light or dark theme', 'dark mode', 'light mode', 'appearance'],
  on: ['topBarEnd'],
  roles,
  needs: nothing,
  run() {
    preferences.theme = preferences.theme === 'light' ? 'dark' : 'light'
  },
})
export const toggleNavigation = definePlainCommand({
  id: 'view.navigation',
  title: 'Toggle side navigation',
  group: 'view',
  icon: 'menu',
  keys: 'mod+b',
  keywords: ['menu', 'sidebar', 'open', 'close'],
  on: ['topBarStart'],
  roles,
  needs: nothing,
  run: () => setNav(!navIsOpen()),
})
export const togglePanel = definePlainCommand({
  id: 'view.panel',
  title: 'Toggle side panel',
  group: 'view',
  icon: 'panel',
  keys: 'i',
  on: ['panelToggle'],
  roles,
  needs: hasPanel,
  run: () => setPanel(!panelIsOpen()),
})
