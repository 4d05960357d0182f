/** Commands on device models, and the command that assigns a model to devices. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { changesOf, withMeta } from '../../api/contract/fields.ts'
import { models } from '../../api/contract/models.ts'
import { capabilities, capabilityNames } from '../../domain/device.ts'
import { messages } from '../../domain/messages.ts'
import { modelChoices, vendorChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { deviceRecordCommand, settingsUpdatedMessage } from '../devices/shared.ts'
import { freshRow } from '../lists/freshRow.ts'
import { nothing } from '../core/needs.ts'
import { oneModel, someModels } from '../core/targetNeeds.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { previousValues } from '../core/runs/previousValues.ts'
import {
  confirmQuestion,
  createPresentation,
  deletePresentation,
  doneMessage,
  editPresentation,
} from '../core/wording.ts'

const { platform, name, bypass_flow_rates } = models.save.body.shape
const fields = z.object({
  name: withMeta(name, { label: 'Name' }),
  platform: withMeta(platform, { label: 'Platform' }),
  capabilities: withMeta(z.array(z.enum(capabilities)), {
    label: 'Capabilities',
    names: capabilities.map(capability => capabilityNames[capability]),
  }),
  bypass_flow_rates: withMeta(bypass_flow_rates, { label: 'Bypass flow rates 1 to 4', quantity: 'flow', count: 4 }),
  vendors: withMeta(z.array(z.string()).check(z.minLength(1, messages.someVendors)), { label: 'Vendors' }),
})

export const modelCommands = [
  defineCommand({
    ...createPresentation,
    entity: 'models',
    id: 'models.create',
    title: 'Create device model',
    endpoint: models.save,
    needs: nothing,
    args: fields,
    choices: { vendors: vendorChoices },
    async run(_, body, { call }) {
      await call(models.save, { body })
      return `Created ${body.name}`
    },
  }),
  defineCommand({
    ...editPresentation,
    entity: 'models',
    id: 'models.edit',
    title: 'Edit device model',
    endpoint: models.save,
    needs: oneModel,
    args: changesOf(fields.shape),
    choices: { vendors: vendorChoices },
    async run(model, changes, { call }) {
      // The endpoint replaces the whole model, so unchanged fields are sent with their current values.
      const row = await freshRow('models', model)
      const before = {
        name: row.name,
        platform: row.platform,
        capabilities: row.capabilities,
        bypass_flow_rates: row.bypass_flow_rates,
        vendors: row.vendors.map(vendor => vendor._id),
      }
      await call(models.save, { body: { _id: row._id, ...before, ...changes } })
      return { message: 'Device model updated', before: previousValues(row._id, changes, before) }
    },
    undo: input => ({ id: 'models.edit', input }),
  }),
  defineCommand({
    ...deletePresentation,
    entity: 'models',
    id: 'models.delete',
    endpoint: models.delete,
    needs: someModels,
    confirm: targets => confirmQuestion('Delete', '', 'models', targets),
    operation: () => bulkOperation(models.delete, {}),
    done: doneMessage('Deleted', 'models'),
    blockingDevices: ({ name: search }) => ({ column: 'model', search }),
  }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.model',
    title: 'Change device model',
    group: 'settings',
    icon: 'model',
    keys: 's m',
    keywords: ['device model', 'change model'],
    on: ['settings'],
    endpoint: devices.setModel,
    args: z.object({ model: withMeta(z.string(), { label: 'Model' }) }),
    choices: { model: modelChoices },
    operation: ({ model }) => bulkOperation(devices.setModel, { model }),
    undo: input => ({ id: 'device.model', input }),
    progressTitle: 'Updating settings',
    done: settingsUpdatedMessage,
  }),
]
