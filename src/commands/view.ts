/** How the console shows things: theme, navigation, panel, units, palette, key sheet. */
import toast from 'react-hot-toast/headless'
import * as z from 'zod/mini'
import { labelled } from '../api/contract/fields.ts'
import { rereadShown } from '../api/hooks.ts'
import { deviceRoles, roles } from '../domain/roles.ts'
import { placeOf } from '../domain/routes.ts'
import { flowOf, gallonFlows, units, type Quantity } from '../domain/units.ts'
import {
  layout,
  navIsOpen,
  panelIsOpen,
  panelTabs,
  panelWidths,
  placesWithPanel,
  setNav,
  setPanel,
  type PanelWidth,
} from '../store/layout.ts'
import { closePalette, overlay } from '../store/overlays.ts'
import { preferences } from '../store/preferences.ts'
import { defineCommand, type Needs } from './command.ts'
import { nothing } from './needs.ts'

const widths = Object.keys(panelWidths) as PanelWidth[]
const widthNames = widths.map(width => `${width[0]!.toUpperCase()}${width.slice(1)}, ${panelWidths[width]} px`)

const hasPanel: Needs<undefined> = ({ list, path }) =>
  list || placesWithPanel.has(placeOf(path)) ? { target: undefined } : { blocked: 'This screen has no side panel' }

const gallonsChosen: Needs<undefined> = () =>
  preferences.units.volume === 'gal' ? { target: undefined } : { blocked: 'Flow is in l/min while volume is in litres' }

type Chosen = Exclude<Quantity, 'flow'>
const unitNames = <Q extends Chosen>(quantity: Q) => {
  const choices = units[quantity]
  return {
    values: Object.keys(choices) as (keyof typeof choices)[],
    names: Object.values(choices).map(unit => unit.symbol),
  }
}

/** A quantity's unit is a command of its own, so that each can be given in one go. */
const unitCommand = (quantity: Chosen, title: string, keywords: readonly string[]) => {
  const { values, names } = unitNames(quantity)
  return defineCommand({
    id: `units.${quantity}`,
    title: `Unit of ${title}`,
    group: 'view',
    icon: 'units',
    keywords,
    on: ['units'],
    roles: deviceRoles,
    needs: nothing,
    args: z.object({ unit: labelled(z.enum(values), { label: 'Unit', names }) }),
    run(_, { unit }) {
      const chosen: Record<Quantity, string> = preferences.units
      chosen[quantity] = unit
      if (quantity === 'volume') preferences.units.flow = flowOf(unit, preferences.units.flow)
    },
  })
}

export const viewCommands = [
  defineCommand({
    id: 'view.palette',
    title: 'Search devices or run a command',
    group: 'view',
    icon: 'search',
    keys: 'mod+k',
    keysOnly: true,
    on: ['top'],
    roles,
    needs: nothing,
    run() {
      if (overlay.palette) closePalette()
      else overlay.palette = { query: '', asked: undefined }
    },
  }),
  defineCommand({
    id: 'view.keys',
    title: 'All keys',
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
    title: 'Read again what is shown',
    group: 'view',
    icon: 'reset',
    keywords: ['refresh', 'reload', 'retry'],
    on: [],
    roles,
    needs: nothing,
    run: rereadShown,
  }),
  defineCommand({
    id: 'view.closeMessages',
    title: 'Close the messages',
    group: 'view',
    icon: 'close',
    keywords: ['toasts', 'dismiss'],
    on: [],
    roles,
    needs: nothing,
    run: () => toast.dismiss(),
  }),
  defineCommand({
    id: 'view.theme',
    title: 'Light or dark theme',
    group: 'view',
    icon: 'sun',
    keys: 't',
    keywords: ['dark mode', 'light mode', 'appearance'],
    on: ['top'],
    roles,
    needs: nothing,
    run() {
      preferences.theme = preferences.theme === 'light' ? 'dark' : 'light'
    },
  }),
  defineCommand({
    id: 'view.navigation',
    title: 'Side navigation open or closed',
    group: 'view',
    icon: 'menu',
    keys: 'mod+b',
    keywords: ['menu', 'sidebar'],
    on: ['top'],
    roles,
    needs: nothing,
    run: () => setNav(!navIsOpen()),
  }),
  defineCommand({
    id: 'view.panel',
    title: 'Side panel open or closed',
    group: 'view',
    icon: 'panel',
    keys: 'i',
    on: ['toolbar', 'panel'],
    roles,
    needs: hasPanel,
    run: () => setPanel(!panelIsOpen()),
  }),
  defineCommand({
    id: 'view.panelWidth',
    title: 'Next width of the side panel',
    group: 'view',
    icon: 'panel',
    keys: '\\',
    on: ['panel'],
    roles,
    needs: hasPanel,
    run() {
      layout.panelWidth = widths[(widths.indexOf(layout.panelWidth) + 1) % widths.length]!
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'view.setPanelWidth',
    title: 'Width of the side panel',
    group: 'view',
    icon: 'panel',
    on: ['panel'],
    roles,
    needs: hasPanel,
    args: z.object({ width: labelled(z.enum(['large', 'medium', 'small']), { label: 'Width', names: widthNames }) }),
    run(_, { width }) {
      layout.panelWidth = width
      setPanel(true)
    },
  }),
  defineCommand({
    id: 'view.panelTab',
    title: 'Section of the side panel',
    group: 'view',
    icon: 'panel',
    keys: 'shift+i',
    on: ['panel'],
    roles,
    needs: hasPanel,
    args: z.object({
      tab: labelled(z.enum(panelTabs), {
        label: 'Section',
        names: ['Info', 'Settings or update', 'Assign', 'Control', 'Create'],
      }),
    }),
    run(_, { tab }) {
      layout.panelTab = tab
      setPanel(true)
      // Into the panel, so that Tab goes on through its section.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus())
    },
  }),
  defineCommand({
    id: 'view.bareKeys',
    title: 'Keys without a modifier on or off',
    group: 'view',
    icon: 'keyboard',
    keywords: ['single keys', 'shortcuts', 'accessibility', 'hotkeys'],
    on: ['keys'],
    roles,
    needs: nothing,
    run() {
      preferences.bareKeys = !preferences.bareKeys
      return preferences.bareKeys ? 'Keys without a modifier are on' : 'Keys without a modifier are off'
    },
  }),
  unitCommand('volume', 'volume', ['litres', 'gallons']),
  defineCommand({
    id: 'units.flow',
    title: 'Unit of flow',
    group: 'view',
    icon: 'units',
    keywords: ['gallons per minute', 'fluid ounces'],
    on: ['units'],
    roles: deviceRoles,
    needs: gallonsChosen,
    args: z.object({
      unit: labelled(z.enum(gallonFlows), { label: 'Unit', names: gallonFlows.map(flow => units.flow[flow].symbol) }),
    }),
    run(_, { unit }) {
      preferences.units.flow = unit
    },
  }),
  unitCommand('temperature', 'temperature', ['celsius', 'fahrenheit']),
  unitCommand('pressure', 'pressure', ['bar', 'psi']),
  unitCommand('concentration', 'TDS', ['ppm', 'gpg', 'salinity', 'concentration']),
]
