/** What the commands of the charts have in common. */
import { deviceRoles } from '../../domain/roles.ts'
import { charts } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type * as chartMoves from './actions.ts'
import { onPlace, when } from '../core/screenNeeds.ts'

/** Not in the first load: nothing moves before a chart is there. */
export const moves = (move: (by: typeof chartMoves) => void) => async () => move(await import('./actions.ts'))

const onCharts = when(
  onPlace('charts'),
  () => charts.only !== undefined || selections.devices.size > 0,
  'No devices selected',
)

/** On the charts' screen, while something holds, or else the reason why not. */
export const whileHere = (test: () => boolean, reason: string) => when(onCharts, test, reason)

export const offered = {
  group: 'insight',
  place: 'charts',
  roles: deviceRoles,
  needs: onCharts,
} as const
export const byKey = { ...offered, keysOnly: true } as const
