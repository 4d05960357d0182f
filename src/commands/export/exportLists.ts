/** Exports a list, or what is selected in it. */
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

interface Chosen {
  readonly type: ExportType
  readonly columns: ShownColumns
}

/** `only`: these ids; undefined is all that match. Returns what is to be said. */
export async function exportList(
  entity: Entity,
  state: Readonly<ListState>,
  only: readonly string[] | undefined,
  { type, columns }: Chosen,
  { progress, save }: Services,
): Promise<string> {
  const view = { units: { ...preferences.units }, zone: systemTimeZone(), now: Date.now() }
  // What is asked of the list meanwhile is for the next export.
  const list = { ...state, shown: { ...state.shown } }
  const { table, reading } = listTable({ entity, list, only, columns, view, progress })
  const what = `${routes[entity].title.toLowerCase().replaceAll(' ', '-')}-${isoIn(view.zone, view.now).slice(0, 10)}`
  const name = await saveTable(table, what, type, { progress, save })
  return `Exported ${countOf(reading.read, entity)} as ${name}`
}

export const exportDevices = (ids: readonly string[], chosen: Chosen, services: Services): Promise<string> =>
  exportList('devices', lists.devices, ids, chosen, services)
