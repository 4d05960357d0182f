/** Commands for the health of a device: what its charts show, and explanations. */
import { health } from '../../api/contract/health/endpoints.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { healthRangeNames, healthView, type HealthRange } from '../../store/deviceHealth.ts'
import { overlay } from '../../store/overlays.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { chosenDevice } from '../core/targetNeeds.ts'

const keywords = ['health', 'membrane', 'finding', 'diagnosis']

/** Shared by what changes the charts, which the device screen and the side panel show. */
const chartCommand = { entity: 'devices', group: 'insight', roles: deviceRoles, needs: chosenDevice, keywords } as const

const helpCommand = {
  recordable: false,
  group: 'insight',
  icon: 'help',
  keywords: [...keywords, 'channels', 'standard flow', 'salt passage', 'manual'],
  roles: deviceRoles,
  needs: nothing,
  run() {
    overlay.health = { view: 'help' }
  },
} as const

export const deviceHealthCommands = [
  ...(Object.keys(healthRangeNames) as HealthRange[]).map((range, index) =>
    defineCommand({
      ...chartCommand,
      id: `health.${range}`,
      title: `Show health of ${healthRangeNames[range].toLowerCase()}`,
      on: ['healthRange'],
      icon: 'chart',
      keys: String(index + 1),
      run() {
        healthView.range = range
      },
    }),
  ),
  defineCommand({
    ...chartCommand,
    id: 'health.raw',
    title: 'Show or hide days and measured values in health charts',
    on: ['health'],
    icon: 'points',
    keys: 'y',
    run() {
      healthView.raw = !healthView.raw
    },
  }),
  defineCommand({
    ...chartCommand,
    id: 'health.table',
    title: 'Switch between health charts and table',
    on: ['health'],
    icon: 'columns',
    keys: 'd',
    run() {
      healthView.table = !healthView.table
    },
  }),
  defineCommand({
    id: 'health.explain',
    title: 'Explain health',
    entity: 'devices',
    recordable: false,
    group: 'insight',
    icon: 'search',
    keys: 'shift+h',
    keywords: [...keywords, 'evidence', 'why', 'formula', 'sources'],
    on: ['health'],
    endpoint: health.ofDevice,
    needs: chosenDevice,
    readsTargets: true,
    run({ id }) {
      overlay.health = { view: 'explain', bssid: id }
    },
  }),
  defineCommand({ ...helpCommand, id: 'health.help', title: 'Help on health', entity: 'devices', keys: 'shift+y' }),
  defineCommand({
    ...helpCommand,
    id: 'health.helpHere',
    title: 'Help on health, with the focus in its section',
    label: () => 'Help on health',
    entity: 'devices',
    within: 'health',
    keysOnly: true,
    keys: '?',
    on: ['health'],
  }),
]
