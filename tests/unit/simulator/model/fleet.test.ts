/** The simulator's fleet on a real broker. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { DeviceCommand } from '../../../../server/protocol/commands.ts'
import type { FleetDevice } from '../../../../server/protocol/fleetFile.ts'
import { Ack, StateOrLastWill, Telemetry } from '../../../../server/protocol/messages.ts'
import { parseDeviceTopic, topicOf } from '../../../../server/protocol/topics.ts'
import { normaliseBssid } from '../../../../src/domain/bssid.ts'
import { generateDevice } from '../../../../simulator/model/fleet.ts'
import type { CommandEvent, DeviceEvent } from '../../../../simulator/deviceLog.ts'
import { readOptions } from '../../../../simulator/options.ts'
import { startSimulation, type Simulation } from '../../../../simulator/simulation.ts'
import { faultProfileOf } from '../../../../simulator/faultProfile.ts'
import { until } from '../../../support/until.ts'

/** A message of a device. */
interface DeviceMessage {
  readonly bssid: string
  readonly kind: string
  readonly payload: unknown
}

let broker: Aedes
let listener: Server
let url: string
/** Where set, receives the readings instead of the broker, which leaves them unacknowledged. */
let interceptReadings: ((payload: string) => void) | undefined
/** Whether the broker refuses all connections, and how many it has refused. */
let refusing = false
let refused = 0
const sockets = new Set<Socket>()
let folder: string
let server: MqttClient
/** The messages of all devices, in order. */
let messages: DeviceMessage[] = []
/** What the devices say that they did, in order. */
let events: DeviceEvent[] = []
let simulation: Simulation | undefined

const schemas = { telemetry: Telemetry, state: StateOrLastWill, ack: Ack }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'permeate-simulator-'))
  broker = await Aedes.createBroker()
  broker.authenticate = (client, username, password, done) => {
    const isDevice = client.id === username && String(password) === `secret of ${normaliseBssid(username)}`
    const allowed = client.id === 'server' || isDevice
    if (allowed && !refusing) return done(null, true)
    refused++
    done(null, false)
  }
  broker.authorizePublish = (_, packet, done) => {
    if (interceptReadings === undefined || !packet.topic.endsWith('/telemetry')) return done(null)
    interceptReadings(packet.payload.toString())
  }
  listener = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url = `mqtt://127.0.0.1:${(listener.address() as AddressInfo).port}`
  server = await connectAsync(url, { clientId: 'server' })
  server.on('message', (topic, payload) => {
    const from = parseDeviceTopic(topic)
    if (from === undefined) return
    // Throws in every test for a message that does not match the protocol.
    messages.push({ ...from, payload: z.parse(schemas[from.kind], JSON.parse(payload.toString())) })
  })
  await server.subscribeAsync('permeate/v1/#', { qos: 1 })
})
afterAll(async () => {
  await server.endAsync(true)
  listener.close()
  broker.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  messages = []
  events = []
})
afterEach(async () => {
  await simulation?.stop()
  simulation = undefined
})

const obedient = Array.from({ length: 40 }, (_, place) => generateDevice(1, place)).filter(
  ({ bssid }) => faultProfileOf(bssid).refusal === undefined,
)
const [one, other] = obedient.map(({ bssid }) => bssid) as [string, string]

let files = 0
/** Starts a simulation of these devices, each with the given differences. */
async function simulate(
  devices: readonly Partial<FleetDevice>[],
  args: readonly string[] = [],
  path = `fleet-${++files}.jsonl`,
) {
  const lines = devices.map((differing, place) => ({ ...obedient[place]!, ...differing }))
  const fleet = join(folder, path)
  await writeFile(
    fleet,
    lines.map(line => JSON.stringify({ ...line, secret: line.secret || `secret of ${line.bssid}` })).join('\n'),
  )
  const options = readOptions(['--fleet', fleet, '--url', url, '--draws', 'off', '--interval', '1s', ...args])
  simulation = await startSimulation(options, {
    onConnected: () => undefined,
    log: () => undefined,
    record: event => events.push(event),
  })
  return path
}

const of = (bssid: string, kind: string) =>
  messages.filter(message => message.bssid === bssid && message.kind === kind).map(({ payload }) => payload as object)
