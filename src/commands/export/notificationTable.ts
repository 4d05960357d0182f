/** The notifications that match a filter, as a table to export. */
import { call } from '../../api/client.ts'
import { maxPerCall } from '../../api/contract/endpoint.ts'
import { notifications, type Notification } from '../../api/contract/notifications.ts'
import type { Progress } from '../../api/readMatches.ts'
import { notificationsQuery, type NotificationFilter } from '../../api/notificationFeed.ts'
import type { ExportRow, ExportTable } from '../../domain/exportTable.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import { notificationValue } from '../../domain/notifications/texts.ts'
import { isoIn } from '../../domain/zone.ts'
import type { View } from './exportColumns.ts'
import { retryWithPrompt } from './retryWithPrompt.ts'
import { readAll, readNotes, type ReadState } from '../../domain/lib/readAll.ts'
import { formatNumber } from '../../domain/format.ts'

interface NotificationTableOptions {
  readonly filter: NotificationFilter
  readonly view: View
  readonly progress: Progress
  readonly readState: ReadState
}

/** Returns the table, newest first as on screen, with units after the values. Reads rows while pages are iterated. */
export function notificationTable({ filter, view, progress, readState }: NotificationTableOptions): ExportTable {
  const { types, devices } = filter
  const query = notificationsQuery(filter)
  const source = {
    limit: maxPerCall,
    sorted: false,
    keyOf: ({ _id }: Notification) => _id,
    read: (offset: number) =>
      retryWithPrompt(
        () => call(notifications.list, { query: { ...query, offset, limit: maxPerCall }, signal: progress.signal }),
        () => `${formatNumber(readState.read)} notifications`,
        progress.signal,
      ),
  }
  const rowOf = ({ created_at, device, type, values }: Notification): ExportRow => [
    isoIn(view.zone, Date.parse(created_at)),
    device.bssid,
    notificationDefinitions[type].text,
    notificationValue(type, values, view.units) ?? null,
  ]
  async function* pages() {
    for await (const rows of readAll(source, readState)) {
      progress.report(readState.read, Math.max(readState.read, readState.total ?? 0))
      yield rows.map(rowOf)
    }
  }
  return {
    title: 'Notifications',
    zone: view.zone,
    columns: [
      { key: 'created_at', name: 'Time', times: true },
      { key: 'bssid', name: 'Device' },
      { key: 'notification', name: 'Notification' },
      { key: 'value', name: 'Value' },
    ],
    pages: pages(),
    notes: () => [
      `Exported ${isoIn(view.zone, view.now)}, times in ${view.zone}`,
      ...(types ? [`Only: ${types.map(type => notificationDefinitions[type].text).join('; ')}`] : []),
      ...(devices ? ['Only notifications of selected devices'] : []),
      ...readNotes(readState),
    ],
  }
}
