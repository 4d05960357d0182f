/**
 * Evaluates the alarm rules on messages and periodically. Active conditions are stored in the database; those that
 * follow from messages are cached, so that a reading without a transition needs no query.
 */
import { sql } from 'drizzle-orm'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { notifications } from '../../db/schema/notifications.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import type { TelemetryStore } from '../../telemetry/store.ts'
import { ageingTransitions, type DeviceFilter } from './ageing.ts'
import { claimAgeing, settleAgeing } from './ageingChecks.ts'
import { applyTransitions, type ActiveConditions, type Transition } from './conditions.ts'
import { replacements, storeEvents, type DeviceEvent } from './events.ts'
import type { AlarmEvaluator } from './alarmEvaluator.ts'
import { openAlarmCache } from './alarmCache.ts'
import { deviceOffline, evaluateReading, evaluateState } from './rules.ts'
import { findIncidents } from './incidents.ts'
import { storeAlong, storeEvaluation, storeTransitions, type DeviceTransition, type StoreResult } from './store.ts'
import { batchesPerQuery, newestEvaluated, readUnevaluated, type UnevaluatedBatch } from './unevaluated.ts'
import { msPerDay, msPerSecond } from '../../../src/domain/time.ts'

interface AlarmOptions {
  readonly db: Database
  readonly telemetry: TelemetryStore
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
}

/** Devices of an event that are stored together. */
const eventBatchSize = 1_000
/** Days for which notifications are kept, and the number that one sweep deletes. */
const retentionDays = 400
const pruneBatchSize = 1_000
/** Milliseconds within which a running server evaluates what it has stored. */
const evaluatedWithin = 10 * msPerSecond
/** Maximum devices for which the time of the last evaluated reading is cached. */
const maxCached = 200_000

/** The transitions that follow from messages. */
interface Evaluated {
  readonly transitions: readonly DeviceTransition[]
  /** The stored batch of readings from which they follow; `undefined` for other messages. */
  readonly batch: string | undefined
}

type DeviceReading = Pick<UnevaluatedBatch['readings'][number], 'bssid' | 'reading'>

