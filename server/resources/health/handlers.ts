/** Endpoints of health. */
import { asc, and, eq, isNull, sql } from 'drizzle-orm'
import { health as contract } from '../../../src/api/contract/health.ts'
import { resetBaseline } from '../../../src/domain/health/stepDay.ts'
import { packedArray } from '../../db/packed.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceHealth, keptForecasts } from '../../db/schema/health.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { ownDevices } from '../shared/scope.ts'
import { coverage } from './coverage.ts'
import { ofDevice } from './deviceHealth.ts'
import { list, newest, shelve, verdict } from './findings.ts'
import { incidents } from './incidents.ts'
import { movers } from './movers.ts'
import { plan, planOfDevices } from './plan.ts'
import { summary } from './summary.ts'
import { setWater, supplies } from './supplies.ts'

const reset = handler(contract.resetBaseline, call => {
  const { ids } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await tx
      .select({ bssid: devices.bssid, vendor: devices.vendor_id })
      .from(devices)
      .where(and(ownDevices(call.caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`))
      .orderBy(asc(devices.bssid))
    const outcomes = new Map(found.map(({ bssid }) => [bssid, undefined]))
    if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
    call.affectedVendors(found.map(({ vendor }) => vendor))
    const known = await tx
      .select({ bssid: deviceHealth.bssid, state: deviceHealth.state })
      .from(deviceHealth)
      .where(sql`${deviceHealth.bssid} = any(${sql.param([...outcomes.keys()])}::text[])`)
      .orderBy(asc(deviceHealth.bssid))
      .for('update')
    const states = known.map(({ state }) => (state ? resetBaseline(state) : undefined))
    // The next step, which is due now, ends their findings.
    await tx.execute(sql`
      update device_health as health set due_at = ${now().toISOString()}::timestamptz, levels = '{}'::jsonb, baselines = '{}'::jsonb,
        state = anew.state
      from unnest(${sql.param(known.map(({ bssid }) => bssid))}::text[], ${packedArray(states)}::text::bytea[])
        as anew (bssid, state)
      where health.bssid = anew.bssid`)
    // What has been cleaned does not show when its condition would have been at its end.
    await tx
      .delete(keptForecasts)
      .where(
        and(
          sql`${keptForecasts.bssid} = any(${sql.param([...outcomes.keys()])}::text[])`,
          eq(keptForecasts.basis, 'condition'),
          isNull(keptForecasts.ended_at),
        ),
      )
    return bulkResponse('Device', ids, outcomes)
  })
})

export const healthHandlers: readonly Handler[] = [
  ofDevice,
  summary,
  coverage,
  newest,
  movers,
  incidents,
  plan,
  planOfDevices,
  supplies,
  setWater,
  list,
  shelve,
  verdict,
  reset,
]
