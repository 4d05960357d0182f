/** Notifications of one-time events of devices, as opposed to conditions. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deterministicId } from '../../db/id.ts'
import { withRetry } from '../../db/retry.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { notifications, type NotificationValues } from '../../db/schema/notifications.ts'
import type { State } from '../../protocol/messages.ts'
import type { DeviceEventType } from './alarmEvaluator.ts'
import { lockNotifications, storeLimited } from './storeNotifications.ts'

export interface DeviceEvent {
  readonly id: string
  readonly bssid: string
  readonly type: DeviceEventType
  readonly values: NotificationValues
}

/** Events per statement. */
const batchSize = 1_000

/** Stores events as notifications, skipping ids that exist. Returns the ids of the new ones. */
export async function storeEvents(db: Database, events: readonly DeviceEvent[], at: Date): Promise<string[]> {
  const created: string[] = []
  for (let from = 0; from < events.length; from += batchSize) {
    const batch = events.slice(from, from + batchSize)
    const bssids = batch.map(({ bssid }) => bssid)
    const wanted = sql`
      select event.id, event.bssid, ${devices.vendor_id}, event.type, ${at.toISOString()}::timestamptz as at,
        event."values"
      from json_to_recordset(${JSON.stringify(batch)}::json) as event (id text, bssid text, type text, "values" jsonb)
      join ${devices} on ${devices.bssid} = event.bssid
      where not exists (select from ${notifications} where ${notifications.id} = event.id)`
    const { rows } = await withRetry(() =>
      db.transaction(async tx => {
        await lockNotifications(tx, bssids)
        return tx.execute<{ id: string }>(sql`with ${storeLimited(wanted)} select id from stored`)
      }),
    )
    created.push(...rows.map(({ id }) => id))
  }
  return created
}

/** Returns events for replaced cartridges. Their ids derive from the message, so a repeated message adds nothing. */
export async function replacements(
  db: Database,
  reported: readonly { readonly bssid: string; readonly state: State }[],
): Promise<DeviceEvent[]> {
  const replaced = reported.flatMap(({ bssid, state }) =>
    (state.replaced_cartridges ?? []).map(position => ({
      id: deterministicId(`${bssid} ${state.at} ${position}`),
      bssid,
      position,
    })),
  )
  if (replaced.length === 0) return []
  const { rows } = await db.execute<{ id: string; bssid: string; position: number; cartridge: string }>(sql`
    select input.*, ${cartridgeTypes.model} as cartridge
    from json_to_recordset(${JSON.stringify(replaced)}::json) as input (id text, bssid text, position smallint)
    join ${deviceCartridges} on ${deviceCartridges.bssid} = input.bssid
      and ${deviceCartridges.position} = input.position
    join ${cartridgeTypes} on ${cartridgeTypes.id} = ${deviceCartridges.cartridge_type_id}`)
  return rows.map(({ cartridge, position, ...row }) => ({
    ...row,
    type: 'cartridge_replaced',
    values: { cartridge, position },
  }))
}
