/** Endpoint of the available firmware versions by platform. */
import { and, desc, eq, exists, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { devices } from '../../db/schema/devices.ts'
import { firmwareVersions } from '../../db/schema/models.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/** Returns the platforms of the caller's devices. */
export const firmware = handler(contract.firmwareVersions, async ({ caller, services: { db } }) => {
  const { platform } = firmwareVersions
  // Compares the sort key as well, so that its index is used.
  const key = sql`lower(${platform} collate "pg_c_utf8") collate "C"`
  const onPlatform = db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(and(ownDevices(caller), eq(devices.platform_key, key), eq(devices.platform, platform)))
  const rows = await db
    .select({ platform, version: firmwareVersions.version })
    .from(firmwareVersions)
    .where(exists(onPlatform))
    .orderBy(platform, desc(firmwareVersions.released_at), desc(firmwareVersions.version))
  return [...Map.groupBy(rows, row => row.platform)].map(([name, releases]) => ({
    platform: name,
    versions: releases.map(({ version }) => version),
  }))
})
