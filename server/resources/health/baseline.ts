/** Endpoints that begin the baselines of devices anew, and that undo it. */
import { addDays } from 'date-fns/addDays'
import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { baselineResetDays, health as contract } from '../../../src/api/contract/health/endpoints.ts'
import { resetBaseline, restoreBaseline } from '../../../src/domain/health/stepDay.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { packedArray } from '../../db/packed.ts'
import { baselineResets } from '../../db/schema/baselineResets.ts'
import { devices } from '../../db/schema/devices.ts'
import { keptForecasts } from '../../db/schema/forecasts.ts'
import { deviceHealth } from '../../db/schema/health.ts'
import { isSteppedAnew, stepAnew } from '../../devices/health/stepAnew.ts'
import { handler, isPreview, type Caller } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { ownDevices } from '../shared/scope.ts'

/** Returns the devices of these that the caller may see. */
const findDevices = (tx: Database, caller: Caller, ids: readonly string[]) =>
  tx
    .select({ bssid: devices.bssid, vendor: devices.vendor_id })
    .from(devices)
    .where(and(ownDevices(caller), anyOf(devices.bssid, ids)))
    .orderBy(asc(devices.bssid))

/** Locks the health of devices against their daily step. */
const lockHealth = (tx: Database, bssids: readonly string[]) =>
  tx
    .select({
      bssid: deviceHealth.bssid,
      state: deviceHealth.state,
      isAnew: sql<boolean>`${isSteppedAnew('device_health')}`,
    })
    .from(deviceHealth)
    .where(anyOf(deviceHealth.bssid, bssids))
    .orderBy(asc(deviceHealth.bssid))
    .for('update')

export const reset = handler(contract.resetBaseline, call => {
  const { ids } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await findDevices(tx, call.caller, ids)
    const bssids = found.map(({ bssid }) => bssid)
    const outcomes = new Map(bssids.map(bssid => [bssid, undefined]))
    if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
    call.affectedVendors(found.map(({ vendor }) => vendor))
    const known = await lockHealth(tx, bssids)
    const at = now().toISOString()
    // After cleaning, a forecast by condition cannot be judged.
    const obsoleteForecasts = and(eq(keptForecasts.basis, 'condition'), isNull(keptForecasts.ended_at))
    await tx.execute(sql`
      insert into baseline_resets (bssid, reset_at, state, day, baselines, levels, findings, forecasts)
      select health.bssid, ${at}::timestamptz, case when not ${isSteppedAnew('health')} then health.state end,
        greatest(health.day, health.earlier_day), health.baselines, health.levels,
        (select coalesce(jsonb_agg(jsonb_build_object('number', number, 'state', state)), '[]') from health_findings as finding
          where finding.bssid = health.bssid and finding.state in ('open', 'shelved')),
        (select coalesce(jsonb_agg(to_jsonb(kept_forecasts)), '[]') from kept_forecasts
          where kept_forecasts.bssid = health.bssid and ${obsoleteForecasts})
      from device_health as health
      where health.bssid = any(${sql.param(bssids)}::text[])
        and (health.state is not null and health.day is not null or ${isSteppedAnew('health')})
      on conflict (bssid, reset_at) do nothing`)
    const states = known.map(({ state }) => (state ? resetBaseline(state) : undefined))
    // The next step, which is due now, ends their findings. One that goes through days of before does so after the last of these.
    await tx.execute(sql`
      update device_health as health set due_at = ${at}::timestamptz, levels = '{}'::jsonb, baselines = '{}'::jsonb,
        state = anew.state
      from unnest(${sql.param(known.map(({ bssid }) => bssid))}::text[], ${packedArray(states)}::text::bytea[])
        as anew (bssid, state)
      where health.bssid = anew.bssid and not ${isSteppedAnew('health')}`)
    await tx.delete(keptForecasts).where(and(anyOf(keptForecasts.bssid, bssids), obsoleteForecasts))
    const previous = new Map(
      known.map(({ bssid, state, isAnew }) => [bssid, state || isAnew ? { reset: false } : undefined]),
    )
    return bulkResponse('Device', ids, outcomes, previous)
  })
})

const notReset = `Its baseline was not reset in the last ${baselineResetDays} days`

export const restore = handler(contract.restoreBaseline, call => {
  const { ids } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    const found = await findDevices(tx, call.caller, ids)
    const bssids = found.map(({ bssid }) => bssid)
    const known = new Map((await lockHealth(tx, bssids)).map(({ bssid, state }) => [bssid, state]))
    const resets = await newestResets(tx, bssids, addDays(now(), -baselineResetDays))
    const kept = new Set(resets.map(({ bssid }) => bssid))
    const outcomes = new Map(bssids.map(bssid => [bssid, kept.has(bssid) ? undefined : notReset]))
    if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
    call.affectedVendors(found.filter(({ bssid }) => kept.has(bssid)).map(({ vendor }) => vendor))
    const states = resets.map(({ bssid, state }) => state && restoreBaseline(state, known.get(bssid)))
    const withoutState = resets.flatMap(({ bssid, state }) => (state ? [] : [bssid]))
    // The next step, which is due now, follows the days since the reset from the earlier baseline.
    await tx.execute(sql`
      with restored as (
        delete from baseline_resets as old using unnest(${sql.param(resets.map(({ bssid }) => bssid))}::text[],
          ${sql.param(resets.map(({ reset_at }) => reset_at.toISOString()))}::timestamptz[],
          ${packedArray(states)}::text::bytea[]) as newest (bssid, reset_at, state)
        where old.bssid = newest.bssid and old.reset_at = newest.reset_at
        returning old.bssid, old.reset_at, old.day, old.baselines, old.levels, old.findings, old.forecasts, newest.state
      ),
      health as (
        update device_health as health set due_at = ${now().toISOString()}::timestamptz, state = restored.state,
          day = restored.day, baselines = restored.baselines, levels = restored.levels
        from restored where health.bssid = restored.bssid and restored.state is not null
      ),
      finding as (
        update health_findings as finding set state = earlier.state, ended_at = null, updated_at = ${now().toISOString()}
        from restored, jsonb_to_recordset(restored.findings) as earlier (number integer, state text)
        where finding.bssid = restored.bssid and finding.number = earlier.number
          and finding.state = 'resolved'
      )
      insert into kept_forecasts
      select forecast.* from restored, jsonb_populate_recordset(null::kept_forecasts, restored.forecasts) as forecast
      on conflict do nothing`)
    // Computed again since, so that the state before the reset is not kept: all days are followed, without the reset.
    await stepAnew(tx, sql`select unnest(${sql.param(withoutState)}::text[])`, now())
    return bulkResponse('Device', ids, outcomes, new Map(resets.map(({ bssid }) => [bssid, { reset: true }])))
  })
})

/** Returns the newest reset of each device after a time. */
const newestResets = (tx: Database, bssids: readonly string[], after: Date) =>
  tx
    .selectDistinctOn([baselineResets.bssid], {
      bssid: baselineResets.bssid,
      reset_at: baselineResets.reset_at,
      state: baselineResets.state,
    })
    .from(baselineResets)
    .where(and(anyOf(baselineResets.bssid, bssids), gt(baselineResets.reset_at, after)))
    .orderBy(asc(baselineResets.bssid), desc(baselineResets.reset_at))
