/** One virtual device: a unit of the model behind a connection of its own, as docs/device-protocol.md has it. */
import { connect as open, type MqttClient } from 'mqtt'
import * as z from 'zod/mini'
import { Command, type Ack } from '../server/devices/protocol/messages.ts'
import type { FleetDevice } from '../server/devices/protocol/fleetFile.ts'
import { topicOf, wireName } from '../server/devices/protocol/topics.ts'
import { isCutOff, isUnplugged } from './model/absence.ts'
import { advance, nextEvent } from './model/advance.ts'
import { obey } from './model/commands.ts'
import { stateOf, takeReading } from './model/reading.ts'
import type { Unit } from './model/unit.ts'
import type { Clock } from './clock.ts'
import type { CommandLog } from './commandLog.ts'
import { openKeptReadings } from './keptReadings.ts'
import { changes, type Told } from './telling.ts'
import { temperOf } from './temper.ts'

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
/** Seconds between signs of life; readings count as such. */
const keepalive = 120
/** Milliseconds that starting again takes at least and at most. */
const reboot = [1000, 3000] as const

export function openDevice({ line, unit, commands, url, clock, interval, queue, joined }: DeviceParts): Device {
  const { bssid } = line
  const temper = temperOf(bssid)
  const kept = openKeptReadings()
  let client: MqttClient | undefined
  let told: Told | undefined
  let toldAt = 0
  let sending = false
  let stopped = false
  let rebooting = false
  /** Since a connection stood. */
  let attempts = 0
  let connecting = false
  let nextReport = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const isConnected = () => client?.connected === true
  const isAway = () => !unit.calm && (isUnplugged(unit.spec.seed, unit.at) || isCutOff(unit.spec.seed, unit.at))
  const send = (last: 'state' | 'telemetry' | 'ack', message: object, sent?: () => void) =>
    client?.publish(topicOf(bssid, last), JSON.stringify(message), { qos: 1 }, sent)

  /** Tells what is different, or all of it to a server that has not heard it on this connection. */
  const tell = () => {
    if (!isConnected()) return
    const now: Told = { ...stateOf(unit), report_interval: Math.max(1, Math.round(interval / 1000)) }
    const different = told === undefined ? now : changes(told, now)
    const replaced = unit.replaced.splice(0)
    if (different === undefined && replaced.length === 0) return
    told = now
    toldAt = Date.now()
    send('state', {
      at: new Date().toISOString(),
      ...different,
      ...(replaced.length > 0 ? { replaced_cartridges: replaced } : {}),
    })
  }

  /** One message at a time: what the server cannot take yet waits here and goes together. */
  const sendReadings = () => {
    if (sending || kept.size === 0 || !isConnected()) return
    sending = true
    send('telemetry', { readings: kept.take() }, () => {
      sending = false
      sendReadings()
    })
  }

  const report = () => {
    if (!(isUnplugged(unit.spec.seed, unit.at) && !unit.calm)) kept.add(takeReading(unit, Date.now()))
    if (isAway()) client?.stream.destroy()
    else if (!isConnected() && attempts === 0) queue(0)
    sendReadings()
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
    send('ack', ack)
  }

  const take = (payload: Buffer) => {
    const command = read(payload)
    if (command === undefined) return
    const taken = commands.take(command, Date.now())
    if (taken === 'ignore') return
    if (taken !== 'do') {
      send('ack', taken)
      return
    }
    setTimeout(() => {
      if (stopped) return
      advance(unit, clock.now())
      const reason = temper.refusal ?? obey(unit, command.command)
      answer(reason === undefined ? { id: command.id, ok: true } : { id: command.id, ok: false, reason })
      if (reason === undefined && command.command.type === 'reboot') restart()
      wake()
    }, temper.latency())
  }

  /** Leaves in good order and comes back. */
  const restart = () => {
    const [least, most] = unit.calm ? [0, 0] : reboot
    rebooting = true
    client?.end(false, () => {
      rebooting = false
      queue(least + Math.random() * (most - least))
    })
  }

  const connect = () => {
    if (stopped || connecting || rebooting || isConnected()) return
    if (isAway()) {
      // The next report that finds it back asks again.
      attempts = 0
      return
    }
    connecting = true
    attempts++
    if (client !== undefined) {
      client.reconnect()
      return
    }
    client = open(url, {
      protocolVersion: 4,
      clientId: wireName(bssid),
      username: wireName(bssid),
      password: line.secret,
      clean: true,
      keepalive,
      // When to try again is the fleet's matter: not all of it at once.
      reconnectPeriod: 0,
      connectTimeout: 30_000,
      resubscribe: false,
      will: {
        topic: topicOf(bssid, 'state'),
        payload: Buffer.from(JSON.stringify({ offline: true })),
        qos: 1,
        retain: false,
      },
    })
    client.on('connect', () => {
      connecting = false
      attempts = 0
      told = undefined
      client?.subscribe(topicOf(bssid, 'command'), { qos: 1 })
      advance(unit, clock.now())
      tell()
      sendReadings()
      joined()
    })
    client.on('close', () => {
      connecting = false
      if (!stopped && !rebooting && !isAway()) queue(attempts === 0 ? 0 : backOff(attempts))
    })
    client.on('message', (_, payload) => take(payload))
    // It is followed by 'close', which sees to it.
    client.on('error', () => undefined)
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
      await client?.endAsync()
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
