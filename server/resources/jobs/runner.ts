/** Carries jobs out: claims tasks that are due, does them, and stores what came of them. */
import { setTimeout as wait } from 'node:timers/promises'
import { publishEntry } from '../../bus/publishChanges.ts'
import { batched } from '../../core/batches.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import { roomInterval } from '../../db/room.ts'
import type { DatabaseState } from '../../db/state.ts'
import { withRetry } from '../../db/retry.ts'
import type { Changes } from '../../devices/changes.ts'
import type { Acknowledgement, Link } from '../../devices/link.ts'
import { findTargets, unfitReason, unreachableReason, type DeviceOperation, type Target } from '../devices/bulk.ts'
import { operationOf } from '../devices/operations.ts'
import type { Effects } from '../devices/records.ts'
import { advanceJobs } from './lifecycle.ts'
import { openJobPublisher } from './publishJobs.ts'
import { batchesOf, runRecordTasks, changesRecords } from './recordTasks.ts'
import { answered, sending } from './moves.ts'
import { withinRate } from './rate.ts'
import { decide, type TaskTarget } from './rules.ts'
import { followUpdates } from './updates.ts'
import {
  claimTasks,
  expireTasks,
  moveTasks,
  nextDueAt,
  releaseTasks,
  replaceEarlier,
  unsent,
  wakeTasks,
  type ClaimedTask,
  type Move,
} from './taskStore.ts'

/** Maximum commands of a server that are not acknowledged yet, and tasks of a claim. */
const maxInFlight = 500
const claimSize = 250
/** Milliseconds until the next look for due tasks if no event comes, and if tasks may wait for others of their devices. */
const idleInterval = 10_000
const blockedInterval = 1000
/** Milliseconds between two looks at all devices that tasks wait for. */
const lookInterval = 60_000
/** Milliseconds after a failure. */
const failureDelay = 5000

export interface JobRunner {
  /** Stops claiming tasks. Other servers can claim those that it has sent at once. */
  close(): Promise<void>
}

interface RunnerOptions extends Effects {
  readonly db: Database
  readonly database: DatabaseState
  readonly link: Link
  readonly changes: Changes
  readonly log: Log
  readonly now: () => Date
}

type SentTask = ClaimedTask & { readonly operation: DeviceOperation }

