import type { Role } from '../../../domain/roles.ts'
import { commandOf } from '../../core/registry.ts'

/** What a query is narrowed to by the sign that it begins with. */
export const modes = {
  '>': { does: 'commands', name: 'Only commands', finds: 'view.palette' },
  '@': { does: 'devices', name: 'Devices by id, description, company', finds: 'device.find' },
  '#': { does: 'systems …', name: 'Filtration systems, models, vendors', finds: 'list.find' },
} as const
export type Mode = keyof typeof modes

/** Those whose finds the role may have. */
export const modesFor = (role: Role | undefined): readonly Mode[] =>
  (Object.keys(modes) as Mode[]).filter(sign => role !== undefined && commandOf(modes[sign].finds).roles.includes(role))

/** Cyrillic layouts have № where others have #. */
export const modeOf = (query: string, offered: readonly Mode[]): Mode | undefined =>
  offered.find(sign => query.startsWith(sign) || (sign === '#' && query.startsWith('№')))
