/** A virtual device: a unit of the model with its own connection, which follows docs/device-protocol.md. */
import * as z from 'zod/mini'
import { Command, type Ack } from '../server/protocol/messages.ts'
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import { isCutOff, isUnplugged } from './model/absence.ts'
import { advance, nextEvent } from './model/advance.ts'
import { applyCommand } from './model/commands.ts'
import { stateOf, takeReading } from './model/reading.ts'
import type { Unit } from './model/unit.ts'
import type { Clock } from './clock.ts'
import type { CommandLog } from './commandLog.ts'
import { openConnection, type Connection } from './connection.ts'
import type { CommandEvent, RecordEvent } from './deviceLog.ts'
import { openOutbox } from './outbox.ts'
import { stateDiff, type ReportedState } from './stateDiff.ts'
import { faultProfileOf } from './faultProfile.ts'
import { sleepOf, type Sleep } from './sleep.ts'

export interface Device {
  readonly unit: Unit
  readonly commands: CommandLog
  /** Whether the device has a connection to the broker. */
  readonly connected: boolean
  /** Starts reporting; the first reading follows after `delay` milliseconds. */
  start(delay: number): void
  /** Connects unless the device is connected, stopped, or without power or network. */
  connect(): void
  /** Stops reporting and disconnects cleanly. */
  stop(): Promise<void>
}

export interface DeviceOptions {
  readonly identity: Pick<FleetDevice, 'bssid' | 'secret'>
  readonly unit: Unit
  readonly commands: CommandLog
  readonly url: string
  readonly clock: Clock
  /** Milliseconds between two readings. */
  readonly interval: number
  /** Maximum milliseconds between two attempts to connect. */
  readonly maxBackOff: number
  readonly sleep: Sleep | undefined
  /** Called with what the device does. */
  readonly record: RecordEvent
  /** Schedules a call of `connect` after at least `delay` milliseconds. */
  readonly queueConnect: (delay: number) => void
  /** Called whenever a connection is up. */
  readonly onConnected: () => void
}

/** Minimum milliseconds between two state messages, except those that a command causes. */
const minStateInterval = 1000
/** Minimum and maximum milliseconds that a restart takes. */
const rebootTime = [1000, 3000] as const

