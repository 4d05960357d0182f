/** Endpoint of a single device with its statistics. */
import { isoOf } from '../../../src/domain/time.ts'
import { and, desc, eq } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { devices as contract, type DeviceDetail } from '../../../src/api/contract/devices.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { firmwareVersions } from '../../db/schema/models.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import { bucketsOf, parseUntil, type Period } from './periods.ts'
import { pointOf, statisticsOf } from './statistics.ts'
import { notFound } from '../../core/errors.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import type { TelemetryStore } from '../../telemetry/store.ts'
import { ownDevices } from '../shared/scope.ts'
import { devicesByKeys, type DeviceRow } from './rows.ts'

/** Returns a device that the caller may see. Throws the same 404 for a missing device and one of another vendor. */
export async function ownDevice(db: Database, caller: Caller, bssid: string): Promise<DeviceRow> {
  const visible = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(and(ownDevices(caller), eq(devices.bssid, bssid)))
  const [row] = await devicesByKeys(
    db,
    visible.map(device => device.bssid),
  )
  if (row === undefined) throw notFound('Device')
  return row
}

async function statistics(
  telemetry: TelemetryStore,
  bssid: string,
  query: Period & { readonly zone: string },
  now: Date,
): Promise<z.input<typeof DeviceDetail>['statistics']> {
  const { edges, seconds } = bucketsOf(query, now)
  const series = (await statisticsOf(telemetry, [bssid], { range: query.range, zone: query.zone, edges }, now)).get(
    bssid,
  )!
  return {
    from: isoOf(edges[0]!),
    to: isoOf(edges.at(-1)!),
    bucket_seconds: seconds,
    points: edges.slice(0, -1).map((at, bucket) => ({ at: isoOf(at), ...pointOf(series, bucket) })),
  }
}

export const detail = handler(contract.detail, async ({ params, query, caller, services: { db, telemetry, now } }) => {
  const at = now()
  const until = parseUntil(query.until)
  const device = await ownDevice(db, caller, params.bssid)
  const versions = await db
    .select({ version: firmwareVersions.version })
    .from(firmwareVersions)
    .where(eq(firmwareVersions.platform, device.platform))
    .orderBy(desc(firmwareVersions.released_at), desc(firmwareVersions.version))
  const [twin] = await db
    .select({ reading_at: deviceTwins.reading_at })
    .from(deviceTwins)
    .where(eq(deviceTwins.bssid, device.bssid))
  return {
    ...device,
    firmware_versions: versions.map(({ version }) => version),
    reading_at: twin?.reading_at?.toISOString() ?? null,
    statistics: await statistics(telemetry, device.bssid, { range: query.range, until, zone: query.zone }, at),
  }
})
