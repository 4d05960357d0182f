/** The command that removes devices from the selection. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { messages } from '../../domain/messages.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { selections } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { devicesSelected } from '../core/targetNeeds.ts'
import { selectedDeviceChoices } from './deviceChoices.ts'
import { materializeSelection } from './materialize.ts'

export const deselectCommands = [
  defineCommand({
    id: 'device.deselect',
    title: 'Remove devices from selection',
    group: 'list',
    selection: 'changes',
    icon: 'close',
    keywords: ['remove', 'unselect'],
    roles: deviceRoles,
    needs: devicesSelected(messages.someDevices),
    args: z.object({ devices: withMeta(z.array(z.string()).check(z.minLength(1)), { label: 'Devices' }) }),
    choices: { devices: selectedDeviceChoices },
    async run(_, { devices }, { progress }) {
      await materializeSelection('devices', progress)
      selections.devices.remove(devices)
    },
  }),
]
