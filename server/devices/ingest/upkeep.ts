/** Upkeep: the periodic tasks of a server (sync, offline detection, recovery, alarm sweeps and retention). */
import { resourceOf } from '../../../src/api/contract/address.ts'
import { findings } from '../../../src/api/contract/findings.ts'
import type { Database } from '../../db/database.ts'
import { repeat } from '../../core/repeat.ts'
import { withRetry } from '../../db/retry.ts'
import { roomInterval } from '../../db/room.ts'
import { isUnavailable, type DatabaseState } from '../../db/state.ts'
import { isDue, lastRun } from './dueTasks.ts'
import { listeningSince, noteListening } from './listening.ts'
import { markSilent, maxChecked, type SilentDevices } from './offline.ts'
import { fitMembranes } from '../health/fits.ts'
import { stepDue } from '../health/stepDue.ts'
import type { IngestOptions } from './ingestOptions.ts'
import { findUnsynced, syncTwins, type FoundUnsynced } from './sync.ts'
import { publishDevices } from './publishDevices.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../../src/domain/time.ts'

export interface UpkeepOptions extends Omit<IngestOptions, 'drops'> {
  readonly database: DatabaseState
  /** Days for which ten-minute rollups are kept. */
  readonly tenMinuteDays: number
  /** Delete what else has expired; called once an hour by one of several processes. */
  readonly prunes: readonly ((db: Database, now: Date) => Promise<void>)[]
  /** Whether this server receives messages of devices. */
  readonly isGateway: boolean
  /** Whether this server does more than sync the twins that it has changed. */
  readonly isWorker: boolean
  /** Returns whether a server was killed in the last `period` milliseconds. */
  readonly hasLostServer: (period: number) => Promise<boolean>
  /** Returns whether any server receives messages of devices: while none does, their silence does not count. */
  readonly isListening: () => Promise<boolean>
}

/** Milliseconds between two syncs of a device's row, which follows its readings within five seconds. */
const syncInterval = 2 * msPerSecond
/** Target duration of a sync step in milliseconds, from which the number of rows per step is derived. */
const maxStepTime = 40
const minRows = 100
const maxRows = 400
/**
 * Maximum share of the time that syncing may take: usually, and in a round that has lasted for `longRound` milliseconds. A device
 * waits for the end of one round and for its turn in the next, so rounds of two seconds keep its row within five.
 */
const usualLoad = 0.3
const loadOfLongRound = 0.7
const longRound = msPerSecond
const offlineInterval = 5 * msPerSecond
/** Milliseconds between two notes of a gateway that it receives messages. */
const listeningInterval = 10 * msPerSecond
/** Milliseconds between two sweeps, each of some hundred devices at most. */
const sweepInterval = 5 * msPerSecond
const notificationInterval = 30 * msPerSecond
const recoveryInterval = 5 * msPerSecond
/**
 * Milliseconds between two looks for devices whose daily step of health is due, and between two slices of them. Steps are due
 * at once after what people say of findings, so they do not wait long for it.
 */
const healthInterval = 10 * msPerSecond
const stepPause = 100
/** Milliseconds for which the telemetry of deleted devices is removed at a time, and until more of it is. */
const maxForgetting = 10 * msPerSecond
const forgettingPause = msPerSecond
/** Milliseconds between two looks for killed servers, by how much their periods overlap, and between two comparisons without one. */
const lossInterval = 5 * msPerSecond
const lossOverlap = msPerSecond
const comparisonInterval = 10 * msPerMinute
/** Milliseconds by which a killed server may have been behind: a comparison also covers messages so long before the last one. */
const maxBehind = 10 * msPerMinute

/**
 * Starts the periodic tasks. Every server syncs the twins that it has changed to `device_values`. A gateway also notes that it
 * receives messages. A worker also finds twins that a killed server has not synced, marks silent devices as offline, evaluates
 * alarms of readings that a killed server has left, evaluates alarms by time, applies retention, and computes the health of
 * devices. Of several workers, only one at a time runs retention, and looks for twins that others have left. While the disk is
 * full, only expired data is deleted.
 */
