/** What is done all the time beside the taking in of messages. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { markSilent, type SilentDevices } from './offline.ts'
import { dayNumber, openPartitions } from './partitions.ts'
import type { IngestOptions } from './ingestOptions.ts'
import { deleteForgotten, applyRetention } from './retention.ts'
import { syncTwins } from './sync.ts'
import { publishDevices } from './publishDevices.ts'

export interface UpkeepOptions extends Omit<IngestOptions, 'drops'> {
  /** Days for which ten-minute rollups are kept. */
  readonly tenMinuteDays: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** A device's row is written at most so often. */
const syncInterval = second
/** Milliseconds for which the embedded database may be held; rows in one step follow from how long they take. */
const maxStepTime = 40
const minRows = 20
const maxRows = 400
/** Of the time in which there is something to bring over, the share in which it is done. */
const maxLoad = 0.3
const offlineInterval = 3 * second
const sweepInterval = 30 * second
/** After a failure, of the database usually. */
const failureDelay = 5 * second

/**
 * Keeps `devices` up with what devices say, marks the silent ones as offline, lets alarms be judged by time, and
 * removes what is kept no longer. With several processes each does its part, and what needs to be done once is.
 */
export function openUpkeep(options: UpkeepOptions): { close(): Promise<void> } {
  const { db, bus, log, now, alarms } = options
  const stop = new AbortController()
  /** Silence before it tells nothing: the server was not there, or could not store what it heard. */
  let listeningSince = now().getTime()

  const sync = openSync(options)
  const offline = async () => {
    const at = now()
    for (let after: string | undefined = ''; after !== undefined && !stop.signal.aborted;) {
      const from: string = after
      const { bssids, next }: SilentDevices = await withRetry(() =>
        markSilent(db, from, { now: at.getTime(), listeningSince }),
      )
      after = next
      if (bssids.length === 0) continue
      publishDevices(bus, bssids)
      await alarms.offline(bssids, at)
    }
    return offlineInterval
  }
  const sweep = async () => {
    if (await isDue(db, 'alarms', now(), sweepInterval)) await alarms.sweep(now())
    return sweepInterval
  }
  const prune = async () => {
    const at = now().getTime()
    // Ahead of time, so that no reading waits for it.
    await openPartitions(db).ensure([dayNumber(at), dayNumber(at) + 1])
    await deleteForgotten(db, stop.signal)
    if (await isDue(db, 'retention', now(), hour)) await applyRetention(db, at, options, stop.signal)
    return minute
  }

  /** Does it again and again, each time after as many milliseconds as it says. */
  const repeat = async (errorText: string, work: () => Promise<number>) => {
    let isFailing = false
    while (!stop.signal.aborted) {
      let pause = failureDelay
      try {
        pause = await work()
        isFailing = false
      } catch (error) {
        listeningSince = now().getTime()
        if (!isFailing) log.error(errorText, error)
        isFailing = true
      }
      await wait(pause, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const loops = [
    repeat('Devices could not be brought up to date', sync),
    repeat('Silent devices could not be marked', offline),
    repeat('Alarms could not be judged by time', sweep),
    repeat('Old readings could not be removed', prune),
  ]
  return {
    close: async () => {
      stop.abort()
      await Promise.all(loops)
    },
  }
}

/** Brings over one step's worth, and says how long to rest then. */
function openSync({ db, bus, now, alarms }: UpkeepOptions): () => Promise<number> {
  let after = ''
  let rows = minRows
  return async () => {
    const started = performance.now()
    const { changed, back, next } = await withRetry(() => syncTwins(db, after, rows))
    const took = performance.now() - started
    after = next ?? ''
    if (changed.length > 0) rows = clampRows((changed.length * maxStepTime) / took)
    publishDevices(bus, changed)
    if (back.length > 0) await alarms.online(back, now())
    return next === undefined ? syncInterval : took / maxLoad - took
  }
}

const clampRows = (rows: number) => Math.round(Math.max(minRows, Math.min(maxRows, rows)))

/** Whether it is this process's turn to do it: of several processes one, each time. */
async function isDue(db: Database, task: string, now: Date, every: number): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  // A little early, as waiting is never exact.
  const next = new Date(now.getTime() + every * 0.9).toISOString()
  // Further away than clocks differ: it was written by one that was wrong.
  const tooFar = new Date(now.getTime() + 2 * every).toISOString()
  const { rows } = await db.execute(sql`
    insert into upkeep_tasks as known (task, due_at) values (${task}, ${next}::timestamptz)
    on conflict (task) do update set due_at = excluded.due_at
      where known.due_at <= ${at} or known.due_at > ${tooFar}::timestamptz
    returning task`)
  return rows.length > 0
}
