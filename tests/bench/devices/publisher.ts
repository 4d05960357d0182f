/**
 * Devices that only send readings, one in each message, in a separate process. As the protocol requires, each buffers its
 * readings until they are acknowledged, so that none is lost.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'
import { topicOf } from '../../../server/protocol/topics.ts'
import { connectDevice, readFleet } from './wire.ts'

/** Sent to the process. */
export interface Load {
  /** Readings a second, of all devices together. */
  readonly rate: number
  readonly seconds: number
  /**
   * Share of the readings in which permeate flows, 0–1, by default that of a fleet: each device produces for some readings
   * in a row, then rests.
   */
  readonly producing?: number
}

/** Sent back after a load, once no message is pending. */
export interface Sent {
  /** The readings that were generated. */
  readonly made: number
  /** The readings that the server acknowledged by the end of the load, and in all. */
  readonly acknowledgedInTime: number
  readonly acknowledged: number
  /** Seconds until the last pending reading was acknowledged. */
  readonly settled: number
  /** Milliseconds from sending to the acknowledgement. */
  readonly latencies: readonly number[]
}

/** The maximum of pending messages of one device. */
const window = 8
/** Milliseconds between two rounds of readings. */
const round = 20
/** Readings of a device from the beginning of a run to the next one. */
const cycle = 100
/** Share of the readings of a fleet in which permeate flows. */
const usualShare = 0.04

interface Device {
  readonly client: MqttClient
  readonly topic: string
  /** Readings not yet sent. */
  queued: number
  pending: number
  /** The time of its last reading in milliseconds; each reading has its own. */
  last: number
  /** Readings so far, from a random beginning, so that devices do not all produce at the same time. */
  count: number
}

async function connectDevices(url: string, fleetFile: string, count: number): Promise<Device[]> {
  const devices: Device[] = []
  const remaining = readFleet(fleetFile, count).values()
  const connectSome = async () => {
    for (const device of remaining) {
      const client = await connectDevice(url, device)
      devices.push({
        client,
        topic: topicOf(device.bssid, 'telemetry'),
        queued: 0,
        pending: 0,
        last: 0,
        count: Math.floor(Math.random() * cycle),
      })
    }
  }
  await Promise.all(Array.from({ length: 50 }, connectSome))
  return devices
}

/** Returns a reading with eight random values; the flows are 0 unless it produces. */
function payload(at: number, produces: boolean): string {
  const some = (min: number, max: number, digits: number) => Number((min + Math.random() * (max - min)).toFixed(digits))
  const reading = {
    at: new Date(at).toISOString(),
    feed: produces ? some(0, 1, 3) : 0,
    permeate: produces ? some(0, 0.4, 3) : 0,
    feed_flow: produces ? some(0.5, 2, 2) : 0,
    permeate_flow: produces ? some(0, 1, 2) : 0,
    feed_tds: some(150, 600, 0),
    permeate_tds: some(5, 60, 0),
    pressure: some(2.8, 6.9, 2),
    temperature: some(6, 28, 1),
  }
  return JSON.stringify({ readings: [reading] })
}

async function run(devices: readonly Device[], { rate, seconds, producing = usualShare }: Load): Promise<Sent> {
  let made = 0
  let acknowledged = 0
  const latencies: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000

  const send = (device: Device) => {
    while (device.queued > 0 && device.pending < window) {
      device.queued--
      device.pending++
      device.last = Math.max(device.last + 1, Date.now())
      const produces = device.count++ % cycle < producing * cycle
      const sent = performance.now()
      device.client.publish(device.topic, payload(device.last, produces), { qos: 1 }, error => {
        device.pending--
        if (error) return
        acknowledged++
        // Only a sample, because recording all would take too much time.
        if (acknowledged % 16 === 0) latencies.push(performance.now() - sent)
        if (performance.now() < end) send(device)
      })
    }
  }
  for (let turn = 0; performance.now() < end;) {
    const due = Math.floor(((Math.min(performance.now(), end) - started) / 1000) * rate)
    for (; made < due; made++) {
      const device = devices[turn++ % devices.length]!
      device.queued++
      send(device)
    }
    await wait(round)
  }
  const acknowledgedInTime = acknowledged
  while (devices.some(({ pending }) => pending > 0)) await wait(round)
  const settled = (performance.now() - end) / 1000
  for (const device of devices) device.queued = 0
  return { made, acknowledgedInTime, acknowledged, settled, latencies }
}

const [url = '', fleetFile = '', count = '0'] = process.argv.slice(2)
const devices = await connectDevices(url, fleetFile, Number(count))
process.on('message', (load: Load) => {
  void run(devices, load).then(sent => process.send?.(sent))
})
process.send?.('connected')
