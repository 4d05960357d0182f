/** What the demo's devices sign in with, for the simulator that plays them. */
import { access, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema/devices.ts'
import { writeFleetFile } from '../devices/fleetFile.ts'
import { createCredentials, storeCredentials } from '../devices/gateway/credentials.ts'
import { bssidAt } from './device.ts'

/** Where the demo's fleet stands in a data folder. */
export const fleetPath = (dataDir: string): string => join(dataDir, 'simulator', 'fleet.jsonl')

/**
 * Sees to it that the demo's fleet file is there: a new demo has none, and one that was lost is made anew, with new
 * secrets. Devices that people have added keep theirs.
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
  /** Devices of the demo. */
  readonly fleet: number
  readonly seed?: number
  readonly now: Date
}): Promise<void> {
  const path = fleetPath(dataDir)
  if (await exists(path)) return
  const bssids = Array.from({ length: fleet }, (_, place) => bssidAt(seed, place))
  // Some may have been deleted.
  const existing = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(sql`${devices.bssid} = any(${sql.param(bssids)}::text[])`)
  const created = await createCredentials(existing.map(({ bssid }) => bssid))
  await db.transaction(tx => storeCredentials(tx, created, now))
  await mkdir(dirname(path), { recursive: true })
  await writeFleetFile(db, path, new Map(created.map(({ bssid, secret }) => [bssid, secret])))
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