/** The state of a device, merged from all of its state messages. */
const stateOf = (bssid: string) => Object.assign({}, ...of(bssid, 'state')) as Record<string, unknown>

/** What a device did with a command. */
const didWith = (id: string) => events.filter((event): event is CommandEvent => 'id' in event && event.id === id)

let commands = 0
function command(bssid: string, order: DeviceCommand, { id = `command-${++commands}`, seconds = 10 } = {}): string {
  const expires_at = new Date(Date.now() + seconds * 1000).toISOString()
  server.publish(topicOf(bssid, 'command'), JSON.stringify({ id, expires_at, command: order }), { qos: 1 })
  return id
}
const acknowledged = (bssid: string, id: string) =>
  until(() => {
    const acks = of(bssid, 'ack').filter(ack => 'id' in ack && ack.id === id)
    expect(acks).not.toHaveLength(0)
    return acks
  })
/**
 * Waits until a device is connected and subscribed to commands, which it is before its first state.
 * The connection is checked too, because messages of a stopped simulation may still arrive.
 */
const present = (bssid: string) =>
  until(() => {
    expect(simulation!.counts().connected).toBeGreaterThan(0)
    expect(of(bssid, 'state')).toContainEqual(expect.objectContaining({ firmware: expect.any(String) }))
  })
async function reported(bssid: string): Promise<void> {
  await present(bssid)
  await until(() => expect(of(bssid, 'telemetry')).not.toHaveLength(0))
}

test('devices send their full state on connecting and then readings; an offline device does not connect', async () => {
  await simulate([{ status: 0, firmware: '2.2.3' }, { status: 3 }, { status: 13 }])
  const third = obedient[2]!.bssid
  await reported(one)
  await reported(third)
  expect(of(one, 'state')[0]).toMatchObject({
    status: 0,
    firmware: '2.2.3',
    report_interval: 1,
    faults: [],
    update: null,
  })
  expect(stateOf(third)).toMatchObject({ status: 13, faults: ['pressure_sensor'] })
  expect(of(third, 'telemetry')[0]).toMatchObject({ readings: [{ pressure: null, feed: 0 }] })
  expect(messages.filter(({ bssid }) => bssid === other)).toEqual([])
  expect(simulation!.counts()).toEqual({ devices: 2, connected: 2 })
})

test('readings contain the water drawn since the previous reading', async () => {
  // A day in a few seconds.
  await simulate([{ status: 1, litres_a_day: 30 }], ['--draws', 'on', '--speed', '20000'])
  await until(() => {
    const readings = of(one, 'telemetry').flatMap(message => (message as z.output<typeof Telemetry>).readings)
    const sum = (name: 'feed' | 'permeate') => readings.reduce((before, reading) => before + reading[name], 0)
    expect(sum('permeate')).toBeGreaterThan(1)
    expect(sum('feed')).toBeGreaterThan(sum('permeate'))
  })
})

test('a draw ends with one more reading, of the last water that flows', async () => {
  // The next reading of the interval is an hour away; a day passes in a few seconds.
  await simulate([{ status: 0, tank: 0, litres_a_day: 30 }], ['--draws', 'on', '--speed', '20000', '--interval', '1h'])
  await until(() => {
    const readings = of(one, 'telemetry').flatMap(message => (message as z.output<typeof Telemetry>).readings)
    // A reading may be sent again, when the network was down.
    const flowing = new Map(readings.filter(({ permeate }) => permeate > 0).map(reading => [reading.at, reading]))
    expect(flowing.size).toBeGreaterThan(2)
    for (const { permeate_flow } of flowing.values()) expect(permeate_flow).toBeGreaterThan(0)
  })
})

test('a command is executed, reported and acknowledged; a repeated one is only acknowledged again', async () => {
  await simulate([{ status: 0, locked: false }])
  await present(one)
  const id = command(one, { type: 'lock', locked: true })
  await acknowledged(one, id)
  const order = messages.filter(
    ({ kind, payload }) => kind === 'ack' || (payload as object as { locked?: boolean }).locked,
  )
  expect(order.map(({ kind }) => kind)).toEqual(['state', 'ack'])

  command(one, { type: 'lock', locked: false }, { id })
  await until(() => expect(of(one, 'ack')).toHaveLength(2))
  expect(of(one, 'ack')).toEqual([
    { id, ok: true },
    { id, ok: true },
  ])
  expect(stateOf(one).locked).toBe(true)
  expect(didWith(id)).toMatchObject([
    { bssid: one, did: 'executed', command: { type: 'lock', locked: true } },
    { bssid: one, did: 'repeated', command: { type: 'lock', locked: false } },
  ])
})

