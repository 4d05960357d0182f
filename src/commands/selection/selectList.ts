/** Selecting devices by their ids, from a list that a person has elsewhere. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { labelled } from '../../api/contract/fields.ts'
import { itemOf } from '../../api/lists.ts'
import { readByKeys } from '../../api/readByKeys.ts'
import { readList } from '../../api/readList.ts'
import type { Progress } from '../../api/readMatches.ts'
import { pastedIds } from '../../domain/bssidList.ts'
import { overlay } from '../../store/overlays.ts'
import type { AnyItem } from '../../store/selection.ts'
import { defineCommand } from '../core/command.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { nothing } from '../core/needs.ts'
import { countOf } from '../core/wording.ts'
import { selectionMode, applyMatches } from './materialize.ts'

/** Those of the ids that this person has a device of, as they are now. */
export async function devicesWith(ids: readonly string[], progress: Progress): Promise<readonly AnyItem[]> {
  const items: AnyItem[] = []
  const read = (query: Parameters<typeof readList>[1]) => readList('devices', query, progress.signal)
  for await (const { rows, at } of readByKeys('devices', ids, read)) {
    items.push(...rows.map(row => itemOf('devices', row)))
    progress.at(at, ids.length)
  }
  return items
}

const about = { entity: 'devices', inList: true, group: 'list', icon: 'select', needs: nothing } as const
const source = 'a pasted list'

export const selectListCommands = [
  defineCommand({
    ...about,
    id: 'select.paste',
    title: 'Select a pasted list of devices',
    keys: 'a p',
    keywords: ['bssid', 'ids', 'import', 'clipboard', 'file'],
    on: ['select'],
    endpoint: devices.list,
    run() {
      overlay.pasting = { text: '', unknown: [] }
    },
  }),
  defineCommand({
    ...about,
    id: 'select.list',
    title: 'Select the devices of these ids',
    on: ['table'],
    keysOnly: true,
    endpoint: devices.list,
    args: z.object({ devices: labelled(z.string(), { label: 'Devices', as: 'many' }), how: selectionMode }),
    async run(_, { devices: text, how: way }, { progress }) {
      const { ids, others } = pastedIds(text)
      if (ids.length === 0)
        throw new InvalidInput({ devices: 'There is no device id in it, such as A4:1C:09:7E:33:0B' })
      const found = await devicesWith(ids, progress)
      const known = new Set(found.map(({ id }) => id))
      const unknown = ids.filter(id => !known.has(id))
      const left = [...unknown, ...others]
      // What was not taken stays in the dialog, by name.
      overlay.pasting = left.length > 0 ? { text: left.join('\n'), unknown } : undefined
      const said = await applyMatches('devices', found, { way, source, progress })
      if (left.length === 0) return said
      return `${said}; ${[
        ...(unknown.length > 0 ? [`${countOf(unknown.length, 'devices')} not found`] : []),
        ...(others.length > 0 ? [`${others.length.toLocaleString('en')} no ids`] : []),
      ].join(', ')}`
    },
    doing: 'Looking for the devices',
  }),
]
