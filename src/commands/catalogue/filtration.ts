/** Commands on filtration systems, groups and cartridge types, and the command that assigns a system to devices. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { changesOf, withMeta } from '../../api/contract/fields.ts'
import {
  cartridgeTypeFields,
  cartridgeTypes,
  filtrationSystemFields,
  filtrationSystemGroups,
  filtrationSystems,
} from '../../api/contract/filtration.ts'
import { FlushSettings } from '../../api/contract/settingStates.ts'
import { cartridgeKinds } from '../../domain/device.ts'
import { messages } from '../../domain/messages.ts'
import { nounsOf } from '../../domain/lists/lists.ts'
import { assigneeChoices, cartridgeChoices, groupChoices, systemChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { deviceRecordCommand, devicesOfOneVendor, settingsUpdatedMessage } from '../devices/shared.ts'
import { freshRow } from '../lists/freshRow.ts'
import { nothing } from '../core/needs.ts'
import { oneCartridgeType, oneGroup, oneSystem, someSystems } from '../core/targetNeeds.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { previousValues } from '../core/runs/previousValues.ts'
import {
  confirmQuestion,
  countOf,
  uploadPresentation,
  deletePresentation,
  doneMessage,
  editPresentation,
} from '../core/wording.ts'

type Uploaded = 'filtrationSystems' | 'groups' | 'cartridgeTypes'
/** Returns the command that uploads an entity; these entities are created only by uploads. */
const uploadCommand = (entity: Uploaded, endpoint: typeof filtrationSystems.upload) =>
  defineCommand({
    ...uploadPresentation,
    entity,
    id: `${entity}.upload`,
    title: `Upload ${nounsOf(entity)[1]}`,
    endpoint,
    needs: nothing,
    args: z.object({ file: withMeta(z.file(), { label: 'File', template: entity }) }),
    async run(_, { file }, { call }) {
      const { created } = await call(endpoint, { file })
      return `Created ${countOf(created, entity)}`
    },
    progressTitle: 'Uploading',
  })

