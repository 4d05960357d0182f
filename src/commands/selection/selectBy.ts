/** Commands that select devices by status, vendor, model or filtration system. */
import * as z from 'zod/mini'
import { vendors } from '../../api/contract/accounts.ts'
import { devices, type Device } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { filtrationSystems } from '../../api/contract/filtration.ts'
import { itemOf, type Row } from '../../api/lists.ts'
import { readMatches, type Progress } from '../../api/readMatches.ts'
import { statusCodes, statuses } from '../../domain/device.ts'
import type { Entity } from '../../store/lists.ts'
import { companyChoices, modelChoices, systemChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { describeSearch } from './describe.ts'
import { selectionMode, matchingItems, applyMatches, type SelectionMode } from './materialize.ts'

const emptySearch = { search: '', column: undefined, operator: 'co' } as const

/** An entity that devices refer to by id; devices are searched by its name. */
interface Reference<E extends Entity> {
  readonly entity: E
  readonly column: 'company_name' | 'model' | 'filtration_system'
  nameOf(row: Row<E>): string
  idIn(device: Device): string | undefined
}

/** Selects the devices that refer to `id`. Devices that refer to another row with the same name are left out. */
async function selectReferring<E extends Entity>(
  { entity, column, nameOf, idIn }: Reference<E>,
  { id, mode, progress }: { id: string; mode: SelectionMode | undefined; progress: Progress },
): Promise<string> {
  const row = (await readMatches(entity, emptySearch, progress)).find(one => itemOf(entity, one).id === id)
  if (!row) throw new Error('It no longer exists: the selection is unchanged')
  const query = { search: nameOf(row), column, operator: 'eq' }
  const found = (await readMatches('devices', query, progress)).filter(device => idIn(device) === id)
  return applyMatches(
    'devices',
    found.map(device => itemOf('devices', device)),
    { mode, source: describeSearch('devices', query), progress },
  )
}

const selectByCommand = {
  entity: 'devices',
  inList: true,
  selection: 'changes',
  group: 'list',
  icon: 'select',
  needs: nothing,
  on: ['select'],
  progressTitle: 'Selecting',
} as const

const Reference = (label: string) => withMeta(z.string().check(z.minLength(1)), { label })

export const selectByCommands = [
  defineCommand({
    ...selectByCommand,
    id: 'select.status',
    title: 'Select devices by status',
    keys: 'a s',
    keywords: ['state', 'leak', 'offline', 'error', 'pick'],
    endpoint: devices.list,
    args: z.object({
      status: withMeta(z.literal(statusCodes), {
        label: 'Status',
        names: statusCodes.map(code => statuses[code].label),
      }),
      how: selectionMode,
    }),
    async run(_, { status, how: mode }, { progress }) {
      const query = { search: statuses[status].label, column: 'status', operator: 'eq' }
      const found = await matchingItems('devices', query, progress)
      return applyMatches('devices', found, { mode, source: describeSearch('devices', query), progress })
    },
  }),
  defineCommand({
    ...selectByCommand,
    id: 'select.vendor',
    title: 'Select devices by vendor',
    keys: 'a v',
    keywords: ['company', 'owner', 'pick'],
    endpoint: vendors.list,
    args: z.object({ vendor: Reference('Vendor'), how: selectionMode }),
    choices: { vendor: companyChoices },
    run: (_, { vendor: id, how: mode }, { progress }) =>
      selectReferring(
        {
          entity: 'vendors',
          column: 'company_name',
          nameOf: row => row.company_name,
          idIn: device => device.vendor._id,
        },
        { id, mode, progress },
      ),
  }),
  defineCommand({
    ...selectByCommand,
    id: 'select.model',
    title: 'Select devices by model',
    keys: 'a m',
    keywords: ['platform', 'pick'],
    endpoint: devices.list,
    args: z.object({ model: Reference('Model'), how: selectionMode }),
    choices: { model: modelChoices },
    run: (_, { model: id, how: mode }, { progress }) =>
      selectReferring(
        { entity: 'models', column: 'model', nameOf: row => row.name, idIn: device => device.model._id },
        { id, mode, progress },
      ),
  }),
  defineCommand({
    ...selectByCommand,
    id: 'select.system',
    title: 'Select devices by filtration system',
    keys: 'a f',
    keywords: ['pick'],
    endpoint: filtrationSystems.list,
    args: z.object({ system: Reference('Filtration system'), how: selectionMode }),
    choices: { system: systemChoices },
    run: (_, { system: id, how: mode }, { progress }) =>
      selectReferring(
        {
          entity: 'filtrationSystems',
          column: 'filtration_system',
          nameOf: row => row.model,
          idIn: device => device.filtration_system?._id,
        },
        { id, mode, progress },
      ),
  }),
]