export function openDevice({
  identity,
  unit,
  commands,
  url,
  clock,
  interval,
  maxBackOff,
  sleep,
  record,
  queueConnect,
  onConnected,
}: DeviceOptions): Device {
  const { bssid } = identity
  const faultProfile = faultProfileOf(bssid)
  const sleepAt = sleep && sleepOf(bssid, sleep)
  let connection: Connection | undefined
  let reported: ReportedState | undefined
  let reportedAt = 0
  let stopped = false
  let rebooting = false
  let asleep = false
  /** The command of the running firmware update. */
  let update: Command | undefined
  /** Connection attempts since the last successful one. */
  let attempts = 0
  let nextReport = Number.POSITIVE_INFINITY
  let lastReadingAt = 0
  let timer: NodeJS.Timeout | undefined

  const isConnected = () => connection?.isUp === true
  const isAway = () =>
    asleep || (!unit.commandsOnly && (isUnplugged(unit.spec.seed, unit.at) || isCutOff(unit.spec.seed, unit.at)))
  const outbox = openOutbox((kind, message, done) => connection?.publish(kind, message, done))

  const recordCommand = ({ id, command }: Command, did: CommandEvent['did'], reason?: string) =>
    record({ at: new Date().toISOString(), bssid, id, command, did, ...(reason !== undefined && { reason }) })

  const hasPower = () => unit.commandsOnly || !isUnplugged(unit.spec.seed, unit.at)

  /** Takes one more reading while the last water of a draw flows, if a draw ends by now. */
  const takeLastOfDraw = () => {
    const { endsAt } = unit.water
    if (unit.water.phase !== 'drawing' || endsAt > clock.now()) return
    advance(unit, endsAt - 1)
    // No two readings have the same time, and the regular reading may be due now.
    if (unit.water.phase === 'drawing' && hasPower()) takeReadingAt(Date.now() - 1)
  }
  const takeReadingAt = (at: number) => {
    if (at <= lastReadingAt) return
    lastReadingAt = at
    outbox.addReading(takeReading(unit, at))
  }

  const advanceUnit = () => {
    takeLastOfDraw()
    advance(unit, clock.now())
    if (update === undefined || unit.updating !== undefined) return
    recordCommand(update, unit.flashMemory.failedUpdate === null ? 'installed' : 'failed')
    update = undefined
  }

  /** Sends the changed properties of the state; first after connecting, the whole state. */
  const reportState = () => {
    if (!isConnected()) return
    const now: ReportedState = { ...stateOf(unit), report_interval: Math.max(1, Math.round(interval / 1000)) }
    const diff = reported === undefined ? now : stateDiff(reported, now)
    if (diff === undefined && unit.replaced.length === 0) return
    reported = now
    reportedAt = Date.now()
    const replaced_cartridges = unit.replaced.splice(0)
    outbox.reportState({ at: new Date().toISOString(), ...diff, replaced_cartridges })
  }

  /** Takes a reading and sends or buffers it, and connects or disconnects after an outage began or ended. */
  const takeAndReport = () => {
    if (hasPower()) takeReadingAt(Date.now())
    if (isAway()) connection?.cut()
    else if (connection === undefined && attempts === 0) queueConnect(0)
  }

  /** Disconnects when the device falls asleep, and connects when it wakes up. Returns when that is next. */
  const followSleep = (now: number): number => {
    if (sleepAt === undefined) return Number.POSITIVE_INFINITY
    const phase = sleepAt(now)
    if (phase.asleep !== asleep) {
      asleep = phase.asleep
      if (asleep) fallAsleep()
      else queueConnect(0)
    }
    return phase.until
  }
  const fallAsleep = () => {
    if (!isConnected()) return connection?.cut()
    record({ at: new Date().toISOString(), bssid, did: 'slept' })
    void connection?.leave()
  }

  /** Advances the unit to the current time, sends what is due, and schedules the next call. */
  const wake = () => {
    clearTimeout(timer)
    if (stopped) return
    advanceUnit()
    const now = Date.now()
    const nextSleep = followSleep(now)
    if (now >= nextReport) {
      takeAndReport()
      nextReport += Math.ceil((now - nextReport + 1) / interval) * interval
    }
    const untilReport = reportedAt + minStateInterval - now
    if (untilReport <= 0) reportState()
    const event = untilReport > 0 ? untilReport : clock.realTimeUntil(nextEvent(unit))
    timer = setTimeout(wake, Math.max(1, Math.ceil(Math.min(nextReport - now, nextSleep - now, event))))
  }

  const acknowledge = (ack: Ack) => {
    commands.complete(ack)
    advanceUnit()
    // Sent before the acknowledgement, so that the server shows the new state as soon as the command is done.
    reportState()
    outbox.acknowledge(ack)
  }

  const handleCommand = (payload: Buffer) => {
    const command = parseCommand(payload)
    if (command === undefined) return
    const decision = commands.decide(command, Date.now())
    if (decision !== 'execute') {
      recordCommand(command, decision === 'expired' ? 'expired' : 'repeated')
      if (typeof decision === 'object') outbox.acknowledge(decision)
      return
    }
    setTimeout(() => {
      if (stopped) return
      advanceUnit()
      const reason = faultProfile.refusal ?? applyCommand(unit, command.command)
      recordCommand(command, reason === undefined ? 'executed' : 'refused', reason)
      if (reason === undefined && command.command.type === 'update_firmware') update = command
      acknowledge(reason === undefined ? { id: command.id, ok: true } : { id: command.id, ok: false, reason })
      if (reason === undefined && command.command.type === 'reboot') restart()
      wake()
    }, faultProfile.latency())
  }

  /** Disconnects cleanly and reconnects. */
  const restart = () => {
    const [min, max] = unit.commandsOnly ? [0, 0] : rebootTime
    rebooting = true
    void connection?.disconnect().finally(() => {
      rebooting = false
      queueConnect(min + Math.random() * (max - min))
    })
  }

  const connect = () => {
    if (stopped || rebooting || connection !== undefined) return
    if (isAway()) {
      // The next reading after the outage schedules a new attempt.
      attempts = 0
      return
    }
    attempts++
    connection = openConnection({
      url,
      device: identity,
      onCommand: handleCommand,
      onUp: () => {
        attempts = 0
        reported = undefined
        record({ at: new Date().toISOString(), bssid, did: 'connected' })
        advanceUnit()
        reportState()
        outbox.open()
        onConnected()
      },
      onClosed: () => {
        connection = undefined
        outbox.close()
        if (!stopped && !rebooting && !isAway()) queueConnect(attempts === 0 ? 0 : backOff(attempts, maxBackOff))
      },
    })
  }

  return {
    unit,
    commands,
    get connected() {
      return isConnected()
    },
    start: delay => {
      nextReport = Date.now() + delay
      wake()
    },
    connect,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await connection?.disconnect()
    },
  }
}

/** Returns the milliseconds until the next attempt: exponential back-off with jitter. */
const backOff = (attempts: number, max: number) => Math.min(max, 1000 * 2 ** attempts) * (0.5 + Math.random() / 2)

/** Returns the command in a payload, or `undefined` if it is invalid or unknown to this firmware. */
function parseCommand(payload: Buffer) {
  try {
    return z.parse(Command, JSON.parse(payload.toString()))
  } catch {
    return undefined
  }
}
