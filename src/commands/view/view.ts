/** Commands for the console's appearance: theme, navigation, panel, palette, key sheet. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { revalidateAll } from '../../api/hooks.ts'
import { roles } from '../../domain/roles.ts'
import { screenAt } from '../../domain/lists/routes.ts'
import {
  layout,
  navIsOpen,
  panelIsOpen,
  panelTabs,
  panelWidths,
  screensWithPanel,
  setNav,
  setPanel,
  type PanelWidth,
} from '../../store/layout.ts'
import { closePalette, overlay } from '../../store/overlays.ts'
import { preferences } from '../../store/preferences.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { nothing } from '../core/needs.ts'

const widths = Object.keys(panelWidths) as PanelWidth[]
const widthNames = widths.map(width => `${width[0]!.toUpperCase()}${width.slice(1)}, ${panelWidths[width]} px`)

const hasPanel: Needs<undefined> = ({ list, path }) =>
  list || screensWithPanel.has(screenAt(path)) ? { target: undefined } : { blocked: 'This screen has no side panel' }

export const viewCommands = [
  defineCommand({
    id: 'view.palette',
    title: 'Search devices or run commands',
    recordable: false,
    group: 'view',
    icon: 'search',
    keys: 'mod+k',
    keysOnly: true,
    roles,
    needs: nothing,
    run() {
      if (overlay.palette) closePalette()
      else overlay.palette = { query: '', prompt: undefined }
    },
  }),
  defineCommand({
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
  }),
  defineCommand({
    id: 'view.refresh',
    title: 'Reload this screen',
    group: 'view',
    icon: 'reset',
    keywords: ['refresh', 'retry', 'read again'],
    roles,
    needs: nothing,
    run: revalidateAll,
  }),
  defineCommand({
    id: 'view.closeMessages',
    title: 'Close messages',
    group: 'view',
    icon: 'close',
    keywords: ['toasts', 'dismiss'],
    roles,
    needs: nothing,
    run: (_target, _args, { closeMessages }) => closeMessages(),
  }),
  defineCommand({
    id: 'view.theme',
    title: 'Switch theme',
    group: 'view',
    icon: 'sun',
    keys: 't',
    keywords: ['light or dark theme', 'dark mode', 'light mode', 'appearance'],
    roles,
    needs: nothing,
    run() {
      preferences.theme = preferences.theme === 'light' ? 'dark' : 'light'
    },
  }),
  defineCommand({
    id: 'view.navigation',
    title: 'Toggle side navigation',
    group: 'view',
    icon: 'menu',
    keys: 'mod+b',
    keywords: ['menu', 'sidebar', 'open', 'close'],
    roles,
    needs: nothing,
    run: () => setNav(!navIsOpen()),
  }),
  defineCommand({
    id: 'view.panel',
    title: 'Toggle side panel',
    group: 'view',
    icon: 'panel',
    keys: 'i',
    on: ['panelToggle'],
    roles,
    needs: hasPanel,
    run: () => setPanel(!panelIsOpen()),
  }),
  defineCommand({
    id: 'view.panelWidth',
    title: 'Change panel width',
    group: 'view',
    icon: 'panel',
    keys: '\\',
    on: ['panelHead'],
    roles,
    needs: hasPanel,
    run() {
      layout.panelWidth = widths[(widths.indexOf(layout.panelWidth) + 1) % widths.length]!
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'view.setPanelWidth',
    title: 'Set panel width',
    group: 'view',
    icon: 'panel',
    roles,
    needs: hasPanel,
    args: z.object({ width: withMeta(z.enum(['large', 'medium', 'small']), { label: 'Width', names: widthNames }) }),
    run(_, { width }) {
      layout.panelWidth = width
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'view.panelTab',
    title: 'Go to panel section',
    group: 'view',
    icon: 'panel',
    keys: 'shift+i',
    roles,
    needs: hasPanel,
    args: z.object({
      tab: withMeta(z.enum(panelTabs), {
        label: 'Section',
        names: ['Info', 'Settings or update', 'Assign', 'Control', 'Create'],
      }),
    }),
    run(_, { tab }, { focus }) {
      layout.panelTab = tab
      setPanel(true)
      // The DOM focus moves into the panel, so that Tab continues through the section.
      focus('panel-tab')
    },
  }),
]
