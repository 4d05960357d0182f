/** Commands that start and leave the guided tour. */
import { routes } from '../../domain/lists/routes.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Needs } from '../core/types.ts'
import { tour } from './state.ts'
import { startTour } from './steps.ts'

const tourCommand = { group: 'view', roles: deviceRoles, recordable: false } as const
const running: Needs<undefined> = () =>
  tour.step === undefined ? { blocked: 'There is no tour to leave' } : { target: undefined }

export const tourCommands = [
  defineCommand({
    ...tourCommand,
    id: 'tour.start',
    title: 'Take tour',
    icon: 'keyboard',
    keywords: ['help', 'guide', 'learn', 'introduction', 'keys', 'demo'],
    on: ['account'],
    needs: nothing,
    run(_target, _args, { go }) {
      go(routes.devices.path)
      startTour()
    },
  }),
  defineCommand({
    ...tourCommand,
    id: 'tour.leave',
    title: 'Leave tour',
    icon: 'close',
    keywords: ['end', 'stop', 'close'],
    needs: running,
    run: () => void (tour.step = undefined),
  }),
]
