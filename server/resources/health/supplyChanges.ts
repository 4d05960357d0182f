/** Endpoint of incidents: what devices of a supply share. */
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { supplyIncidents } from '../../db/schema/supplies.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevices, ownSupplyIncidents } from '../shared/scope.ts'

const maxIncidents = 100

export const incidents = handler(contract.incidents, async ({ caller, services: { db } }) => {
  const rows = await db
    .select({ incident: supplyIncidents, company: accounts.company_name })
    .from(supplyIncidents)
    .innerJoin(accounts, eq(accounts.id, supplyIncidents.vendor_id))
    .where(ownSupplyIncidents(caller))
    .orderBy(desc(supplyIncidents.began_at))
    .limit(maxIncidents)
  const unlabelled = rows.flatMap(({ incident }) => (incident.water_supply === null ? incident.supply_key : []))
  const members = await db
    .select({ bssid: devices.bssid, supply: deviceHealth.supply_key })
    .from(deviceHealth)
    .innerJoin(devices, eq(devices.bssid, deviceHealth.bssid))
    .where(and(ownDevices(caller), inArray(deviceHealth.supply_key, unlabelled)))
    .orderBy(asc(devices.bssid))
  const bySupply = Map.groupBy(members, ({ supply }) => supply)
  return rows.map(({ incident, company }) => ({
    vendor: { _id: incident.vendor_id, company_name: company },
    water_supply: incident.water_supply,
    cause: incident.cause,
    began_at: incident.began_at.toISOString(),
    ended_at: incident.ended_at?.toISOString() ?? null,
    change: Math.round((Math.exp(incident.value) - 1) * 100),
    devices: incident.devices,
    told_at: incident.told_at.toISOString(),
    bssids: (bySupply.get(incident.supply_key) ?? []).map(({ bssid }) => bssid),
  }))
})
