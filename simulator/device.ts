/** One virtual device: a unit of the model behind a connection of its own, as docs/device-protocol.md has it. */
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
import { openOutbox } from './outbox.ts'
import { stateDiff, type ReportedState } from './stateDiff.ts'
import { faultProfileOf } from './faultProfile.ts'

export interface Device {
  readonly unit: Unit
  readonly commands: CommandLog
  /** Whether the broker knows it. */
  readonly connected: boolean
  /** Begins to report, `first` milliseconds from now. */
  start(first: number): void
  /** Connects where it is not; done once, however it ends. */
  connect(): void
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
  /** Asks for `connect` to be called when it is this device's turn, `wait` milliseconds from now or later. */
  readonly queueConnect: (wait: number) => void
  /** Hears of every connection that stands. */
  readonly onConnected: () => void
}

/** Milliseconds between two messages about what changed by itself. */
const minStateInterval = 1000
/** Milliseconds that starting again takes at least and at most. */
const rebootTime = [1000, 3000] as const

export function openDevice({ identity, unit, commands, url, clock, interval, queueConnect, onConnected }: DeviceOptions): Device {
  const faultProfile = faultProfileOf(identity.bssid)
  let connection: Connection | undefined
  let reported: ReportedState | undefined
  let reportedAt = 0
  let stopped = false
  let rebooting = false
  /** Since a connection stood. */
  let attempts = 0
  let nextReport = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const isConnected = () => connection?.isUp === true
  const isAway = () => !unit.calm && (isUnplugged(unit.spec.seed, unit.at) || isCutOff(unit.spec.seed, unit.at))
  const outbox = openOutbox((last, message, done) => connection?.publish(last, message, done))

  /** Tells what is different, or all of it to a server that has not heard it on this connection. */
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

  const takeAndReport = () => {
    const hasPower = unit.calm || !isUnplugged(unit.spec.seed, unit.at)
    if (hasPower) outbox.addReading(takeReading(unit, Date.now()))
    if (isAway()) connection?.cut()
    else if (connection === undefined && attempts === 0) queueConnect(0)
  }

  /** Lives until now, tells of it, and sees to it that it goes on. */
  const wake = () => {
    clearTimeout(timer)
    if (stopped) return
    advance(unit, clock.now())
    const now = Date.now()
    if (now >= nextReport) {
      takeAndReport()
      nextReport += Math.ceil((now - nextReport + 1) / interval) * interval
    }
    const untilReport = reportedAt + minStateInterval - now
    if (untilReport <= 0) reportState()
    const event = untilReport > 0 ? untilReport : clock.until(nextEvent(unit))
    timer = setTimeout(wake, Math.max(1, Math.ceil(Math.min(nextReport - now, event))))
  }

  const acknowledge = (ack: Ack) => {
    commands.complete(ack)
    advance(unit, clock.now())
    // Before the acknowledgement, so that what the server shows from then on is what the device has done.
    reportState()
    outbox.acknowledge(ack)
  }

  const handleCommand = (payload: Buffer) => {
    const command = parseCommand(payload)
    if (command === undefined) return
    const decision = commands.decide(command, Date.now())
    if (decision === 'ignore') return
    if (decision !== 'do') {
      outbox.acknowledge(decision)
      return
    }
    setTimeout(() => {
      if (stopped) return
      advance(unit, clock.now())
      const reason = faultProfile.refusal ?? applyCommand(unit, command.command)
      acknowledge(reason === undefined ? { id: command.id, ok: true } : { id: command.id, ok: false, reason })
      if (reason === undefined && command.command.type === 'reboot') restart()
      wake()
    }, faultProfile.latency())
  }

  /** Leaves in good order and comes back. */
  const restart = () => {
    const [least, most] = unit.calm ? [0, 0] : rebootTime
    rebooting = true
    void connection?.disconnect().finally(() => {
      rebooting = false
      queueConnect(least + Math.random() * (most - least))
    })
  }

  const connect = () => {
    if (stopped || rebooting || connection !== undefined) return
    if (isAway()) {
      // The next report that finds it back asks again.
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
        advance(unit, clock.now())
        reportState()
        outbox.open()
        onConnected()
      },
      onClosed: () => {
        connection = undefined
        outbox.close()
        if (!stopped && !rebooting && !isAway()) queueConnect(attempts === 0 ? 0 : backOff(attempts))
      },
    })
  }

  return {
    unit,
    commands,
    get connected() {
      return isConnected()
    },
    start: first => {
      nextReport = Date.now() + first
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

/** Milliseconds until the next attempt after so many that failed: up to a minute, and never all at the same time. */
const backOff = (attempts: number) => Math.min(60_000, 1000 * 2 ** attempts) * (0.5 + Math.random() / 2)

/** A command; nothing where it is none, or one that this firmware does not know. */
function parseCommand(payload: Buffer) {
  try {
    return z.parse(Command, JSON.parse(payload.toString()))
  } catch {
    return undefined
  }
}
