/**
 * Devices that do nothing but send readings, one in a message, in a process of their own. Each keeps what it has read
 * until it is acknowledged, as the protocol asks: what the server does not take yet waits here and is not lost.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { topicOf, wireName } from '../../server/protocol/topics.ts'
import { FleetDevice } from '../../server/protocol/fleetFile.ts'

/** Sent to the process. */
export interface Load {
  /** Readings a second, of all devices together. */
  readonly rate: number
  readonly seconds: number
}

/** Sent back after it, when nothing is on its way any more. */
export interface Sent {
  /** Readings that were made. */
  readonly made: number
  /** Those of them that the server has acknowledged by the end of the time, and in all. */
  readonly acknowledgedInTime: number
  readonly acknowledged: number
  /** Seconds until the last of those on their way was acknowledged. */
  readonly settled: number
  /** Milliseconds from sending to the acknowledgement. */
  readonly latencies: readonly number[]
}

/** Messages of one device that are on their way at once. */
const window = 8
/** Milliseconds between two rounds of readings. */
const round = 20

interface Device {
  readonly client: MqttClient
  readonly topic: string
  /** Readings that wait to be sent. */
  waiting: number
  onTheirWay: number
  /** Milliseconds of its last reading: no two have one time. */
  last: number
}

async function connectDevices(url: string, fleetFile: string, count: number): Promise<Device[]> {
  const fleet = readFileSync(fleetFile, 'utf8').trim().split('\n').slice(0, count)
  const devices: Device[] = []
  const left = fleet.values()
  const connectSome = async () => {
    for (const line of left) {
      const { bssid, secret } = FleetDevice.parse(JSON.parse(line))
      const name = wireName(bssid)
      const client = await connectAsync(url, {
        clientId: name,
        username: name,
        password: secret,
        protocolVersion: 4,
        keepalive: 0,
      })
      devices.push({ client, topic: topicOf(bssid, 'telemetry'), waiting: 0, onTheirWay: 0, last: 0 })
    }
  }
  await Promise.all(Array.from({ length: 50 }, connectSome))
  return devices
}

/** A reading with eight values of its own. */
function payload(at: number): string {
  const some = (least: number, most: number, digits: number) =>
    Number((least + Math.random() * (most - least)).toFixed(digits))
  const reading = {
    at: new Date(at).toISOString(),
    feed: some(0, 1, 3),
    permeate: some(0, 0.4, 3),
    feed_flow: some(0.5, 2, 2),
    permeate_flow: some(0, 1, 2),
    feed_tds: some(150, 600, 0),
    permeate_tds: some(5, 60, 0),
    pressure: some(2.8, 6.9, 2),
    temperature: some(6, 28, 1),
  }
  return JSON.stringify({ readings: [reading] })
}

async function run(devices: readonly Device[], { rate, seconds }: Load): Promise<Sent> {
  let made = 0
  let acknowledged = 0
  const latencies: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000

  const send = (device: Device) => {
    while (device.waiting > 0 && device.onTheirWay < window) {
      device.waiting--
      device.onTheirWay++
      device.last = Math.max(device.last + 1, Date.now())
      const sent = performance.now()
      device.client.publish(device.topic, payload(device.last), { qos: 1 }, error => {
        device.onTheirWay--
        if (error) return
        acknowledged++
        // A sample: all of them would be what takes the time.
        if (acknowledged % 16 === 0) latencies.push(performance.now() - sent)
        if (performance.now() < end) send(device)
      })
    }
  }
  for (let turn = 0; performance.now() < end;) {
    const due = Math.floor(((Math.min(performance.now(), end) - begun) / 1000) * rate)
    for (; made < due; made++) {
      const device = devices[turn++ % devices.length]!
      device.waiting++
      send(device)
    }
    await wait(round)
  }
  const acknowledgedInTime = acknowledged
  while (devices.some(({ onTheirWay }) => onTheirWay > 0)) await wait(round)
  const settled = (performance.now() - end) / 1000
  for (const device of devices) device.waiting = 0
  return { made, acknowledgedInTime, acknowledged, settled, latencies }
}

const [url = '', fleetFile = '', count = '0'] = process.argv.slice(2)
const devices = await connectDevices(url, fleetFile, Number(count))
process.on('message', (load: Load) => {
  void run(devices, load).then(sent => process.send?.(sent))
})
process.send?.('connected')
