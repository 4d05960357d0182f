/** A minimal device of the protocol, controlled by a test. */
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { Command, type Ack, type Reading } from '../../../../server/protocol/messages.ts'
import { topicOf, wireName, type DeviceTopic } from '../../../../server/protocol/topics.ts'

export interface TestDevice {
  readonly client: MqttClient
  readonly bssid: string
  /** All received commands, including repeated ones. */
  readonly received: Command[]
  /** The executed commands, each once. */
  readonly executed: Command[]
  /** Publishes a message; resolves once the broker has acknowledged it. */
  publish(last: DeviceTopic, content: unknown): Promise<void>
  /** Disconnects, with or without an MQTT DISCONNECT. */
  leave(how?: 'cleanly' | 'cut off'): Promise<void>
}

interface Options extends IClientOptions {
  readonly url: string
  readonly bssid: string
  readonly secret: string
  /** Returns the acknowledgement of an executed command, or `undefined` for none. By default all succeed. */
  readonly answer?: (command: Command) => Omit<Ack, 'id'> | undefined
}

/** Connects and subscribes; rejects if the broker refuses the connection. */
export async function connectDevice({
  url,
  bssid,
  secret,
  answer = () => ({ ok: true }),
  ...more
}: Options): Promise<TestDevice> {
  const client = connect(url, {
    clientId: wireName(bssid),
    username: wireName(bssid),
    password: secret,
    protocolVersion: 4,
    reconnectPeriod: 0,
    will: { topic: topicOf(bssid, 'state'), payload: Buffer.from('{"offline":true}'), qos: 1, retain: false },
    ...more,
  })
  const received: Command[] = []
  const executed: Command[] = []
  const publish: TestDevice['publish'] = async (last, content) => {
    const payload = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)
    await client.publishAsync(topicOf(bssid, last), payload, { qos: 1 })
  }
  client.on('message', (_, payload) => {
    const command = Command.parse(JSON.parse(payload.toString()))
    received.push(command)
    if (executed.some(({ id }) => id === command.id)) return
    executed.push(command)
    const reply = answer(command)
    // Some tests cut the connection.
    if (reply !== undefined) publish('ack', { id: command.id, ...reply }).catch(() => undefined)
  })
  // The listener is added before connecting, because the broker may have a queued command.
  try {
    await connected(client)
  } catch (error) {
    client.end(true)
    throw error
  }
  await beforeClose(client, client.subscribeAsync(topicOf(bssid, 'command'), { qos: 1 }))
  return {
    client,
    bssid,
    received,
    executed,
    publish,
    leave: (how = 'cleanly') => client.endAsync(how === 'cut off'),
  }
}

async function connected(client: MqttClient): Promise<void> {
  const done = new Promise((resolve, reject) => {
    client.once('connect', resolve)
    client.once('error', reject)
  })
  await beforeClose(client, done)
  client.on('error', () => undefined)
}

/** Rejects if the connection closes before the work is done; a request that is not answered then never ends. */
async function beforeClose(client: MqttClient, work: Promise<unknown>): Promise<void> {
  const closed = Promise.withResolvers<never>()
  const onClose = () => closed.reject(new Error('The connection was closed'))
  client.once('close', onClose)
  try {
    await Promise.race([work, closed.promise])
  } finally {
    client.off('close', onClose)
  }
}

/** Returns an ordinary reading. */
export const reading = (at: Date, values: Partial<Reading> = {}): Reading => ({
  at: at.toISOString(),
  feed: 1.2,
  permeate: 0.5,
  feed_flow: 1.1,
  permeate_flow: 0.4,
  feed_tds: 320,
  permeate_tds: 21,
  pressure: 4.2,
  temperature: 15.1,
  ...values,
})
