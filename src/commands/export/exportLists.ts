/** Exports a list, or the selected rows of it. */
import type { ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { routes } from '../../domain/lists/routes.ts'
import { isoIn } from '../../domain/zone.ts'
import { lists, type Entity, type ListState } from '../../store/lists.ts'
import { preferences } from '../../store/preferences.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { listTable, type ShownColumns } from './listTable.ts'
import { saveTable } from './saveTable.ts'

interface ExportOptions {
  readonly type: ExportType
  readonly columns: ShownColumns
}

/**
 * Saves a file with the rows whose ids are in `only`, or with all matches if it is undefined, and returns a message with
 * the file's name. Rejects with ApiError, or with AbortError when cancelled.
 */
export async function exportList(
  entity: Entity,
  state: Readonly<ListState>,
  only: readonly string[] | undefined,
  { type, columns }: ExportOptions,
  { progress, save }: Services,
): Promise<string> {
  const view = { units: { ...preferences.units }, zone: systemTimeZone(), now: Date.now() }
  // A copy, because the person may change the list's search, sort or columns while it is read.
  const list = { ...state, shown: { ...state.shown } }
  const { table, readState } = listTable({ entity, list, only, columns, view, progress })
  const what = `${routes[entity].title.toLowerCase().replaceAll(' ', '-')}-${isoIn(view.zone, view.now).slice(0, 10)}`
  const name = await saveTable(table, what, type, { progress, save })
  return `Exported ${countOf(readState.read, entity)} as ${name}`
}

export const exportDevices = (ids: readonly string[], options: ExportOptions, services: Services): Promise<string> =>
  exportList('devices', lists.devices, ids, options, services)
