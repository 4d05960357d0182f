/** Commands that start the guided tour, skip its steps and leave it. */
import { routes } from '../../domain/lists/routes.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Needs } from '../core/types.ts'
import { tour } from './state.ts'
import { startTour, tourSteps } from './steps.ts'

const tourCommand = { group: 'view', roles: deviceRoles, recordable: false } as const
const running: Needs<undefined> = () =>
  tour.step === undefined ? { blocked: 'No tour is running' } : { target: undefined }
const atStep: Needs<number> = () => {
  const { step } = tour
  return step === undefined || step >= tourSteps(tour.isTouch).length
    ? { blocked: 'No tour is running' }
    : { target: step }
}

export const tourCommands = [
  defineCommand({
    ...tourCommand,
    id: 'tour.start',
    title: 'Take tour',
    icon: 'keyboard',
    keywords: ['help', 'guide', 'learn', 'introduction', 'keys', 'demo'],
    on: ['account', 'keySheet'],
    needs: nothing,
    run(_target, _args, { go }) {
      go(routes.devices.path)
      startTour()
    },
  }),
  defineCommand({
    ...tourCommand,
    id: 'tour.skip',
    title: 'Skip this step',
    keywords: ['tour', 'next'],
    on: ['tour'],
    needs: atStep,
    run: step => void (tour.step = step + 1),
  }),
  defineCommand({
    ...tourCommand,
    id: 'tour.leave',
    title: 'Leave tour',
    icon: 'close',
    keywords: ['end', 'stop', 'close'],
    on: ['tour'],
    needs: running,
    run: () => void (tour.step = undefined),
  }),
]
