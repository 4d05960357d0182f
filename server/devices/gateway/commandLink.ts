/** The command link over MQTT: a command is stored, sent, and ended by its acknowledgement or by a timeout. */
import type { Database, Serving } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import type { Bus, EndedCommand } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import { acknowledgementTimeout, type Acknowledgement, type Link } from '../link.ts'
import type { Ack, Command } from '../../protocol/messages.ts'
import { batched } from '../../core/batches.ts'
import { throttledLog } from './throttledLog.ts'
import {
  answerKey,
  endCommands,
  findResult,
  expireCommands,
  insertCommands,
  pruneCommands,
  type CommandResult,
  type SentCommand,
} from './commandStore.ts'
import { msPerHour } from '../../../src/domain/time.ts'

/** Milliseconds between two sweeps for expired commands of stopped servers. */
const sweepInterval = 5000
/** Milliseconds by which the clocks of servers may differ. */
const clockTolerance = 5000
const pruneInterval = msPerHour

export interface CommandLink extends Link {
  /** Ends a command by its acknowledgement, from any process. Rejects if the result could not be stored. */
  acknowledge(bssid: string, ack: Ack): Promise<void>
}

interface CommandLinkOptions {
  /** For the answers of devices, and for upkeep. */
  readonly db: Database
  /** For commands, whose senders wait: a call is answered soon, whatever the database does. */
  readonly serving: Pick<Serving, 'db'>
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  /** Sends a stored command to its device; rejects if that fails. */
  readonly send: (bssid: string, command: Command) => Promise<void>
  /** Milliseconds in which a device must acknowledge; overridden in tests. */
  readonly timeout?: number
}

export function openCommandLink(options: CommandLinkOptions): CommandLink {
  const { db, serving, bus, log, now, send, timeout = acknowledgementTimeout } = options
  const noAnswerReason = `Device did not answer within ${timeout / 1000} seconds`
  /** Resolvers of commands that this process has sent, by command id. */
  const pending = new Map<string, (acknowledgement: Acknowledgement) => void>()
  const logThrottled = throttledLog(log)
  let stopping = false

  const resolvePending = ({ id, reason, isUnanswered }: EndedCommand) => {
    pending.get(id)?.(reason === null ? { ok: true } : { ok: false, reason, ...(isUnanswered && { isUnanswered }) })
    pending.delete(id)
  }
  /** Ends a command that the device has not answered, or has not received. */
  const resolveUnanswered = (id: string, reason: string) => resolvePending({ id, reason, isUnanswered: true })
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'commands') event.ended.forEach(resolvePending)
  })
  const publishEnded = (results: readonly CommandResult[]) => {
    if (results.length > 0) bus.publish({ kind: 'commands', ended: results.map(endedOf) })
  }

  const insert = batched(async (commands: readonly SentCommand[]) => {
    const stored = await insertCommands(serving.db, commands)
    return commands.map(({ id }) => stored.has(id))
  })
  const endOn = (on: Database) =>
    batched(async (results: readonly CommandResult[]) => {
      // Only the first result of a command counts.
      const first = new Map(results.toReversed().map(result => [answerKey(result), result]))
      const ended = await endCommands(on, [...first.values()], now())
      const isEffective = (result: CommandResult) =>
        ended.has(answerKey(result)) && first.get(answerKey(result)) === result
      publishEnded(results.filter(isEffective))
      return results.map(isEffective)
    })
  const endAnswered = endOn(db)
  const endForSender = endOn(serving.db)
  /** Ends a command without an acknowledgement, unless another process has just stored one. */
  const endUnanswered = async (id: string, bssid: string, reason: string) => {
    if (!pending.has(id)) return
    try {
      const isEnded = await endForSender({ id, bssid, state: 'unanswered', reason })
      const result = isEnded ? undefined : await findResult(serving.db, id)
      if (result === undefined) resolveUnanswered(id, reason)
      else resolvePending(endedOf(result))
    } catch (error) {
      logThrottled('Could not store the results of commands', error)
      resolveUnanswered(id, reason)
    }
  }

  let lastPrune = -Infinity
  const sweep = async () => {
    try {
      const expiredBefore = new Date(now().getTime() - clockTolerance)
      const expired = await expireCommands(db, expiredBefore, noAnswerReason, now())
      publishEnded(expired)
      if (performance.now() - lastPrune < pruneInterval) return
      lastPrune = performance.now()
      await pruneCommands(db, now())
    } catch (error) {
      logThrottled('Could not end expired commands', error)
    }
  }
  let sweeping = sweep()
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, sweepInterval)

  return {
    send: async (bssid, command, id = newId()) => {
      if (stopping) return { ok: false, reason: stoppingReason, isUnanswered: true }
      const created_at = now()
      const expires_at = new Date(created_at.getTime() + timeout)
      const acknowledged = new Promise<Acknowledgement>(resolve => pending.set(id, resolve))
      const deadline = setTimeout(() => void endUnanswered(id, bssid, noAnswerReason), timeout)
      try {
        if (!(await insert({ id, bssid, command, created_at, expires_at }))) {
          const result = await findResult(serving.db, id)
          if (result === undefined) resolveUnanswered(id, 'Device not found')
          else resolvePending(endedOf(result))
        } else if (pending.has(id)) {
          const message: Command = { id, expires_at: expires_at.toISOString(), command }
          send(bssid, message).catch((error: unknown) => {
            void endUnanswered(id, bssid, error instanceof Error ? error.message : String(error))
          })
        }
      } catch (error) {
        logThrottled('Could not store commands', error)
        resolveUnanswered(id, 'The command could not be stored')
      }
      return acknowledged.finally(() => clearTimeout(deadline))
    },
    acknowledge: async (bssid, { id, ok, reason }) => {
      // No effect for a command that is unknown, has ended, or belongs to another device.
      await endAnswered({
        id,
        bssid,
        ...(ok ? doneResult : { state: 'refused', reason: reason ?? 'Refused by the device' }),
      })
    },
    close: async () => {
      stopping = true
      unsubscribe()
      for (const id of pending.keys()) resolveUnanswered(id, stoppingReason)
      clearInterval(timer)
      await sweeping
    },
  }
}

/** Returns what the bus says of the end of a command. */
const endedOf = ({ id, reason, state }: CommandResult): EndedCommand => ({
  id,
  reason,
  isUnanswered: state === 'unanswered',
})

const stoppingReason = 'The server is stopping'
const doneResult = { state: 'done', reason: null } as const