export function openAlarms({ db, telemetry, bus, log, now }: AlarmOptions): AlarmEvaluator {
  const cache = openAlarmCache(db, bus, now)
  /** Time of the last evaluated reading by device, milliseconds UTC: older readings that arrive later are skipped. */
  const lastEvaluated = new Map<string, number>()
  /** An evaluation whose storing failed. */
  let unstored: Evaluated | undefined
  let lastWork: Promise<unknown> = Promise.resolve()

  /** Runs work one after the other, so that each sees what the previous one stored. */
  function serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = lastWork.then(work)
    lastWork = done.catch(() => undefined)
    return done
  }

  /**
   * Applies a rule to each item and the active conditions of its device, and stores the transitions. `batch`: the stored
   * batch of readings that the items are.
   */
  const evaluateEach = <Item extends { readonly bssid: string }>(
    items: readonly Item[],
    at: Date,
    rule: (active: ActiveConditions, item: Item) => readonly Transition[],
    batch?: string,
  ): Promise<void> =>
    serialize(async () => {
      if (unstored) await flush(unstored)
      const known = await cache.read(items.map(({ bssid }) => bssid))
      const changed = new Map<string, ActiveConditions>()
      const transitions: DeviceTransition[] = []
      for (const item of items) {
        const active = changed.get(item.bssid) ?? known.get(item.bssid)!
        const itemTransitions = rule(active, item)
        if (itemTransitions.length === 0) continue
        changed.set(item.bssid, applyTransitions(active, itemTransitions, at))
        transitions.push(...itemTransitions.map(transition => ({ ...transition, bssid: item.bssid, at })))
      }
      if (transitions.length === 0 && batch === undefined) return
      let isStored = false
      try {
        isStored = await flush({ transitions, batch })
      } finally {
        if (!isStored) cache.forget(changed.keys())
      }
      if (isStored && changed.size > 0) cache.commit(changed)
    })

  /**
   * Stores an evaluation. If that fails, it is kept and stored before the next one. Returns false if another process has
   * evaluated the batch.
   */
  async function flush(evaluated: Evaluated): Promise<boolean> {
    unstored = evaluated
    const { batch, transitions } = evaluated
    const stored = await (batch === undefined
      ? storeTransitions(db, transitions)
      : storeEvaluation(db, batch, transitions))
    unstored = undefined
    if (stored) await publishStored(stored)
    return stored !== undefined
  }

  /** Finds the incidents of new notifications, and publishes both. */
  async function publishStored({ created, incidentVendors }: StoreResult, on = db): Promise<void> {
    // Without its incident a notification is a single one, so a failure must not fail what has stored it.
    await findIncidents(on, created).catch((error: unknown) => log.error('Could not find incidents', error))
    if (created.length > 0) bus.publish({ kind: 'notifications', ids: created })
    const vendors = [...new Set(incidentVendors)]
    if (vendors.length > 0)
      bus.publish({ kind: 'vendorResources', changes: vendors.map(vendor => ({ resource: 'notifications', vendor })) })
  }
  const storeAndPublish = async (events: readonly DeviceEvent[], on = db) =>
    publishStored({ created: await storeEvents(on, events, now()), incidentVendors: [] }, on)
  const evaluateAgeing = async (filter: DeviceFilter, at: Date, on = db) =>
    publishStored(await storeTransitions(on, await ageingTransitions(on, filter, at)), on)

  /** Time of a reading for its evaluation, milliseconds UTC, and whether it is at least as new as the last one. */
  function placeInTime(
    { bssid, reading }: DeviceReading,
    at: Date,
  ): { readonly readAt: number; readonly isNewest: boolean } {
    // Future timestamps are capped: once the device's clock is corrected, its readings would be skipped for hours.
    const readAt = Math.min(Date.parse(reading.at), at.getTime())
    if (readAt < (lastEvaluated.get(bssid) ?? 0)) return { readAt, isNewest: false }
    if (lastEvaluated.size >= maxCached) lastEvaluated.clear()
    lastEvaluated.set(bssid, readAt)
    return { readAt, isNewest: true }
  }

  /** Evaluates a batch that another run of a server has stored. */
  const evaluateLeft = async ({ id, readings }: UnevaluatedBatch) => {
    const at = now()
    // Other servers may have evaluated newer readings.
    const newest = await newestEvaluated(
      db,
      readings.map(({ bssid }) => bssid),
    )
    const rule = (active: ActiveConditions, left: DeviceReading) => {
      const { readAt, isNewest } = placeInTime(left, at)
      const transitions = evaluateReading(active, left.reading, readAt)
      const isLast = isNewest && readAt >= (newest.get(left.bssid) ?? -Infinity)
      // A newer reading was evaluated before: people are notified of what this one begins; it ends with the next reading.
      return isLast ? transitions : transitions.filter(({ begins }) => begins)
    }
    return evaluateEach(readings, at, rule, id)
  }

  return {
    readings: (stored, batch) => {
      const at = now()
      const rule = (active: ActiveConditions, fresh: DeviceReading) => {
        const { readAt, isNewest } = placeInTime(fresh, at)
        return isNewest ? evaluateReading(active, fresh.reading, readAt) : []
      }
      return evaluateEach(stored, at, rule, batch)
    },
    recover: async () => {
      const before = new Date(now().getTime() - evaluatedWithin)
      for (let batches = await readUnevaluated(db, telemetry, before); batches.length > 0;) {
        for (const batch of batches) await evaluateLeft(batch)
        batches = batches.length < batchesPerQuery ? [] : await readUnevaluated(db, telemetry, before)
      }
    },
    states: async reported => {
      await evaluateEach(reported, now(), (active, { state }) => evaluateState(active, state))
      const replaced = await replacements(db, reported.filter(isState))
      if (replaced.length === 0) return
      await storeAndPublish(replaced)
      await evaluateAgeing(ofDevices(replaced.map(({ bssid }) => bssid)), now())
    },
    offline: (mark, at) =>
      serialize(async () => {
        if (unstored) await flush(unstored)
        const { result, stored } = await storeAlong(db, mark, ({ bssids }) =>
          bssids.map(bssid => ({ ...goesOffline, bssid, at })),
        )
        const { bssids } = result
        if (bssids.length > 0) cache.forgetEverywhere(bssids)
        await publishStored(stored)
        return result
      }),
    online: (bssids, at) =>
      evaluateEach(
        bssids.map(bssid => ({ bssid })),
        at,
        () => [{ ...deviceOffline, begins: false }],
      ),
    sweep: async at => {
      const claim = await claimAgeing(db, at)
      if (claim.bssids.length === 0) return
      await evaluateAgeing(ofDevices(claim.bssids), at)
      await settleAgeing(db, claim, at)
    },
    prune: at => prune(db, at),
    recordEvent: async (on, type, bssids, values = {}) => {
      // The change is stored already, so a failed notification must not fail it.
      try {
        for (let from = 0; from < bssids.length; from += eventBatchSize) {
          const batch = bssids.slice(from, from + eventBatchSize)
          await storeAndPublish(
            batch.map(bssid => ({ id: newId(), bssid, type, values })),
            on,
          )
          await evaluateAgeing(ofDevices(batch), now(), on)
        }
      } catch (error) {
        log.error(`Could not create notifications of ${type}`, error)
      }
    },
  }
}

const goesOffline: Transition = { ...deviceOffline, begins: true, values: {} }

/** Returns a filter for these devices. */
const ofDevices =
  (bssids: readonly string[]): DeviceFilter =>
  bssid =>
    anyOf(bssid, bssids)

interface Reported {
  readonly bssid: string
  readonly state: State | LastWill
}
const isState = (reported: Reported): reported is { readonly bssid: string; readonly state: State } =>
  !('offline' in reported.state)

/** Deletes one batch of the notifications that exceed their retention. */
async function prune(db: Database, at: Date): Promise<void> {
  const cutoff = new Date(at.getTime() - retentionDays * msPerDay)
  await db.execute(sql`
    delete from ${notifications} where id in (
      select id from ${notifications} where created_at < ${cutoff.toISOString()}::timestamptz
      order by created_at limit ${pruneBatchSize})`)
}
