/** Commands that select devices by a pasted list of ids, and copy such a list. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { itemOf } from '../../api/lists.ts'
import { readByKeys } from '../../api/readByKeys.ts'
import { readList } from '../../api/readList.ts'
import type { Progress } from '../../api/readMatches.ts'
import { parsePastedIds } from '../../domain/bssidList.ts'
import { overlay } from '../../store/overlays.ts'
import type { AnyItem } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { nothing } from '../core/needs.ts'
import { someDevices } from '../core/targetNeeds.ts'
import { countOf } from '../core/wording.ts'
import { selectionMode, applyMatches } from './materialize.ts'
import { plural } from '../../domain/plural.ts'

/**
 * Returns the current rows of the devices with these ids. Ids that do not exist, or that the signed-in account may not
 * see, are left out. Rejects with ApiError, or with AbortError when cancelled.
 */
export async function readDevices(ids: readonly string[], progress: Progress): Promise<readonly AnyItem[]> {
  const items: AnyItem[] = []
  const read = (query: Parameters<typeof readList>[1]) => readList('devices', query, progress.signal)
  for await (const { rows, at } of readByKeys('devices', ids, read)) {
    items.push(...rows.map(row => itemOf('devices', row)))
    progress.report(at, ids.length)
  }
  return items
}

const pasteCommand = { entity: 'devices', inList: true, group: 'list', icon: 'select', needs: nothing } as const
const source = 'a pasted list'

export const selectListCommands = [
  defineCommand({
    ...pasteCommand,
    id: 'select.paste',
    title: 'Select devices by pasted IDs',
    keys: 'a p',
    keywords: ['bssid', 'list', 'import', 'clipboard', 'file'],
    on: ['select'],
    endpoint: devices.list,
    run() {
      overlay.pasteDialog = { text: '', unknown: [] }
    },
  }),
  defineCommand({
    entity: 'devices',
    group: 'list',
    icon: 'copy',
    id: 'device.copyIds',
    title: 'Copy device IDs',
    keys: 'a c',
    keywords: ['bssid', 'mac', 'clipboard', 'list', 'selected'],
    on: ['select'],
    recordable: false,
    endpoint: devices.list,
    needs: someDevices,
    readsTargets: true,
    async run(targets, _, { copy }) {
      const text = targets.map(({ id }) => id).join('\n')
      await copy(text, 'export the selected devices instead')
      return `Copied the ${targets.length === 1 ? 'ID' : 'IDs'} of ${countOf(targets.length, 'devices')}`
    },
  }),
  defineCommand({
    ...pasteCommand,
    id: 'select.list',
    selection: 'changes',
    title: 'Select devices by ID',
    keysOnly: true,
    endpoint: devices.list,
    args: z.object({ devices: withMeta(z.string(), { label: 'Devices', as: 'multiline' }), how: selectionMode }),
    async run(_, { devices: text, how: mode }, { progress }) {
      const { ids, otherWords } = parsePastedIds(text)
      if (ids.length === 0)
        throw new InvalidInput({ devices: 'The text contains no device id such as A4:1C:09:7E:33:0B' })
      const found = await readDevices(ids, progress)
      const foundIds = new Set(found.map(({ id }) => id))
      const unknown = ids.filter(id => !foundIds.has(id))
      const unmatched = [...unknown, ...otherWords]
      // Lines that matched no device stay in the dialog, to be corrected, unless it has been closed or edited meanwhile.
      if (overlay.pasteDialog?.text === text)
        overlay.pasteDialog = unmatched.length > 0 ? { text: unmatched.join('\n'), unknown } : undefined
      const message = await applyMatches('devices', found, { mode, source, progress })
      if (unmatched.length === 0) return message
      return `${message}; ${[
        ...(unknown.length > 0 ? [`${countOf(unknown.length, 'devices')} not found`] : []),
        ...(otherWords.length > 0 ? [plural(otherWords.length, 'invalid id')] : []),
      ].join(', ')}`
    },
    progressTitle: 'Looking for the devices',
  }),
]
