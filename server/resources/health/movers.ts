/** Endpoint of the overview: the devices whose scores have moved most in a month. */
import { and, asc, desc, eq, gt, lt, type SQL } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import type { Mover } from '../../../src/api/contract/health/fleet.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices } from '../shared/scope.ts'

/** Devices that are listed in each direction at most. */
const maxMovers = 5

export const movers = handler(contract.movers, async ({ caller, services: { db } }) => {
  const scope = ownDevices(caller)
  return {
    fell: await moversWhere(db, and(scope, lt(devices.health_change, 0)), asc(devices.health_change)),
    rose: await moversWhere(db, and(scope, gt(devices.health_change, 0)), desc(devices.health_change)),
  }
})

/** Returns the first devices, in the order of the index of changes, which has only those that have moved. */
async function moversWhere(db: Database, where: SQL | undefined, order: SQL): Promise<Mover[]> {
  const rows = await db
    .select({
      bssid: devices.bssid,
      description: devices.description,
      vendor_id: devices.vendor_id,
      company_name: accounts.company_name,
      score: devices.health_score,
      change: devices.health_change,
      cause: devices.health_cause,
    })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(where)
    .orderBy(order, asc(devices.bssid))
    .limit(maxMovers)
  return rows.map(({ vendor_id, company_name, score, change, ...row }) => ({
    ...row,
    vendor: { _id: vendor_id, company_name },
    score: score!,
    before: score! - change!,
  }))
}