export const filtrationCommands = [
  uploadCommand('filtrationSystems', filtrationSystems.upload),
  defineCommand({
    ...editPresentation,
    entity: 'filtrationSystems',
    id: 'filtrationSystems.edit',
    title: 'Edit filtration system',
    keywords: ['update', 'change', 'flush', 'cartridges'],
    endpoint: filtrationSystems.edit,
    needs: oneSystem,
    args: changesOf({
      model: withMeta(filtrationSystemFields.model, { label: 'Model' }),
      group: withMeta(filtrationSystemFields.group, { label: 'Group' }),
      cartridges: withMeta(filtrationSystemFields.cartridges, { label: 'Cartridges' }),
      flushing: withMeta(filtrationSystemFields.flushing, { label: 'Flushing', names: ['No', 'Yes'] }),
      ...FlushSettings.shape,
    }),
    choices: { group: groupChoices, cartridges: cartridgeChoices },
    async run(system, { smart, mode, frequency, duration, volume, ...rest }, { call }) {
      const { id } = system
      const row = await freshRow('filtrationSystems', system)
      const changed = Object.entries({ smart, mode, frequency, duration, volume }).filter(
        ([, value]) => value !== undefined,
      )
      const flush = changed.length > 0 ? { flush: { ...row.flush, ...Object.fromEntries(changed) } } : {}
      await call(filtrationSystems.edit, { params: { id }, body: { ...rest, ...flush } })
      const before = {
        model: row.model,
        group: row.group?._id ?? null,
        cartridges: row.cartridges.map(cartridge => cartridge._id),
        flushing: row.flushing,
        ...row.flush,
      }
      const changes = { ...rest, ...Object.fromEntries(changed) }
      return { message: 'Filtration system updated', before: previousValues(id, changes, before) }
    },
    // A change of cartridges cannot be undone: devices get new cartridges, and the wear of the previous ones is lost.
    undo: input => ('cartridges' in input ? undefined : { id: 'filtrationSystems.edit', input }),
    notUndoable: 'a change of cartridges',
  }),
  defineCommand({
    entity: 'filtrationSystems',
    id: 'filtrationSystems.assign',
    title: 'Assign to vendor',
    group: 'settings',
    icon: 'vendor',
    keys: 's v',
    on: ['assign'],
    endpoint: filtrationSystems.assignVendor,
    needs: someSystems,
    args: z.object({ vendor: withMeta(z.nullable(z.string({ error: messages.oneVendor })), { label: 'Vendor' }) }),
    choices: { vendor: assigneeChoices },
    operation: ({ vendor }) => bulkOperation(filtrationSystems.assignVendor, { vendor }),
    undo: input => ({ id: 'filtrationSystems.assign', input }),
    done: doneMessage('Assigned', 'filtrationSystems'),
  }),
  defineCommand({
    ...deletePresentation,
    entity: 'filtrationSystems',
    id: 'filtrationSystems.delete',
    endpoint: filtrationSystems.delete,
    needs: someSystems,
    confirm: targets => confirmQuestion('Delete', '', 'filtrationSystems', targets),
    operation: () => bulkOperation(filtrationSystems.delete, {}),
    done: doneMessage('Deleted', 'filtrationSystems'),
    blockingDevices: ({ name: search }) => ({ column: 'filtration_system', search }),
  }),
  uploadCommand('groups', filtrationSystemGroups.upload),
  defineCommand({
    ...editPresentation,
    entity: 'groups',
    id: 'groups.edit',
    title: 'Rename group',
    endpoint: filtrationSystemGroups.edit,
    needs: oneGroup,
    args: z.object({ name: withMeta(filtrationSystemGroups.edit.body.shape.name, { label: 'Name' }) }),
    async run(group, body, { call }) {
      const { id } = group
      const row = await freshRow('groups', group)
      await call(filtrationSystemGroups.edit, { params: { id }, body })
      return { message: 'Group updated', before: previousValues(id, body, row) }
    },
    undo: input => ({ id: 'groups.edit', input }),
  }),
  uploadCommand('cartridgeTypes', cartridgeTypes.upload),
  defineCommand({
    ...editPresentation,
    entity: 'cartridgeTypes',
    id: 'cartridgeTypes.edit',
    title: 'Edit cartridge type',
    endpoint: cartridgeTypes.edit,
    needs: oneCartridgeType,
    args: changesOf({
      model: withMeta(cartridgeTypeFields.model, { label: 'Model' }),
      type: withMeta(z.literal([0, 1, 2]), { label: 'Type', names: cartridgeKinds }),
      resource: withMeta(cartridgeTypeFields.resource, { label: 'Resource', quantity: 'volume' }),
      ttl: withMeta(cartridgeTypeFields.ttl, { label: 'Lifetime', unit: 'days' }),
      name: withMeta(cartridgeTypeFields.name, { label: 'Name' }),
      description: withMeta(cartridgeTypeFields.description, { label: 'Description', as: 'multiline' }),
      purchase_url: withMeta(cartridgeTypeFields.purchase_url, { label: 'Purchase link' }),
      image_url: withMeta(cartridgeTypeFields.image_url, { label: 'Image link' }),
    }),
    async run(type, body, { call }) {
      const { id } = type
      const row = await freshRow('cartridgeTypes', type)
      await call(cartridgeTypes.edit, { params: { id }, body })
      return { message: 'Cartridge type updated', before: previousValues(id, body, row) }
    },
    undo: input => ({ id: 'cartridgeTypes.edit', input }),
  }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.filtrationSystem',
    title: 'Change filtration system',
    group: 'settings',
    icon: 'system',
    keys: 's y',
    keywords: ['filtration system', 'change system', 'cartridges'],
    on: ['settings'],
    endpoint: devices.setFiltrationSystem,
    needs: devicesOfOneVendor,
    // Only undo passes null. It is not a choice, because removing a system loses the wear of its cartridges.
    args: z.object({ filtration_system: withMeta(z.nullable(z.string()), { label: 'Filtration system' }) }),
    choices: { filtration_system: systemChoices },
    operation: ({ filtration_system }) => bulkOperation(devices.setFiltrationSystem, { filtration_system }),
    // A replaced system cannot be restored: devices get new cartridges, and the wear of the previous ones is lost.
    undo: input => (input['filtration_system'] === null ? { id: 'device.filtrationSystem', input } : undefined),
    notUndoable: 'for devices that already had one',
    progressTitle: 'Updating settings',
    done: settingsUpdatedMessage,
  }),
]