test('an expired command is neither executed nor acknowledged', async () => {
  await simulate([{ status: 0, valve_closed: false }])
  await present(one)
  const late = command(one, { type: 'valve', closed: true }, { seconds: -1 })
  const next = command(one, { type: 'set_uv', mode: 1 })
  await acknowledged(one, next)
  expect(of(one, 'ack')).not.toContainEqual(expect.objectContaining({ id: late }))
  expect(stateOf(one).valve_closed).toBe(false)
  expect(didWith(late)).toMatchObject([{ did: 'expired' }])
})

test('some devices refuse commands with a reason', async () => {
  const bssid = Array.from({ length: 500 }, (_, place) => generateDevice(1, place).bssid).find(
    key => faultProfileOf(key).refusal !== undefined,
  )!
  await simulate([{ bssid, status: 0 }])
  await present(bssid)
  const id = command(bssid, { type: 'flush' })
  expect(await acknowledged(bssid, id)).toEqual([{ id, ok: false, reason: faultProfileOf(bssid).refusal }])
  expect(didWith(id)).toMatchObject([{ did: 'refused', reason: faultProfileOf(bssid).refusal }])
  expect(stateOf(bssid).status).toBe(0)
})

test.each([0, 1, 16] as const)('the status is 2 during a flush and then %i again', async status => {
  await simulate([{ status, flush: { smart: null, mode: 0, frequency: 5, duration: 9, volume: 0 } }], ['--speed', '6'])
  await present(one)
  await acknowledged(one, command(one, { type: 'flush' }))
  expect(stateOf(one).status).toBe(2)
  const began = Date.now()
  await until(() => expect(stateOf(one).status).toBe(status))
  expect(Date.now() - began).toBeGreaterThan(1000)
})

test('a firmware update goes through its phases at status 6, and other commands are refused meanwhile', async () => {
  await simulate([{ status: 0, firmware: '2.1.0' }], ['--speed', '8'])
  await present(one)
  await acknowledged(one, command(one, { type: 'update_firmware', version: '2.2.3' }))
  expect(stateOf(one)).toMatchObject({ status: 6, update: { version: '2.2.3', phase: 'downloading' } })
  const refused = command(one, { type: 'flush' })
  expect(await acknowledged(one, refused)).toMatchObject([{ ok: false }])
  await until(() => expect(stateOf(one).status).toBe(0))
  // The seed determines whether the update succeeds.
  const { update, firmware } = stateOf(one)
  if (update === null) expect(firmware).toBe('2.2.3')
  else expect({ update, firmware }).toMatchObject({ update: { phase: 'failed' }, firmware: '2.1.0' })
})

test.each([
  ['9.9.9:1', { firmware: '2.1.0', update: { version: '9.9.9', phase: 'failed' } }, 'failed'],
  ['9.9.9:0', { firmware: '9.9.9', update: null }, 'installed'],
] as const)('with --failing-firmware %s an update is accepted, and then %o', async (option, expected, did) => {
  await simulate([{ status: 0, firmware: '2.1.0' }], ['--speed', '20', '--failing-firmware', option])
  await present(one)
  const id = command(one, { type: 'update_firmware', version: '9.9.9' })
  expect(await acknowledged(one, id)).toEqual([{ id, ok: true }])
  await until(() => expect(stateOf(one)).toMatchObject({ status: 0, ...expected }))
  expect(didWith(id)).toMatchObject([{ did: 'executed' }, { did }])
})

test('a failing firmware can be refused, and other versions are not', async () => {
  await simulate([{ status: 0, firmware: '2.1.0' }], ['--failing-firmware', '9.9.9:1:refused'])
  await present(one)
  const id = command(one, { type: 'update_firmware', version: '9.9.9' })
  expect(await acknowledged(one, id)).toMatchObject([
    { ok: false, reason: 'Refused: the firmware has a wrong checksum' },
  ])
  const other = command(one, { type: 'update_firmware', version: '2.2.3' })
  expect(await acknowledged(one, other)).toMatchObject([{ ok: true }])
})

