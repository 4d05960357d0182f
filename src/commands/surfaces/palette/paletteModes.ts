import type { Role } from '../../../domain/roles.ts'
import { commandOf } from '../../core/registry.ts'

/** Search modes, by the sign that a query begins with. A role needs `command` to have the mode. */
export const modes = {
  '>': { label: 'commands', title: 'Only commands', command: 'view.palette' },
  '@': { label: 'devices', title: 'Devices by id, description, company', command: 'device.find' },
  '#': { label: 'systems, models, vendors', title: 'Filtration systems, models, vendors', command: 'list.find' },
} as const
export type Mode = keyof typeof modes

/** Returns the modes that are available to a role. */
export const modesFor = (role: Role | undefined): readonly Mode[] =>
  (Object.keys(modes) as Mode[]).filter(
    sign => role !== undefined && commandOf(modes[sign].command).roles.includes(role),
  )

/** Returns the mode of a query. `№` counts as `#`: Cyrillic layouts have it on the same key. */
export const modeOf = (query: string, available: readonly Mode[]): Mode | undefined =>
  available.find(sign => query.startsWith(sign) || (sign === '#' && query.startsWith('№')))
