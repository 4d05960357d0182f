/**
 * Judges what devices say and what time brings. Which conditions hold stands in the database; those that follow from
 * messages stand in memory too, so that a reading that changes nothing costs no query.
 */
import { asc, gt, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { devices } from '../../db/schema/devices.ts'
import { notifications } from '../../db/schema/notifications.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { LastWill, State } from '../../protocol/messages.ts'
import { ageingSteps, type Which } from './ageing.ts'
import { after, type ActiveConditions, type Transition } from './conditions.ts'
import { replacements, storeEvents, type Event } from './events.ts'
import type { AlarmJudge } from './judge.ts'
import { openAlarmCache } from './alarmCache.ts'
import { deviceOffline, judgeReading, judgeState } from './rules.ts'
import { storeSteps, type Step } from './store.ts'

interface Parts {
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
}

/** Devices in one sweep: a fleet of 100,000 is through within the hour when swept twice a minute. */
const sweepSlice = 1_000
/** Days for which notifications are kept, and how many old ones go in one sweep. */
const keptDays = 400
const pruneSlice = 1_000
/** Devices whose last judged reading is remembered. */
const maxRemembered = 200_000

export function openAlarms({ db, bus, log, now }: Parts): AlarmJudge {
  const memory = openAlarmCache(db, bus, now)
  /** Per device the time of the last reading judged, milliseconds UTC: one that comes later says nothing of now. */
  const judged = new Map<string, number>()
  let sweptUntil = ''
  let owed: readonly Step[] = []
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other, so that each sees what the one before it stored. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** Judges each item by what holds of its device by then, and stores what began and ended. */
  const judge = <Item extends { readonly bssid: string }>(
    items: readonly Item[],
    at: Date,
    rule: (held: ActiveConditions, item: Item) => readonly Transition[],
  ): Promise<void> =>
    inTurn(async () => {
      await settle(owed)
      await memory.refresh()
      const changed = new Map<string, ActiveConditions>()
      const steps: Step[] = []
      for (const item of items) {
        const held = changed.get(item.bssid) ?? memory.of(item.bssid)
        const transitions = rule(held, item)
        if (transitions.length === 0) continue
        changed.set(item.bssid, after(held, transitions, at))
        steps.push(...transitions.map(transition => ({ ...transition, bssid: item.bssid, at })))
      }
      if (steps.length === 0) return
      try {
        await settle(steps)
        memory.keep(changed)
      } catch (error) {
        memory.doubt(changed.keys())
        throw error
      }
    })

  /** Stores steps; as long as they are not, they are owed, and come before all others. */
  async function settle(steps: readonly Step[]): Promise<void> {
    owed = steps
    if (steps.length > 0) tell(await storeSteps(db, steps))
    owed = []
  }

  const tell = (ids: readonly string[]) => {
    if (ids.length > 0) bus.publish({ kind: 'notifications', ids })
  }
  const tellEvents = async (events: readonly Event[]) => tell(await storeEvents(db, events, now()))
  const judgeAgeing = async (which: Which, at: Date) => tell(await storeSteps(db, await ageingSteps(db, which, at)))

  async function sweepDevices(at: Date): Promise<void> {
    const slice = await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .where(gt(devices.bssid, sweptUntil))
      .orderBy(asc(devices.bssid))
      .limit(sweepSlice)
    const [from, until] = [sweptUntil, slice.at(-1)?.bssid ?? '']
    sweptUntil = slice.length < sweepSlice ? '' : until
    await judgeAgeing(bssid => sql`${bssid} > ${from} and ${bssid} <= ${until}`, at)
  }

  return {
    readings: fresh => {
      const at = now()
      return judge(fresh, at, (held, { bssid, reading }) => {
        // A clock that is ahead is not believed: once it is put right, its readings would come late for hours.
        const read = Math.min(Date.parse(reading.at), at.getTime())
        if (read < (judged.get(bssid) ?? 0)) return []
        if (judged.size >= maxRemembered) judged.clear()
        judged.set(bssid, read)
        return judgeReading(held, reading, read)
      })
    },
    states: async reported => {
      await judge(reported, now(), (held, { state }) => judgeState(held, state))
      const replaced = await replacements(db, reported.filter(isState))
      if (replaced.length === 0) return
      await tellEvents(replaced)
      await judgeAgeing(oneOf(replaced.map(({ bssid }) => bssid)), now())
    },
    offline: (bssids, at) => judge(keyed(bssids), at, () => [{ ...deviceOffline, begins: true, values: {} }]),
    online: (bssids, at) => judge(keyed(bssids), at, () => [{ ...deviceOffline, begins: false }]),
    sweep: async at => {
      await sweepDevices(at)
      await prune(db, at)
    },
    happened: async (type, bssids, values = {}) => {
      // What happened has happened, whether it is told or not.
      try {
        for (let from = 0; from < bssids.length; from += sweepSlice) {
          const some = bssids.slice(from, from + sweepSlice)
          await tellEvents(some.map(bssid => ({ id: newId(), bssid, type, values })))
          await judgeAgeing(oneOf(some), now())
        }
      } catch (error) {
        log.error(`Nobody was told of ${type}`, error)
      }
    },
  }
}

const keyed = (bssids: readonly string[]) => bssids.map(bssid => ({ bssid }))
const oneOf =
  (bssids: readonly string[]): Which =>
  bssid =>
    sql`${bssid} = any(${sql.param(bssids)}::text[])`

interface Reported {
  readonly bssid: string
  readonly state: State | LastWill
}
const isState = (reported: Reported): reported is { readonly bssid: string; readonly state: State } =>
  !('offline' in reported.state)

async function prune(db: Database, at: Date): Promise<void> {
  const until = new Date(at.getTime() - keptDays * 86_400_000)
  await db.execute(sql`
    delete from ${notifications} where id in (
      select id from ${notifications} where created_at < ${until.toISOString()}::timestamptz
      order by created_at limit ${pruneSlice})`)
}
