/** The mqtt client, made to acknowledge messages when their work is done: of a pinned version, as it reaches into it. */
import { duplexPair, type Duplex } from 'node:stream'
import { MqttClient, type IPublishPacket } from 'mqtt'
import { generate, parser, type Packet } from 'mqtt-packet'
import { afterEach, expect, test } from 'vitest'
import { acknowledgeWhenDone } from '../../../../../server/devices/gateway/acknowledgeWhenDone.ts'
import { until } from '../../../../support/until.ts'

/** The broker's end of one connection. */
interface Connection {
  readonly got: Packet[]
  send(packet: Packet): void
  cut(): void
}

const clients: MqttClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.end(true)
})

/** A client whose connections are here; `work` is done by a test as it likes. */
function client(work: (message: IPublishPacket) => Promise<unknown>) {
  const connections: Connection[] = []
  const mqtt = new MqttClient(
    () => {
      const [inside, outside] = duplexPair()
      outside.on('close', () => inside.destroy())
      connections.push(connectionOf(outside))
      return inside
    },
    { protocolVersion: 4, clientId: 'x', keepalive: 0, reconnectPeriod: 1, clean: false },
  )
  mqtt.on('error', () => undefined)
  clients.push(mqtt)
  const underway = acknowledgeWhenDone(mqtt, work)
  return { mqtt, connections, underway }
}

function connectionOf(stream: Duplex): Connection {
  const got: Packet[] = []
  const reading = parser()
  reading.on('packet', packet => {
    got.push(packet)
    if (packet.cmd === 'connect') stream.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: true }))
  })
  stream.on('data', (bytes: Buffer) => reading.parse(bytes))
  stream.on('error', () => undefined)
  return { got, send: packet => void stream.write(generate(packet)), cut: () => stream.destroy() }
}

const message = (messageId: number, qos: 0 | 1 = 1): Packet => ({
  cmd: 'publish',
  topic: 't',
  payload: Buffer.from(String(messageId)),
  qos,
  messageId,
  dup: false,
  retain: false,
})
const acknowledged = ({ got }: Connection) => got.flatMap(each => (each.cmd === 'puback' ? [each.messageId] : []))

/** Work that ends when it is told to. */
function workshop() {
  const begun = new Map<string, { done: () => void; failed: () => void }>()
  const work = ({ payload }: IPublishPacket) =>
    new Promise<void>((resolve, reject) => {
      begun.set(String(payload), { done: resolve, failed: () => reject(new Error('failed')) })
    })
  return { begun, work }
}

test('many messages are worked on at once, and each is acknowledged as its own work ends', async () => {
  const { begun, work } = workshop()
  const { connections, underway } = client(work)
  await until(() => expect(connections[0]?.got).toHaveLength(1))
  const [broker] = connections
  for (let id = 1; id <= 500; id++) broker!.send(message(id))
  await until(() => expect(begun.size).toBe(500))
  expect(acknowledged(broker!)).toEqual([])
  expect(underway.size).toBe(500)

  begun.get('300')!.done()
  await until(() => expect(acknowledged(broker!)).toEqual([300]))
  begun.get('2')!.done()
  await until(() => expect(acknowledged(broker!)).toEqual([300, 2]))
  for (const { done } of begun.values()) done()
  await until(() => expect(acknowledged(broker!)).toHaveLength(500))
  expect(underway.size).toBe(0)
})

test('work that fails is not acknowledged; QoS 0 has nothing to acknowledge', async () => {
  const { begun, work } = workshop()
  const { connections } = client(work)
  await until(() => expect(connections[0]?.got).toHaveLength(1))
  const [broker] = connections
  broker!.send(message(1))
  broker!.send(message(2, 0))
  broker!.send(message(3))
  await until(() => expect(begun.size).toBe(3))
  begun.get('1')!.failed()
  for (const id of ['2', '3']) begun.get(id)!.done()
  await until(() => expect(acknowledged(broker!)).toEqual([3]))
})

test('what was begun on a connection that is gone is not acknowledged on the next, where the id is another’s', async () => {
  const { begun, work } = workshop()
  const { connections } = client(work)
  await until(() => expect(connections[0]?.got).toHaveLength(1))
  connections[0]!.send(message(7))
  await until(() => expect(begun.has('7')).toBe(true))
  const before = begun.get('7')!
  connections[0]!.cut()
  await until(() => expect(connections[1]?.got).toHaveLength(1))
  const [, broker] = connections
  broker!.send(message(7))
  await until(() => expect(begun.get('7')).not.toBe(before))
  before.done()
  broker!.send(message(8))
  await until(() => expect(begun.has('8')).toBe(true))
  begun.get('8')!.done()
  await until(() => expect(acknowledged(broker!)).toEqual([8]))
  begun.get('7')!.done()
  await until(() => expect(acknowledged(broker!)).toEqual([8, 7]))
})
