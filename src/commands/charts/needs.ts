/** Shared by chart commands: their needs and how they run. */
import { deviceRoles } from '../../domain/roles.ts'
import { charts } from '../../store/charts.ts'
import { selections } from '../../store/selection.ts'
import type * as chartActions from './actions.ts'
import { onScreen, when } from '../core/screenNeeds.ts'

let loaded: typeof chartActions | undefined

/**
 * Loads the chart actions, which are not part of the initial bundle. They are kept: importing them again takes a task, and
 * a key that is pressed meanwhile would wait for the command or, as Enter, be dropped.
 */
export const loadActions = async (): Promise<typeof chartActions> => (loaded ??= await import('./actions.ts'))

/** Returns a function that loads the chart actions and runs one. */
export const runAction = (action: (actions: typeof chartActions) => void) => async () => action(await loadActions())

const onCharts = when(
  onScreen('charts'),
  () => charts.onlyDevice !== undefined || selections.devices.size > 0,
  'No devices selected',
)

/** Needs the charts screen with devices, and that `test` is true; `reason` is shown if it is not. */
export const onChartsWhen = (test: () => boolean, reason: string) => when(onCharts, test, reason)

/** Shared by chart commands in the palette. */
export const chartsCommand = {
  group: 'insight',
  screen: 'charts',
  roles: deviceRoles,
  needs: onCharts,
} as const
/** Shared by chart commands that only keys run. */
export const chartsKeyCommand = { ...chartsCommand, keysOnly: true } as const
