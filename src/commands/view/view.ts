/** Commands for the console's appearance: theme, navigation, panel, palette, key sheet. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { roles } from '../../domain/roles.ts'
import { layout, panelTabs, panelWidths, setPanel, type PanelWidth } from '../../store/layout.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { openPalette, refresh, showKeys, switchTheme, toggleNavigation, togglePanel } from './firstCommands.ts'
import { hasPanel } from './needs.ts'

const widths = Object.keys(panelWidths) as PanelWidth[]
const widthNames = widths.map(width => `${width[0]!.toUpperCase()}${width.slice(1)}, ${panelWidths[width]} px`)

export const viewCommands = [
  openPalette,
  showKeys,
  refresh,
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
  switchTheme,
  toggleNavigation,
  togglePanel,
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
