/** The link to devices over the wire: a command is stored, sent, and ended by its acknowledgement or by its time. */
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import { acknowledgementTimeout, type Acknowledgement, type Link } from '../link.ts'
import type { Ack, Command } from '../../protocol/messages.ts'
import { topicOf } from '../../protocol/topics.ts'
import { inBatches } from '../../core/batches.ts'
import { throttledLog } from './throttledLog.ts'
import {
  endCommands,
  endingOf,
  expireCommands,
  insertCommands,
  pruneCommands,
  type Ending,
  type SentCommand,
} from './commandStore.ts'

/** Milliseconds between two looks for commands whose server was stopped. */
const sweepEvery = 5000
/** Milliseconds after which a command is surely not waited for any more, as clocks differ. */
const grace = 5000
const pruneEvery = 3_600_000

export interface CommandLink extends Link {
  /** A device's answer to a command, given in whichever process. Rejects where it could not be stored. */
  acknowledge(bssid: string, ack: Ack): Promise<void>
}

interface Parts {
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  /** Sends to a topic; rejects where it cannot. */
  readonly send: (topic: string, payload: string) => Promise<void>
  /** Milliseconds in which a device must answer; shorter only in tests. */
  readonly timeout?: number
}

export function openCommandLink(parts: Parts): CommandLink {
  const { db, bus, log, now, send, timeout = acknowledgementTimeout } = parts
  const silent = `Device did not answer within ${timeout / 1000} seconds`
  /** Of commands that were sent here: who waits for them. */
  const waiting = new Map<string, (answer: Acknowledgement) => void>()
  const complain = throttledLog(log)
  let stopping = false

  const answer = (id: string, reason: string | null) => {
    waiting.get(id)?.(reason === null ? { ok: true } : { ok: false, reason })
    waiting.delete(id)
  }
  const stopHearing = bus.subscribe(told => {
    if (told.kind === 'commands') for (const { id, reason } of told.ended) answer(id, reason)
  })
  const tell = (ended: readonly { readonly id: string; readonly reason: string | null }[]) => {
    if (ended.length > 0) bus.publish({ kind: 'commands', ended: ended.map(({ id, reason }) => ({ id, reason })) })
  }

  const insert = inBatches(async (commands: readonly SentCommand[]) => {
    const stored = await insertCommands(db, commands)
    return commands.map(({ id }) => stored.has(id))
  })
  const end = inBatches(async (endings: readonly Ending[]) => {
    // Of several for one command the first counts.
    const first = new Map(endings.toReversed().map(ending => [ending.id, ending]))
    const ended = await endCommands(db, [...first.values()], now())
    const counts = (ending: Ending) => ended.has(ending.id) && first.get(ending.id) === ending
    tell(endings.filter(counts))
    return endings.map(counts)
  })
  /** Nobody answered: so it ends, unless an answer has just come by another process. */
  const giveUp = async (id: string, bssid: string, reason: string) => {
    if (!waiting.has(id)) return
    try {
      const ended = await end({ id, bssid, state: 'unanswered', reason })
      const ending = ended ? undefined : await endingOf(db, id)
      answer(id, ending === undefined ? reason : ending.reason)
    } catch (error) {
      complain('The end of commands cannot be stored', error)
      answer(id, reason)
    }
  }

  let pruned = -Infinity
  const sweep = async () => {
    try {
      const expired = new Date(now().getTime() - grace)
      const ended = await expireCommands(db, expired, silent, now())
      tell(ended.map(({ id }) => ({ id, reason: silent })))
      if (performance.now() - pruned < pruneEvery) return
      pruned = performance.now()
      await pruneCommands(db, now())
    } catch (error) {
      complain('Commands that nobody waits for cannot be ended', error)
    }
  }
  let sweeping = sweep()
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, sweepEvery)

  return {
    send: async (bssid, command) => {
      if (stopping) return { ok: false, reason: stoppingReason }
      const id = newId()
      const created_at = now()
      const expires_at = new Date(created_at.getTime() + timeout)
      const answered = new Promise<Acknowledgement>(resolve => waiting.set(id, resolve))
      const deadline = setTimeout(() => void giveUp(id, bssid, silent), timeout)
      try {
        if (!(await insert({ id, bssid, command, created_at, expires_at }))) answer(id, 'Device not found')
        else if (waiting.has(id)) {
          const message: Command = { id, expires_at: expires_at.toISOString(), command }
          send(topicOf(bssid, 'command'), JSON.stringify(message)).catch((error: unknown) => {
            void giveUp(id, bssid, error instanceof Error ? error.message : String(error))
          })
        }
      } catch (error) {
        complain('Commands cannot be stored', error)
        answer(id, 'The command could not be stored')
      }
      return answered.finally(() => clearTimeout(deadline))
    },
    acknowledge: async (bssid, { id, ok, reason }) => {
      // One that is unknown, another device's or over changes nothing.
      await end({ id, bssid, ...(ok ? done : { state: 'refused', reason: reason ?? 'Refused by the device' }) })
    },
    close: async () => {
      stopping = true
      stopHearing()
      for (const id of waiting.keys()) answer(id, stoppingReason)
      clearInterval(timer)
      await sweeping
    },
  }
}

const stoppingReason = 'The server is stopping'
const done = { state: 'done', reason: null } as const