export function openUpkeep(options: UpkeepOptions): { close(): Promise<void> } {
  const { db, telemetry, database, bus, log, now, alarms } = options
  const stop = new AbortController()
  /**
   * Until when messages may not have been received or stored, as far as this server knows, milliseconds UTC: devices have some
   * time to be heard after it.
   */
  let interruptedUntil = now().getTime()

  const sync = openSync(options)
  /** By `performance.now`: when killed servers were looked for last, undefined before the first time; and the next comparison. */
  let lookedAt: number | undefined
  let comparesAt = 0
  /** Finds what a killed server has left among the twins with a message since a time (milliseconds UTC). */
  const compare = async (since: number) => {
    for (let block: number | undefined = 0; block !== undefined && !stop.signal.aborted;) {
      const { bssids, next }: FoundUnsynced = await findUnsynced(db, block, since)
      options.unsynced.add(bssids)
      block = next
    }
  }
  /** Compares after the start, because that server was probably this one, when another server was killed, and now and then. */
  const lookForLost = async () => {
    const startedAt = performance.now()
    const isLost = lookedAt === undefined || (await options.hasLostServer(startedAt - lookedAt + lossOverlap))
    // Asking whether a task is due writes, so it is asked only once in the interval.
    const asks = startedAt >= comparesAt
    if (isLost || asks) {
      // Before the task is claimed, which replaces the time.
      const comparedAt = (await lastRun(db, 'sync', comparisonInterval)) ?? 0
      const isRegular = asks && (await isDue(db, 'sync', now(), comparisonInterval))
      if (asks) comparesAt = startedAt + comparisonInterval
      if (isLost || isRegular) await compare(Math.min(comparedAt, now().getTime()) - maxBehind)
    }
    lookedAt = startedAt
    return lossInterval
  }
  const markOffline = async () => {
    const at = now()
    // Devices send again what could not be stored; until then they seem silent.
    if (!telemetry.canStore() || !(await options.isListening())) {
      interruptedUntil = at.getTime()
      return offlineInterval
    }
    const since = (await listeningSince(db)) ?? interruptedUntil
    for (let size = maxChecked; size > 0 && !stop.signal.aborted;) {
      const limits = { now: at.getTime(), listeningSince: since, interruptedUntil, size }
      const silent: SilentDevices = await alarms.offline(tx => markSilent(tx, limits), at)
      size = silent.next
      publishDevices(bus, silent.bssids)
    }
    return offlineInterval
  }
  const offline = async () => {
    try {
      return await markOffline()
    } catch (error) {
      interruptedUntil = now().getTime()
      throw error
    }
  }
  const listen = async () => {
    await noteListening(db, now(), telemetry.canStore())
    return listeningInterval
  }
  const sweep = async () => {
    await alarms.sweep(now())
    return sweepInterval
  }
  const pruneNotifications = async () => {
    if (await isDue(db, 'notifications', now(), notificationInterval)) await alarms.prune(now())
    return notificationInterval
  }
  const recover = async () => {
    await alarms.recover()
    return recoveryInterval
  }
  const prune = async () => {
    const at = now().getTime()
    await telemetry.prepare(at, stop.signal)
    if (await isDue(db, 'retention', now(), msPerHour)) {
      for (const deleteExpired of options.prunes) await deleteExpired(db, now())
      await telemetry.retain(at, options, stop.signal)
    }
    // Many deleted devices take hours: what others wait for comes in between.
    return (await telemetry.forgetDeleted(stop.signal, maxForgetting)) ? forgettingPause : msPerMinute
  }

  const fits = async () => {
    if (await isDue(db, 'membrane fits', now(), msPerDay)) await fitMembranes(db, now())
    return msPerMinute
  }
  const health = async () => {
    const { hasMore, changed } = await stepDue(db, log, now())
    publishDevices(bus, changed)
    if (changed.length > 0) bus.publish({ kind: 'resources', names: [resourceOf(findings.list.path)] })
    return hasMore ? stepPause : healthInterval
  }

  /** What fails for want of the database means that messages could not be stored; other failures say nothing of messages. */
  const onFailure = (error: unknown) => {
    if (isUnavailable(error)) interruptedUntil = now().getTime()
  }
  const start = (errorText: string, task: () => Promise<number>) => repeat(task, { log, errorText, onFailure })
  const startWithRoom = (errorText: string, task: () => Promise<number>) =>
    start(errorText, async () => {
      if (!database.isFull) return task()
      // Messages of devices are refused, so their silence does not count.
      interruptedUntil = now().getTime()
      return roomInterval
    })
  const work = () => [
    startWithRoom('Could not find devices that are not synced', lookForLost),
    startWithRoom('Could not mark silent devices as offline', offline),
    startWithRoom('Could not evaluate time-based alarms', sweep),
    start('Could not remove old notifications', pruneNotifications),
    startWithRoom('Could not evaluate the readings of a stopped server', recover),
    start('Could not remove old readings', prune),
    startWithRoom('Could not fit temperature coefficients of membrane types', fits),
    startWithRoom('Could not compute the health of devices', health),
  ]
  const loops = [
    startWithRoom('Could not sync devices', sync),
    ...(options.isGateway ? [startWithRoom('Could not note that messages are received', listen)] : []),
    ...(options.isWorker ? work() : []),
  ]
  return {
    close: async () => {
      stop.abort()
      await Promise.all(loops.map(loop => loop.close()))
    },
  }
}

/** Returns a task that syncs one batch and returns the milliseconds until the next. */
function openSync({ db, bus, now, alarms, unsynced }: UpkeepOptions): () => Promise<number> {
  let rows = minRows
  /** By `performance.now`. */
  let roundStartedAt: number | undefined
  return async () => {
    const bssids = unsynced.take(rows)
    const isLast = bssids.length < rows
    const started = performance.now()
    const roundStart = (roundStartedAt ??= started)
    if (isLast) roundStartedAt = undefined
    if (bssids.length === 0) return syncInterval
    const { changed, online, busy } = await withRetry(() => syncTwins(db, bssids)).catch((error: unknown) => {
      unsynced.add(bssids)
      throw error
    })
    const duration = performance.now() - started
    unsynced.add(busy)
    if (changed.length > 0) rows = clampRows((changed.length * maxStepTime) / duration)
    publishDevices(bus, changed)
    if (online.length > 0) await alarms.online(online, now())
    if (isLast) return syncInterval
    const load = performance.now() - roundStart > longRound ? loadOfLongRound : usualLoad
    return duration / load - duration
  }
}

const clampRows = (rows: number) => Math.round(Math.max(minRows, Math.min(maxRows, rows)))
