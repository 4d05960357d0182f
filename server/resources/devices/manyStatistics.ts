/** Endpoint of the statistics of several devices. */
import { isoOf } from '../../../src/domain/time.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import type { ManyStatistics } from '../../../src/api/contract/statistics.ts'
import { sameDateEnd } from '../../../src/domain/charts/days.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { handler } from '../../endpoints/handler.ts'
import type { TelemetryStore } from '../../telemetry/store.ts'
import { ownDevices } from '../shared/scope.ts'
import { bucketsOf, parseUntil, type Period } from './periods.ts'
import { statisticsOf } from './statistics.ts'

type Response = z.input<typeof ManyStatistics>
/** Returns the grid of a zone's buckets, and the series of each device in it. */
async function statisticsIn(
  telemetry: TelemetryStore,
  bssids: readonly string[],
  query: Period & { zone: string },
  now: Date,
) {
  const { edges, seconds } = bucketsOf(query, now)
  const starts = edges.slice(0, -1)
  const series = await statisticsOf(telemetry, bssids, { range: query.range, zone: query.zone, edges }, now)
  return {
    grid: { from: isoOf(edges[0]!), to: isoOf(edges.at(-1)!), bucket_seconds: seconds, at: starts.map(isoOf) },
    series,
  }
}

export const manyStatistics = handler(
  contract.statistics,
  async ({ query, caller, services: { db, telemetry, now } }) => {
    const { range, zone, in_device_zone } = query
    const until = parseUntil(query.until)
    const found = await db
      .select({
        bssid: devices.bssid,
        description: devices.description,
        company_name: accounts.company_name,
        time_zone: devices.time_zone,
      })
      .from(devices)
      .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
      .where(and(ownDevices(caller), inArray(devices.bssid, query.ids)))

    const at = now()
    const zoneOf = (device: (typeof found)[number]) => (in_device_zone === 'true' && device.time_zone) || zone
    const response: Response = { grids: [], devices: [] }
    for (const [gridZone, group] of Map.groupBy(found, zoneOf)) {
      // A period has the same dates in every zone.
      const end = until && new Date(sameDateEnd(until.getTime(), zone, gridZone))
      const bssids = group.map(({ bssid }) => bssid)
      const { grid, series } = await statisticsIn(telemetry, bssids, { range, until: end, zone: gridZone }, at)
      const place = response.grids.push(grid) - 1
      for (const device of group) response.devices.push({ ...device, grid: place, series: series.get(device.bssid)! })
    }
    return response
  },
)