/** Starts to carry out jobs, beside the other servers on the database. */
export function openJobRunner({ db, database, link, changes, bus, alarms, log, now }: RunnerOptions): JobRunner {
  const stop = new AbortController()
  /** The tasks that this server has sent, by the id of their command. */
  const inFlight = new Map<string, SentTask>()
  /** Whether devices may have tasks that wait for them, or updates whose success is awaited. */
  let isAwaitingDevices = false
  let isFollowing = false
  let wake = () => {}
  const woken = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    return promise
  }

  const publisher = openJobPublisher(bus)
  const { changed } = publisher

  const move = batched(async (moves: readonly Move[]) => {
    await withRetry(() => moveTasks(db, moves, now()))
    wake()
    return moves.map(() => undefined)
  })

  const finish = async (task: SentTask, acknowledgement: Acknowledgement) => {
    const { bssid, operation } = task
    if (acknowledgement.ok && operation.change) await changes.store(bssid, operation.change)
    const next = answered(task, acknowledgement, now())
    if (next.isAcknowledged) isFollowing = true
    await move(next)
  }

  const run = async (task: SentTask) => {
    inFlight.set(task.command_id, task)
    try {
      const acknowledgement = await link.send(task.bssid, task.operation.command, task.command_id)
      // The next server finds out what came of it.
      if (!stop.signal.aborted) await finish(task, acknowledgement)
      changed(task.vendor_id)
    } catch (error) {
      // Its lease ends, and it is sent again under the same id.
      log.error('Could not store the result of a task', error)
    } finally {
      inFlight.delete(task.command_id)
      wake()
    }
  }

  /** Carries out claimed tasks that change records. */
  const change = async (claimed: readonly ClaimedTask[]) => {
    for (const batch of batchesOf(claimed)) {
      changed(batch[0]!.vendor_id)
      try {
        await runRecordTasks(batch, { db, bus, alarms }, now)
      } catch (error) {
        // Its lease ends, and it is claimed again. The other tasks must not wait for it.
        log.error('Could not carry out tasks that change records', error)
      }
    }
    wake()
  }

  /** Stores what becomes of claimed tasks by the rules, and sends commands that are due. */
  const start = async (claimed: readonly ClaimedTask[]) => {
    const moves: Move[] = []
    const sent: SentTask[] = []
    /** Tasks that are sent, or wait for their device. */
    const remaining: ClaimedTask[] = []
    // One of this server's own tasks whose result could not be stored in time is still being sent.
    const others = claimed.filter(({ command_id }) => !inFlight.has(command_id))
    const operations = new Map<string, Promise<DeviceOperation>>()
    const operationFor = ({ command, input }: ClaimedTask) => {
      const key = JSON.stringify([command, input])
      const operation = operations.get(key) ?? operationOf(command, input, db)
      operations.set(key, operation)
      return operation
    }
    for (const [vendor, tasks] of Map.groupBy(others, task => task.vendor_id)) {
      changed(vendor)
      const targets = await targetsOf(db, vendor, tasks)
      for (const task of tasks) {
        const target = targets.get(task.bssid)
        const operation = await operationFor(task)
        const decision = decide({ ...task, target: target && ruledTarget(target, operation) }, now().getTime())
        moves.push(
          decision
            ? { ...unsent(task), ...decision }
            : sending(task, target && operation.previousValues?.(target), now()),
        )
        if (decision === undefined) sent.push({ ...task, operation })
        if (decision === undefined || decision.state === 'waiting') remaining.push(task)
      }
    }
    const waiting = moves.filter(({ state }) => state === 'waiting').map(({ bssid }) => bssid)
    if (waiting.length > 0) isAwaitingDevices = true
    // Before anything is sent: what a command replaces is known only until the device has executed it.
    await withRetry(() => moveTasks(db, moves, now()))
    await withRetry(() => replaceEarlier(db, remaining, now()))
    for (const task of sent) void run(task)
    // A device may have come back before its task was waiting.
    if (waiting.length > 0) await wakeDevices(waiting)
  }

  /** Looks at updates whose success is awaited: those of these devices, or those that are due. Returns whether any has ended. */
  const follow = async (bssids: readonly string[] | undefined): Promise<boolean> => {
    const ended = await withRetry(() => followUpdates(db, bssids, now()))
    for (const vendor of ended) changed(vendor)
    return ended.length > 0
  }

  let lastLook = performance.now()
  /** Wakes the waiting tasks whose devices came back without any server noticing, such as while one was killed. */
  const wakeMissed = async (at: Date) => {
    if (performance.now() - lastLook < lookInterval) return
    lastLook = performance.now()
    await withRetry(() => wakeTasks(db, undefined, at))
  }

  const step = async (): Promise<number> => {
    // Nothing is sent whose result cannot be stored.
    if (database.isFull) return roomInterval
    const at = now()
    const { changed: advanced, isWaiting, next, ...active } = await advanceJobs(db, at)
    for (const { vendor_id } of advanced) changed(vendor_id)
    isAwaitingDevices = isWaiting
    isFollowing = active.isFollowing
    if (active.hasEnded) publishEntry(bus)
    if (isFollowing) await follow(undefined)
    if (isAwaitingDevices) {
      await expireTasks(db, at)
      await wakeMissed(at)
    }
    const free = Math.min(claimSize, maxInFlight - inFlight.size)
    const claimed = free > 0 ? await withRetry(() => claimTasks(db, at, free)) : []
    if (claimed.length > 0) {
      const ready = await withRetry(() => withinRate(db, claimed, at))
      const records = ready.filter(changesRecords)
      await start(ready.filter(task => !changesRecords(task)))
      await change(records)
      return 0
    }
    const due = await nextDueAt(db, at)
    const times = [next, due].flatMap(time => (time === undefined ? [] : [time.getTime() - at.getTime()]))
    return Math.max(0, Math.min(inFlight.size > 0 ? blockedInterval : idleInterval, ...times))
  }

  const loop = async () => {
    let isFailing = false
    while (!stop.signal.aborted) {
      let pause = failureDelay
      const event = woken()
      try {
        pause = await step()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.error('Could not carry out jobs', error)
        isFailing = true
      }
      const timer = new AbortController()
      const ended = wait(pause, undefined, { signal: AbortSignal.any([stop.signal, timer.signal]) })
      await Promise.race([isFailing ? ended : event, ended.catch(() => undefined)]).catch(() => undefined)
      timer.abort()
    }
  }

  const unsubscribe = bus.subscribe(event => {
    switch (event.kind) {
      case 'resources':
        if (event.names.includes('jobs')) wake()
        break
      case 'vendorResources':
        if (event.changes.some(({ resource }) => resource === 'jobs')) wake()
        break
      case 'devices':
        if (isAwaitingDevices) void wakeDevices(event.bssids)
        if (isFollowing) void followDevices(event.bssids)
        break
      case 'missed':
        wake()
    }
  })
  const wakeDevices = async (bssids: readonly string[]) => {
    try {
      if (await withRetry(() => wakeTasks(db, bssids, now()))) wake()
    } catch (error) {
      log.error('Could not wake the tasks of devices that are back', error)
    }
  }
  const followDevices = async (bssids: readonly string[]) => {
    try {
      if (await follow(bssids)) wake()
    } catch (error) {
      log.error('Could not follow updates of firmware', error)
    }
  }
  const looping = loop()

  return {
    close: async () => {
      stop.abort()
      unsubscribe()
      await looping
      publisher.close()
      // Without it, the next server waits for their leases.
      await releaseTasks(db, [...inFlight.keys()], now()).catch((error: unknown) =>
        log.error('Could not leave tasks to the next server', error),
      )
    },
  }
}

/** Returns what the rules know of a device to which an operation is sent. */
const ruledTarget = (target: Target, operation: DeviceOperation): TaskTarget => ({
  zone: target.zone,
  unfit: unfitReason(target, operation),
  unreachable: unreachableReason(target),
})

/** Returns the devices of tasks that a job of this vendor, or of an administrator, may reach. */
async function targetsOf(
  db: Database,
  vendor: string | null,
  tasks: readonly ClaimedTask[],
): Promise<ReadonlyMap<string, Target>> {
  const bssids = tasks.map(({ bssid }) => bssid)
  const targets = await findTargets(db, { vendor }, bssids)
  return new Map(targets.map(target => [target.bssid, target]))
}
