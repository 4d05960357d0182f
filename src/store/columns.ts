/** Which columns are shown before a person chooses: those that tell the state of the water first. */
import type { Entity, ListState } from './lists.ts'

/** Lists without an entry show all of theirs. */
const shownAtFirst: Partial<Record<Entity, ReadonlySet<string>>> = {
  devices: new Set([
    'bssid',
    'status',
    'model',
    'company_name',
    'recovery_rate',
    'rejection_rate',
    'temperature',
    'pressure',
    'feed_tds',
    'permeate_tds',
    'permeate',
    'cartridges',
    'locked',
    'last_active',
    'description',
  ]),
}

export const columnVisible = (entity: Entity, list: Pick<ListState, 'shown'>, column: string): boolean =>
  list.shown[column] ?? shownAtFirst[entity]?.has(column) ?? true
