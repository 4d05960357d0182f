/** Registers the commands that show with the first rows, or move between these, and defers loading the others. */
import { deferCommands, register } from './core/registry.ts'
import { focusSearch, nextPage, previousPage } from './lists/firstCommands.ts'
import { rowCommands } from './lists/rowCommands.ts'
import { rowSelectionCommands } from './selection/rowCommands.ts'
import { openPalette, refresh, showKeys, switchTheme, toggleNavigation, togglePanel } from './view/firstCommands.ts'
import { navigateCommands } from './view/navigate.ts'

register([
  ...rowCommands,
  ...rowSelectionCommands,
  focusSearch,
  previousPage,
  nextPage,
  ...navigateCommands,
  openPalette,
  showKeys,
  refresh,
  switchTheme,
  toggleNavigation,
  togglePanel,
])
deferCommands(() => import('./deferredCommands.ts').then(({ registerAllCommands }) => registerAllCommands()))