test('a device that falls asleep says so and disconnects; when it wakes up it sends its full state and readings', async () => {
  await simulate([{ status: 0 }], ['--sleep', '1:2s:2s'])
  const sleeps = ({ payload }: DeviceMessage) => (payload as object as { offline?: boolean }).offline === true
  const afterSleep = await until(() => {
    // On a busy machine, it falls asleep again before it has sent all.
    const asleep = messages.findIndex((message, at) => sleeps(message) && !messages.slice(at + 1, at + 3).some(sleeps))
    expect(asleep).toBeGreaterThan(0)
    expect(messages.length).toBeGreaterThan(asleep + 2)
    return messages.slice(asleep + 1)
  })
  // It measures while it sleeps.
  expect(afterSleep[0]).toMatchObject({ kind: 'state', payload: { status: 0, report_interval: 1 } })
  expect(afterSleep[1]).toMatchObject({ kind: 'telemetry' })
  expect(events.map(({ did }) => did).slice(0, 3)).toEqual(['connected', 'slept', 'connected'])
})

test('a device that reconnects sends its full state and its buffered readings, many in a message', async () => {
  await simulate([{ status: 0 }])
  await reported(one)
  refused = 0
  refusing = true
  for (const socket of sockets) if (socket.remotePort !== (server.stream as Socket).localPort) socket.destroy()
  await until(() => expect(of(one, 'state').at(-1)).toEqual({ offline: true }))
  const before = of(one, 'telemetry').length
  // The second attempt is at least three seconds after the first, by when three readings are buffered.
  await until(() => expect(refused).toBe(2))
  expect(of(one, 'telemetry')).toHaveLength(before)
  refusing = false
  await until(() => {
    const late = of(one, 'telemetry').slice(before) as z.output<typeof Telemetry>[]
    expect(late.some(({ readings }) => readings.length > 1)).toBe(true)
  })
  expect(of(one, 'state').at(-1)).toMatchObject({ status: 0, report_interval: 1 })
}, 60_000)

test('an unacknowledged reading is sent again after a reconnect', async () => {
  await simulate([{ status: 0 }])
  await reported(one)
  let lost: string | undefined
  interceptReadings = payload => {
    lost ??= (JSON.parse(payload) as z.output<typeof Telemetry>).readings[0]!.at
  }
  await until(() => expect(lost).toBeDefined())
  interceptReadings = undefined
  for (const socket of sockets) if (socket.remotePort !== (server.stream as Socket).localPort) socket.destroy()
  await until(() => {
    const readings = of(one, 'telemetry').flatMap(message => (message as z.output<typeof Telemetry>).readings)
    expect(readings.filter(({ at }) => at === lost)).toHaveLength(1)
  })
}, 60_000)

test('a restarted simulation continues with the stored state and command ids of its devices', async () => {
  const path = await simulate([{ status: 0, uv: 0 }])
  await present(one)
  const id = command(one, { type: 'set_uv', mode: 1 })
  await acknowledged(one, id)
  await simulation!.stop()
  messages = []

  await simulate([{ status: 0, uv: 0 }], [], path)
  await present(one)
  expect(stateOf(one).uv).toBe(1)
  command(one, { type: 'set_uv', mode: 0 }, { id })
  expect(await acknowledged(one, id)).toEqual([{ id, ok: true }])
  expect(stateOf(one).uv).toBe(1)
})

test('a rebooting device disconnects without a last will, and then sends its full state', async () => {
  await simulate([{ status: 0 }])
  await present(one)
  await acknowledged(one, command(one, { type: 'reboot' }))
  await until(() => expect(of(one, 'state').filter(state => 'firmware' in state)).toHaveLength(2))
  expect(of(one, 'state')).not.toContainEqual({ offline: true })
})

test('a wrong secret keeps only its own device from connecting', async () => {
  refused = 0
  await simulate([{ status: 0, secret: 'guessed' }, { status: 0 }])
  await present(other)
  await until(() => expect(refused).toBeGreaterThan(0))
  expect(simulation!.counts()).toEqual({ devices: 2, connected: 1 })
})
