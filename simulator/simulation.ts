/** Runs a whole fleet in one process. */
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import { offlineStatus } from '../src/domain/device.ts'
import { resumeActivity } from './model/advance.ts'
import { generateDevice, unitFromFleet } from './model/fleet.ts'
import { openUnit } from './model/unit.ts'
import { openClock } from './clock.ts'
import { openCommandLog } from './commandLog.ts'
import { openDevice, type Device } from './device.ts'
import type { RecordEvent } from './deviceLog.ts'
import { updateOutcome } from './failingFirmware.ts'
import { orderedFaults } from './faultOrders.ts'
import { memoryVersion, readFleet, readMemory, writeMemory, type FleetMemory } from './files.ts'
import type { Options } from './options.ts'
import { openRateLimitedQueue } from './rateLimitedQueue.ts'

/** Milliseconds between two writes of the fleet's memory. */
const saveInterval = 60_000

export interface Simulation {
  /** Returns the number of simulated devices, and how many of them are connected. */
  readonly counts: () => { readonly devices: number; readonly connected: number }
  /** Saves the fleet's memory and disconnects all devices cleanly. */
  stop(): Promise<void>
}

interface Receivers {
  /** Called for each connection. */
  readonly onConnected: () => void
  /** Receives messages about the simulator itself. */
  readonly log: (text: string) => void
  /** Receives what the devices do. */
  readonly record: RecordEvent
}

/**
 * Starts the fleet, whose devices connect at a limited rate. Throws an `OptionError` if the fleet file cannot be read.
 */
export async function startSimulation(options: Options, { onConnected, log, record }: Receivers): Promise<Simulation> {
  const { fleet, seed, speed, interval, maxBackOff, sleep, failingFirmware, faults: orders } = options
  const fleetDevices = fleet === undefined ? generateFleet(seed, options.devices) : await readFleet(fleet)
  const byBssid = new Map(fleetDevices.map(device => [device.bssid, device]))
  const stored = fleet === undefined ? undefined : await readMemory(fleet)
  // With a higher speed, the clock of an earlier run may be ahead of real time; it must not go back.
  const clock = openClock(Math.max(Date.now(), stored?.at ?? 0), speed)
  const began = stored?.began ?? clock.now()
  const connectQueue = openRateLimitedQueue<Device>(options.connects, device => device.connect())
  const timers = new Set<NodeJS.Timeout>()

  const openSimulatedDevice = (description: FleetDevice): Device => {
    const { spec, flashMemory } = unitFromFleet(description, seed, began)
    const faults = [...spec.faults, ...orderedFaults(orders, description, byBssid, began)]
    const flash = stored?.devices[description.bssid]
    const unit = openUnit({ ...spec, faults }, flash?.memory ?? flashMemory, clock.now(), {
      commandsOnly: !options.draws,
      updateOutcome: version => updateOutcome(spec.bssid, failingFirmware, version),
    })
    resumeActivity(unit)
    const device: Device = openDevice({
      identity: description,
      unit,
      commands: openCommandLog(flash?.acks),
      url: options.url,
      clock,
      interval,
      maxBackOff,
      sleep,
      record,
      queueConnect: delay => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          connectQueue.add(device)
        }, delay)
        timers.add(timer)
      },
      onConnected,
    })
    return device
  }
  const present = fleetDevices.filter(({ status }) => status !== offlineStatus)
  if (present.length < fleetDevices.length)
    log(`${fleetDevices.length - present.length} devices of the fleet are switched off (status ${offlineStatus})`)
  const devices = present.map(openSimulatedDevice)
  // Spread evenly over the interval to give the server a steady load.
  for (const [index, device] of devices.entries()) {
    device.start(((index + 1) / devices.length) * interval)
    connectQueue.add(device)
  }

  let saved: Promise<void> = Promise.resolve()
  /** Writes the memory after earlier writes have ended, because all write the same file. */
  const save = () => {
    saved = saved.catch(() => undefined).then(writeAll)
    return saved
  }
  const writeAll = async () => {
    if (fleet === undefined) return
    const memory: FleetMemory = {
      version: memoryVersion,
      began,
      at: clock.now(),
      devices: Object.fromEntries(
        devices.map(({ unit, commands }) => [unit.spec.bssid, { memory: unit.flashMemory, acks: commands.acks }]),
      ),
    }
    await writeMemory(fleet, memory)
  }
  const saveTimer = setInterval(() => {
    save().catch((error: unknown) => log(`Could not save the devices' memory: ${String(error)}`))
  }, saveInterval)

  return {
    counts: () => ({ devices: devices.length, connected: devices.filter(({ connected }) => connected).length }),
    stop: async () => {
      clearInterval(saveTimer)
      connectQueue.close()
      for (const timer of timers) clearTimeout(timer)
      // Stopped devices execute no more commands, so the memory has all of them. Saving does not wait for the disconnects, which hang
      // while the broker is unreachable.
      await Promise.all([...devices.map(device => device.stop()), save()])
    },
  }
}

const generateFleet = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => generateDevice(seed, index))
