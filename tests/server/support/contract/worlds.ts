/** What a vendor may have, of everything that vendors read: given to it, and taken away. */
import { asc, eq, sql } from 'drizzle-orm'
import { msPerDay } from '../../../../src/domain/time.ts'
import type { Endpoint } from '../../../../src/api/contract/endpoint.ts'
import { minGroupDevices } from '../../../../src/api/contract/health/fleet.ts'
import { fieldsOf, inputSchema } from '../../../../cli/inputSchema.ts'
import type { Database } from '../../../../server/db/database.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeForecasts, forecastScores } from '../../../../server/db/schema/forecasts.ts'
import { supplyChanges } from '../../../../server/db/schema/supplies.ts'
import { newFinding } from '../subjects.ts'
import { ownRow, type KindName } from './kinds.ts'

const owned = ['device', 'event', 'job', 'finding', 'model', 'system', 'incident', 'session', 'passkey', 'key'] as const

/** A row of each kind. */
export type World = Readonly<Partial<Record<KindName, string>>>

/** Returns the times of a query that needs them: two weeks before and after now. */
export function rangeOf({ query }: Endpoint): Record<string, string> {
  if (!fieldsOf(inputSchema(query)).some(([name]) => name === 'from')) return {}
  const at = (days: number) => new Date(Date.now() + days * msPerDay).toISOString()
  return { from: at(-14), to: at(14) }
}

/** Gives rows of each kind to a vendor of the demo. */
export async function furnish(db: Database, vendor: string): Promise<World> {
  const ids: Partial<Record<KindName, string>> = {}
  for (const kind of owned) ids[kind] = await ownRow(db, kind, vendor, vendor)
  await furnishHealth(db, vendor)
  return ids
}

/** Stores what the steps of devices' health would tell a vendor, of all its devices. */
async function furnishHealth(db: Database, vendor: string): Promise<void> {
  const isOwn = eq(devices.vendor_id, vendor)
  await db.update(devices).set({ health_score: 60, health_change: -20 }).where(isOwn)
  const fitted = await db
    .select({ bssid: devices.bssid, position: deviceCartridges.position })
    .from(deviceCartridges)
    .innerJoin(devices, eq(devices.bssid, deviceCartridges.bssid))
    .where(isOwn)
  const at = new Date()
  const inDays = (days: number) => new Date(at.getTime() + days * msPerDay)
  const due = { made_at: at, due_at: inDays(12), early_at: inDays(11), late_at: inDays(13) }
  const forecasts = fitted.map(place => ({ ...place, ...due, basis: 'litres' as const, typical: true }))
  await db.insert(cartridgeForecasts).values(forecasts).onConflictDoNothing()
  const score = { vendor_id: vendor, kind: 0, basis: 'litres', outcomes: 3, inside: 2, level: 0.2 } as const
  await db
    .insert(forecastScores)
    .values({ ...score, scores: [] })
    .onConflictDoNothing()
  const change = { supply_key: vendor, cause: 'feed_water', water_supply: 'Main', value: 0.2, devices: 3 } as const
  await db
    .insert(supplyChanges)
    .values({ ...change, vendor_id: vendor, began_at: at })
    .onConflictDoNothing()
  await furnishFindings(db, vendor)
}

/** Gives a vendor as many findings on one water supply as are a group. */
async function furnishFindings(db: Database, vendor: string): Promise<void> {
  const supplied = await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(eq(devices.vendor_id, vendor))
    .orderBy(asc(devices.bssid))
    .limit(minGroupDevices)
  for (const { bssid } of supplied) {
    await db.update(devices).set({ water_supply: 'Hill' }).where(eq(devices.bssid, bssid))
    await newFinding(db, vendor, { bssid, cause: 'scaling' })
  }
}

/** Deletes all that a vendor has, besides its account and the sessions that are in use. */
export async function emptyWorld(db: Database, vendor: string): Promise<void> {
  for (const table of [
    'devices',
    'jobs',
    'filtration_systems',
    'device_model_vendors',
    'incidents',
    'supply_waters',
    'supply_incidents',
    'forecast_scores',
  ])
    await db.execute(sql`delete from ${sql.identifier(table)} where ${eq(sql.identifier('vendor_id'), vendor)}`)
  await db.execute(sql`delete from events where id not in (select event_id from event_devices)`)
  await db.execute(sql`update device_models set owner_id = null where owner_id = ${vendor}`)
  for (const table of ['passkeys', 'api_keys'])
    await db.execute(sql`delete from ${sql.identifier(table)} where account_id = ${vendor}`)
  // A session with a token goes on reading.
  await db.execute(sql`
    delete from sessions where account_id = ${vendor} and id not in (select session_id from access_tokens)`)
  await db.execute(sql`update accounts set company_name = 'Empty' where id = ${vendor}`)
}
