/** What the commands of the charts have in common. */
import { deviceRoles } from '../../domain/roles.ts'
import { placeOf } from '../../domain/routes.ts'
import { charts } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type * as chartMoves from './actions.ts'
import type { Needs } from '../core/types.ts'

/** Not in the first load: nothing moves before a chart is there. */
export const moves = (move: (by: typeof chartMoves) => void) => async () => move(await import('./actions.ts'))

/** On the charts' screen, while something holds, or else the reason why not. */
export const whileHere =
  (holds: () => boolean, reason: string): Needs<undefined> =>
  ({ path }) => {
    if (placeOf(path) !== 'charts') return { blocked: 'Open the charts first' }
    if (charts.only === undefined && selections.devices.size === 0) return { blocked: 'No devices selected' }
    return holds() ? { target: undefined } : { blocked: reason }
  }
const onCharts = whileHere(() => true, '')

export const offered = {
  group: 'insight',
  place: 'charts',
  roles: deviceRoles,
  needs: onCharts,
} as const
export const byKey = { ...offered, keysOnly: true } as const
