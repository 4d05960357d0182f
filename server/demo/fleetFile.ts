/** The demo's fleet file: credentials of the demo devices for the simulator. */
import { access, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { anyOf } from '../db/anyOf.ts'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema/devices.ts'
import { writeFleetFile } from '../devices/fleetFile.ts'
import { createCredentials, storeCredentials } from '../devices/gateway/credentials.ts'
import { bssidAt, hiddenByBssid } from './device.ts'
import { seededAt } from './seededAt.ts'

/** Returns the path of the demo's fleet file in a data folder. */
export const fleetPath = (dataDir: string): string => join(dataDir, 'simulator', 'fleet.jsonl')

/**
 * Creates the demo's fleet file if it is missing, with new secrets for the demo devices. Devices that users have
 * added keep theirs.
 */
export async function ensureFleetFile({
  db,
  dataDir,
  fleet,
  seed = 1,
  now,
}: {
  readonly db: Database
  readonly dataDir: string
  /** Number of demo devices. */
  readonly fleet: number
  readonly seed?: number
  readonly now: Date
}): Promise<void> {
  const path = fleetPath(dataDir)
  if (await exists(path)) return
  const bssids = Array.from({ length: fleet }, (_, index) => bssidAt(seed, index))
  // Some demo devices may have been deleted.
  const existing = await db.select({ bssid: devices.bssid }).from(devices).where(anyOf(devices.bssid, bssids))
  const created = await createCredentials(existing.map(({ bssid }) => bssid))
  await db.transaction(tx => storeCredentials(tx, created, now))
  await mkdir(dirname(path), { recursive: true })
  const hidden = hiddenByBssid(seed, fleet, (await seededAt(db)) ?? now.getTime())
  await writeFleetFile(db, path, new Map(created.map(({ bssid, secret }) => [bssid, secret])), hidden)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
