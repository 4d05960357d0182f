/**
 * A bounded queue for one kind of work: so much runs at a time, so much may wait, and callers take turns, so that one
 * who sends a thousand requests does not keep the next one waiting.
 */
import { HttpError } from './errors.ts'

export interface WorkQueueLimits {
  /** Maximum work that runs at a time, in all and of one caller. */
  readonly running: number
  readonly runningPerCaller: number
  /** Maximum requests that wait, in all and of one caller. */
  readonly waiting: number
  readonly waitingPerCaller: number
  /** Milliseconds after which a waiting request is refused. */
  readonly maxWait: number
}

/** A permission to run; `release` may be called several times. */
export interface Slot {
  release(): void
}

export interface WorkQueue {
  /**
   * Waits for the caller's turn. If `signal` is aborted meanwhile, the request leaves the queue, and the promise rejects
   * with the signal's reason. A full queue makes room for a caller with little waiting work by refusing the newest
   * waiting request of the caller with most.
   * @throws HttpError 429 if too much of the caller's own work waits, 503 if too much of all callers' does, or if the turn
   * does not come in time; both with `retry-after`.
   */
  enter(caller: string, signal?: AbortSignal): Promise<Slot>
  /** How much runs, and how much waits. */
  readonly running: number
  readonly waiting: number
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: HttpError) => void
}
interface Caller {
  running: number
  readonly waiting: Set<Waiting>
}

export function openWorkQueue(limits: WorkQueueLimits): WorkQueue {
  /** Those with running or waiting work, in the order of their turns. */
  const callers = new Map<string, Caller>()
  let running = 0
  let waiting = 0

  const callerOf = (name: string): Caller => {
    const known = callers.get(name) ?? { running: 0, waiting: new Set() }
    callers.set(name, known)
    return known
  }
  const forgetIfIdle = (name: string, { running, waiting }: Caller) => {
    if (running + waiting.size === 0) callers.delete(name)
  }
  const occupy = (name: string, caller: Caller): Slot => {
    running++
    caller.running++
    let isReleased = false
    return {
      release: () => {
        if (isReleased) return
        isReleased = true
        running--
        caller.running--
        forgetIfIdle(name, caller)
        startNext()
      },
    }
  }
  const startNext = () => {
    if (running >= limits.running || waiting === 0) return
    for (const [name, caller] of callers) {
      const [next] = caller.waiting
      if (next === undefined || caller.running >= limits.runningPerCaller) continue
      // The others come first next time.
      callers.delete(name)
      callers.set(name, caller)
      next.start()
      return
    }
  }
  /** Makes room in a full queue by refusing the newest request of the caller with most. Throws if the caller may not wait. */
  const evictFromBusiest = (caller: Caller) => {
    if (caller.waiting.size >= limits.waitingPerCaller)
      throw new HttpError(429, 'Too many of your calls are waiting, please try again later', retryAfter)
    if (waiting < limits.waiting) return
    const busiest = [...callers.values()].reduce((most, other) =>
      other.waiting.size > most.waiting.size ? other : most,
    )
    // With one request less, the busiest caller still has as many as this one gets.
    if (busiest.waiting.size < caller.waiting.size + 2) throw busy()
    ;[...busiest.waiting].at(-1)!.refuse(busy())
  }
  const busy = () => new HttpError(503, 'The server is busy, please try again later', retryAfter)
  const retryAfter = { 'retry-after': String(Math.max(1, Math.ceil(limits.maxWait / 2000))) }

  return {
    enter: async (name, signal) => {
      signal?.throwIfAborted()
      const caller = callerOf(name)
      if (running < limits.running && caller.running < limits.runningPerCaller) return occupy(name, caller)
      try {
        evictFromBusiest(caller)
      } catch (error) {
        forgetIfIdle(name, caller)
        throw error
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          caller.waiting.delete(entry)
          waiting--
        }
        const fail = (error: unknown) => {
          leave()
          forgetIfIdle(name, caller)
          // The signal's reason is what its owner threw.
          reject(error as Error)
        }
        const entry: Waiting = {
          start: () => {
            leave()
            resolve(occupy(name, caller))
          },
          refuse: fail,
        }
        const giveUp = () => fail(signal?.reason)
        const timer = setTimeout(() => fail(busy()), limits.maxWait)
        signal?.addEventListener('abort', giveUp)
        caller.waiting.add(entry)
        waiting++
      })
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
