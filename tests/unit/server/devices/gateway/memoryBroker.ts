/** A broker in memory, which says what a client sends to it and sends it what a test says. */
import { duplexPair, type Duplex } from 'node:stream'
import { MqttClient } from 'mqtt'
import { generate, parser, type Packet } from 'mqtt-packet'
import { afterEach } from 'vitest'

/** The broker's side of one connection. */
export interface Connection {
  readonly received: Packet[]
  send(packet: Packet): void
  cut(): void
}

const clients: MqttClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.end(true)
})

/** Opens a client whose connections are in memory, the newest one last. It connects again at once. */
export function memoryClient() {
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
  return { mqtt, connections }
}

function connectionOf(stream: Duplex): Connection {
  const received: Packet[] = []
  const packets = parser()
  packets.on('packet', packet => {
    received.push(packet)
    if (packet.cmd === 'connect') stream.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: true }))
  })
  stream.on('data', (bytes: Buffer) => packets.parse(bytes))
  stream.on('error', () => undefined)
  return { received, send: packet => void stream.write(generate(packet)), cut: () => stream.destroy() }
}

/** A message with its id as its payload. */
export const message = (messageId: number, qos: 0 | 1 = 1): Packet => ({
  cmd: 'publish',
  topic: 't',
  payload: Buffer.from(String(messageId)),
  qos,
  messageId,
  dup: false,
  retain: false,
})
/** Returns the ids of the messages that the client has acknowledged. */
export const acknowledged = ({ received }: Connection) =>
  received.flatMap(each => (each.cmd === 'puback' ? [each.messageId] : []))
