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
import { changes, type Told } from './stateDiff.ts'
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

export interface DeviceParts {
  readonly line: Pick<FleetDevice, 'bssid' | 'secret'>
  readonly unit: Unit
  readonly commands: CommandLog
  readonly url: string
  readonly clock: Clock
  /** Milliseconds between two readings. */
  readonly interval: number
  /** Asks for `connect` to be called when it is this device's turn, `wait` milliseconds from now or later. */
  readonly queue: (wait: number) => void
  /** Hears of every connection that stands. */
  readonly joined: () => void
}

/** Milliseconds between two messages about what changed by itself. */
const tellEvery = 1000
/** Milliseconds that starting again takes at least and at most. */
const reboot = [1000, 3000] as const

export function openDevice({ line, unit, commands, url, clock, interval, queue, joined }: DeviceParts): Device {
  const temper = faultProfileOf(line.bssid)
  let connection: Connection | undefined
  let told: Told | undefined
  let toldAt = 0
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
  const tell = () => {
    if (!isConnected()) return
    const now: Told = { ...stateOf(unit), report_interval: Math.max(1, Math.round(interval / 1000)) }
    const different = told === undefined ? now : changes(told, now)
    if (different === undefined && unit.replaced.length === 0) return
    told = now
    toldAt = Date.now()
    const replaced_cartridges = unit.replaced.splice(0)
    outbox.tell({ at: new Date().toISOString(), ...different, replaced_cartridges })
  }

  const report = () => {
    const hasPower = unit.calm || !isUnplugged(unit.spec.seed, unit.at)
    if (hasPower) outbox.addReading(takeReading(unit, Date.now()))
    if (isAway()) connection?.cut()
    else if (connection === undefined && attempts === 0) queue(0)
  }

  /** Lives until now, tells of it, and sees to it that it goes on. */
  const wake = () => {
    clearTimeout(timer)
    if (stopped) return
    advance(unit, clock.now())
    const now = Date.now()
    if (now >= nextReport) {
      report()
      nextReport += Math.ceil((now - nextReport + 1) / interval) * interval
    }
    const quiet = toldAt + tellEvery - now
    if (quiet <= 0) tell()
    const event = quiet > 0 ? quiet : clock.until(nextEvent(unit))
    timer = setTimeout(wake, Math.max(1, Math.ceil(Math.min(nextReport - now, event))))
  }

  const answer = (ack: Ack) => {
    commands.answered(ack)
    advance(unit, clock.now())
    // Before the acknowledgement, so that what the server shows from then on is what the device has done.
    tell()
    outbox.answer(ack)
  }

  const take = (payload: Buffer) => {
    const command = read(payload)
    if (command === undefined) return
    const taken = commands.take(command, Date.now())
    if (taken === 'ignore') return
    if (taken !== 'do') {
      outbox.answer(taken)
      return
    }
    setTimeout(() => {
      if (stopped) return
      advance(unit, clock.now())
      const reason = temper.refusal ?? applyCommand(unit, command.command)
      answer(reason === undefined ? { id: command.id, ok: true } : { id: command.id, ok: false, reason })
      if (reason === undefined && command.command.type === 'reboot') restart()
      wake()
    }, temper.latency())
  }

  /** Leaves in good order and comes back. */
  const restart = () => {
    const [least, most] = unit.calm ? [0, 0] : reboot
    rebooting = true
    void connection?.leave().finally(() => {
      rebooting = false
      queue(least + Math.random() * (most - least))
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
      device: line,
      command: take,
      up: () => {
        attempts = 0
        told = undefined
        advance(unit, clock.now())
        tell()
        outbox.open()
        joined()
      },
      gone: () => {
        connection = undefined
        outbox.close()
        if (!stopped && !rebooting && !isAway()) queue(attempts === 0 ? 0 : backOff(attempts))
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
      await connection?.leave()
    },
  }
}

/** Milliseconds until the next attempt after so many that failed: up to a minute, and never all at the same time. */
const backOff = (attempts: number) => Math.min(60_000, 1000 * 2 ** attempts) * (0.5 + Math.random() / 2)

/** A command; nothing where it is none, or one that this firmware does not know. */
function read(payload: Buffer) {
  try {
    return z.parse(Command, JSON.parse(payload.toString()))
  } catch {
    return undefined
  }
}
