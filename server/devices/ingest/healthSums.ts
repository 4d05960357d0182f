/**
 * Collects what stored readings show about the health of their devices, and adds it to their days every five minutes: a run
 * of a device is then mostly one change of its day, and not one for each reading. A server that is killed loses what it has
 * collected, at most five minutes of the sums of a day; the readings themselves are stored.
 */
import { mergeSums } from '../../../src/domain/health/daySums.ts'
import { msPerMinute } from '../../../src/domain/time.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { isInvalidValue } from '../../db/retry.ts'
import { addHealthDays, type HealthDay } from './addHealthDays.ts'
import { markLeaking, restInLocalDays } from './leaks.ts'
import type { ObservedReading } from './production.ts'

export interface HealthSums {
  /** Collects what stored readings show. Their sums may change afterwards. */
  add(observed: readonly ObservedReading[]): void
  /** Stores what is collected. If the database fails, it stays collected; a value that cannot be stored is dropped with its day. */
  flush(): Promise<void>
  /** Stores what is collected and stops. */
  close(): Promise<void>
}

export interface HealthSumsOptions {
  readonly db: Database
  readonly log: Log
  readonly now: () => Date
}

/** Milliseconds after which what is collected is stored. */
export const flushInterval = 5 * msPerMinute
/** Days per statement. */
const maxDays = 1_000
/** Days that are collected before they are stored although that time has not passed. */
const maxCollected = 20_000

export function openHealthSums({ db, log, now }: HealthSumsOptions): HealthSums {
  const days = new Map<string, HealthDay>()
  /** Hours of flow at rest, whose local days are looked up when they are stored. */
  const resting: ObservedReading[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()
  let isFailing = false

  const collect = (day: HealthDay) => {
    const key = `${day.bssid} ${day.day}`
    const kept = days.get(key)
    if (kept) mergeSums(kept.sums, day.sums)
    else days.set(key, day)
  }

  const takeDays = (): readonly HealthDay[] => {
    const taken: HealthDay[] = []
    for (const [key, day] of days) {
      if (taken.length === maxDays) break
      days.delete(key)
      taken.push(day)
    }
    return taken
  }

  /**
   * Adds days to those stored. If the database fails, they stay collected. If it refuses a value, halves are tried, until only
   * the day with that value is left, which is dropped: otherwise one device would keep the days of all from being stored.
   */
  const storeDays = async (taken: readonly HealthDay[]): Promise<void> => {
    try {
      await addHealthDays(db, taken)
    } catch (error) {
      if (!isInvalidValue(error)) {
        for (const day of taken) collect(day)
        throw error
      }
      if (taken.length === 1)
        return log.error(
          `A day of health of ${taken[0]!.bssid} was dropped, because a value of it cannot be stored`,
          error,
        )
      const middle = Math.ceil(taken.length / 2)
      const halves = await Promise.allSettled([taken.slice(0, middle), taken.slice(middle)].map(storeDays))
      const failed = halves.find(half => half.status === 'rejected')
      if (failed) throw failed.reason
    }
  }

  const store = async () => {
    const hours = resting.splice(0)
    try {
      for (const day of await restInLocalDays(db, hours)) collect(day)
    } catch (error) {
      resting.unshift(...hours)
      throw error
    }
    for (let left = days.size; left > 0; left -= maxDays) {
      const taken = takeDays()
      await storeDays(taken)
      await markLeaking(db, taken, now()).catch((error: unknown) => log.error('Could not look for leaks', error))
    }
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(store).then(
      () => {
        if (isFailing) log.info('Storing days of health works again')
        isFailing = false
      },
      (error: unknown) => {
        if (!isFailing) log.error('Could not store days of health', error)
        isFailing = true
        schedule()
      },
    )
    return flushing
  }
  const schedule = () => {
    // Readings that are stored while the server stops must not keep it running.
    timer ??= setTimeout(() => void flush(), flushInterval).unref()
  }

  return {
    add: observed => {
      if (observed.length === 0) return
      for (const each of observed)
        if (each.day === null) resting.push(each)
        else collect({ bssid: each.reading.bssid, day: each.day, sums: each.sums })
      if (days.size >= maxCollected) void flush()
      else schedule()
    },
    flush,
    close: async () => {
      await flush()
      clearTimeout(timer)
    },
  }
}
