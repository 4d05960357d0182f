/** Selecting devices by what they are: their state, vendor, model or filtration system. */
import * as z from 'zod/mini'
import { vendors } from '../../api/contract/accounts.ts'
import { devices, type Device } from '../../api/contract/devices.ts'
import { labelled } from '../../api/contract/fields.ts'
import { filtrationSystems } from '../../api/contract/filtration.ts'
import { itemOf, type Row } from '../../api/lists.ts'
import { readMatches, type Progress } from '../../api/readMatches.ts'
import { statusCodes, statuses } from '../../domain/device.ts'
import type { Entity } from '../../store/lists.ts'
import { companyChoices, modelChoices, systemChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/command.ts'
import { nothing } from '../core/needs.ts'
import { selectionMode, matchingItems, sourceOf, applyMatches, type SelectionMode } from './materialize.ts'

const everything = { search: '', column: undefined, operator: 'co' } as const

/** What devices refer to by id, and are searched by the name of. */
interface Reference<E extends Entity> {
  readonly entity: E
  readonly column: 'company_name' | 'model' | 'filtration_system'
  nameOf(row: Row<E>): string
  idIn(device: Device): string | undefined
}

/** Selects the devices that refer to `id`; others may refer to something else of the same name. */
async function takeThoseOf<E extends Entity>(
  { entity, column, nameOf, idIn }: Reference<E>,
  { id, way, progress }: { id: string; way: SelectionMode | undefined; progress: Progress },
): Promise<string> {
  const row = (await readMatches(entity, everything, progress)).find(one => itemOf(entity, one).id === id)
  if (!row) throw new Error('It is there no longer: the selection is as it was')
  const query = { search: nameOf(row), column, operator: 'eq' }
  const found = (await readMatches('devices', query, progress)).filter(device => idIn(device) === id)
  return applyMatches(
    'devices',
    found.map(device => itemOf('devices', device)),
    { way, source: sourceOf('devices', query), progress },
  )
}

const selecting = {
  entity: 'devices',
  inList: true,
  group: 'list',
  icon: 'select',
  needs: nothing,
  on: ['select'],
  doing: 'Selecting',
} as const

const Reference = (label: string) => labelled(z.string().check(z.minLength(1)), { label })

export const selectByCommands = [
  defineCommand({
    ...selecting,
    id: 'select.status',
    title: 'Select devices by status',
    keys: 'a s',
    keywords: ['state', 'leak', 'offline', 'error', 'pick'],
    endpoint: devices.list,
    args: z.object({
      status: labelled(z.literal(statusCodes), {
        label: 'Status',
        names: statusCodes.map(code => statuses[code].label),
      }),
      how: selectionMode,
    }),
    async run(_, { status, how: way }, { progress }) {
      const query = { search: statuses[status].label, column: 'status', operator: 'eq' }
      const found = await matchingItems('devices', query, progress)
      return applyMatches('devices', found, { way, source: sourceOf('devices', query), progress })
    },
  }),
  defineCommand({
    ...selecting,
    id: 'select.vendor',
    title: 'Select devices by vendor',
    keys: 'a v',
    keywords: ['company', 'owner', 'pick'],
    endpoint: vendors.list,
    args: z.object({ vendor: Reference('Vendor'), how: selectionMode }),
    choices: { vendor: companyChoices },
    run: (_, { vendor: id, how: way }, { progress }) =>
      takeThoseOf(
        {
          entity: 'vendors',
          column: 'company_name',
          nameOf: row => row.company_name,
          idIn: device => device.vendor._id,
        },
        { id, way, progress },
      ),
  }),
  defineCommand({
    ...selecting,
    id: 'select.model',
    title: 'Select devices by model',
    keys: 'a m',
    keywords: ['platform', 'pick'],
    endpoint: devices.list,
    args: z.object({ model: Reference('Model'), how: selectionMode }),
    choices: { model: modelChoices },
    run: (_, { model: id, how: way }, { progress }) =>
      takeThoseOf(
        { entity: 'models', column: 'model', nameOf: row => row.name, idIn: device => device.model._id },
        { id, way, progress },
      ),
  }),
  defineCommand({
    ...selecting,
    id: 'select.system',
    title: 'Select devices by filtration system',
    keys: 'a f',
    keywords: ['pick'],
    endpoint: filtrationSystems.list,
    args: z.object({ system: Reference('Filtration system'), how: selectionMode }),
    choices: { system: systemChoices },
    run: (_, { system: id, how: way }, { progress }) =>
      takeThoseOf(
        {
          entity: 'filtrationSystems',
          column: 'filtration_system',
          nameOf: row => row.model,
          idIn: device => device.filtration_system?._id,
        },
        { id, way, progress },
      ),
  }),
]
