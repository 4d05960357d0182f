/** The water analyses of supplies: endpoints that list and set them. */
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import type { AnalysedSupply } from '../../../src/api/contract/health/water.ts'
import { anyOf } from '../../db/anyOf.ts'
import { lowered } from '../../db/caseFold.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth, healthFindings } from '../../db/schema/health.ts'
import { supplyWaters } from '../../db/schema/supplies.ts'
import { handler, isPreview, type Caller } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { ownDevices, ownSupplyWaters } from '../shared/scope.ts'

type Water = typeof supplyWaters.$inferSelect

/** Returns an analysis in the form of the API. */
export const waterOf = ({ calcium_hardness, alkalinity, ph, login, updated_at }: Water) => ({
  calcium_hardness,
  alkalinity,
  ph,
  login,
  updated_at: updated_at.toISOString(),
})

interface StoredAnalysis {
  readonly water: Water
  readonly company: string
}

/** Returns the analyses that the caller may see and that meet a condition, in the order of their labels. */
const storedAnalyses = (db: Database, caller: Caller, condition: SQL, limit: number): Promise<StoredAnalysis[]> =>
  db
    .select({ water: supplyWaters, company: accounts.company_name })
    .from(supplyWaters)
    .innerJoin(accounts, eq(accounts.id, supplyWaters.vendor_id))
    .where(and(ownSupplyWaters(caller), condition))
    .orderBy(asc(supplyWaters.water_supply_key), asc(supplyWaters.vendor_id))
    .limit(limit)

const analysedSupply = ({ water, company }: StoredAnalysis): AnalysedSupply => ({
  vendor: { _id: water.vendor_id, company_name: company },
  water_supply: water.water_supply,
  water: waterOf(water),
})

/** Returns a function that maps each of these keys to the analyses of its supplies that the caller may see. */
export async function analysesByKey(db: Database, caller: Caller, keys: readonly string[], limit: number) {
  const withKeys = anyOf(supplyWaters.water_supply_key, keys)
  const stored = await storedAnalyses(db, caller, withKeys, limit)
  const byKey = Map.groupBy(stored, ({ water }) => water.water_supply_key)
  return (key: string): AnalysedSupply[] => (byKey.get(key) ?? []).map(analysedSupply)
}

export const supplies = handler(contract.supplies, async ({ query: { search, limit }, caller, services: { db } }) => {
  const matchingLabel = sql`position(${lowered(sql`${search}::text`)} in ${supplyWaters.water_supply_key}) > 0`
  return (await storedAnalyses(db, caller, matchingLabel, limit)).map(analysedSupply)
})

interface Supply {
  readonly vendor: string
  readonly label: string
  readonly key: string
}

const idOf = ({ vendor, key }: Pick<Supply, 'vendor' | 'key'>) => JSON.stringify([vendor, key])

/** Returns the condition that two columns name one of these supplies. */
const anyOfSupplies = (supplies: readonly Supply[], vendor: AnyPgColumn, key: AnyPgColumn): SQL =>
  sql`(${vendor}, ${key}) in (select * from unnest(${sql.param(supplies.map(each => each.vendor))}::text[],
    ${sql.param(supplies.map(each => each.key))}::text[]))`

type NewWater = Pick<Water, 'calcium_hardness' | 'alkalinity' | 'ph' | 'login' | 'updated_at'>

/** Sets the analyses of supplies, or deletes them, and returns the earlier ones. */
async function storeWater(tx: Database, supplies: readonly Supply[], water: NewWater | null): Promise<Water[]> {
  const changedSupplies = anyOfSupplies(supplies, supplyWaters.vendor_id, supplyWaters.water_supply_key)
  const earlier = await tx
    .select()
    .from(supplyWaters)
    .where(changedSupplies)
    .orderBy(asc(supplyWaters.vendor_id), asc(supplyWaters.water_supply_key))
    .for('update')
  if (water === null) await tx.delete(supplyWaters).where(changedSupplies)
  else
    await tx
      .insert(supplyWaters)
      .values(supplies.map(({ vendor, label }) => ({ vendor_id: vendor, water_supply: label, ...water })))
      .onConflictDoUpdate({ target: [supplyWaters.vendor_id, supplyWaters.water_supply_key], set: water })
  return earlier
}

/** Lets the step of the supplies' devices with findings be due, so that their causes follow within seconds. */
async function stepSoon(tx: Database, supplies: readonly Supply[], at: Date): Promise<void> {
  const concerned = tx
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(
      and(
        anyOfSupplies(supplies, devices.vendor_id, devices.water_supply_key),
        sql`exists (select from ${healthFindings} where ${healthFindings.bssid} = ${devices.bssid}
          and ${healthFindings.state} in ('open', 'shelved'))`,
      ),
    )
  await tx.update(deviceHealth).set({ due_at: at }).where(inArray(deviceHealth.bssid, concerned))
}

export const setWater = handler(contract.setWater, call => {
  const { ids, water, water_supply: meant = null } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await tx
      .select({
        bssid: devices.bssid,
        vendor: devices.vendor_id,
        label: devices.water_supply,
        key: devices.water_supply_key,
        isMeant: sql<boolean>`${meant}::text is null or ${devices.water_supply_key} = ${lowered(sql`${meant}::text`)}`,
      })
      .from(devices)
      .where(and(ownDevices(call.caller), anyOf(devices.bssid, ids)))
      // Supplies are stored in this order, so that two calls at the same time cannot block each other.
      .orderBy(asc(devices.vendor_id), asc(devices.water_supply_key), asc(devices.bssid))
    const outcomes = new Map(
      found.map(({ bssid, key, isMeant }) => [
        bssid,
        key === null ? 'The device has no water supply' : isMeant ? undefined : 'The device is on another supply',
      ]),
    )
    if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
    const changing = found.flatMap(({ bssid, vendor, label, key, isMeant }) =>
      label !== null && key !== null && isMeant ? [{ bssid, vendor, label, key }] : [],
    )
    const supplies = [...new Map(changing.map(each => [idOf(each), each])).values()]
    if (supplies.length === 0) return bulkResponse('Device', ids, outcomes)
    call.affectedVendors(supplies.map(({ vendor }) => vendor))
    const at = now()
    const entered = water && { ...water, login: call.caller.login, updated_at: at }
    const earlier = await storeWater(tx, supplies, entered)
    await stepSoon(tx, supplies, at)
    const before = new Map(
      earlier.map(({ vendor_id, water_supply_key, calcium_hardness, alkalinity, ph }) => [
        idOf({ vendor: vendor_id, key: water_supply_key }),
        { calcium_hardness, alkalinity, ph },
      ]),
    )
    const previous = new Map(
      changing.map(each => [each.bssid, { water: before.get(idOf(each)) ?? null, water_supply: each.label }]),
    )
    return bulkResponse('Device', ids, outcomes, previous)
  })
})
