/** Exports the notifications that match the screen's filter. */
import { notificationTypes } from '../../domain/notifications/types.ts'
import type { ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { isoIn } from '../../domain/zone.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { preferences } from '../../store/preferences.ts'
import { selections } from '../../store/selection.ts'
import type { Services } from '../core/types.ts'
import { notificationTable } from './notificationTable.ts'
import { newReadState } from '../../domain/lib/readAll.ts'
import { saveTable } from './saveTable.ts'
import { formatNumber } from '../../domain/format.ts'

/** Saves the file, and returns a message with its name. Rejects with ApiError, or with AbortError when cancelled. */
export async function exportNotifications(
  { type }: { type: ExportType },
  { progress, save }: Services,
): Promise<string> {
  const { hidden, onlySelected } = notificationsView
  const view = { units: { ...preferences.units }, zone: systemTimeZone(), now: Date.now() }
  const filter = {
    ...(hidden.length > 0 && { types: notificationTypes.filter(one => !hidden.includes(one)) }),
    ...(onlySelected && { devices: selections.devices.items().map(({ id }) => id) }),
  }
  const readState = newReadState()
  const table = notificationTable({ filter, view, progress, readState })
  const name = await saveTable(table, `notifications-${isoIn(view.zone, view.now).slice(0, 10)}`, type, {
    progress,
    save,
  })
  return `Exported ${formatNumber(readState.read)} notifications as ${name}`
}
