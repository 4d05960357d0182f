/** A device as the protocol has it, and nothing more: what it does is what a test tells it. */
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { Command, type Ack, type Reading } from '../../../server/protocol/messages.ts'
import { topicOf, wireName, type DeviceTopic } from '../../../server/protocol/topics.ts'

export interface TestDevice {
  readonly client: MqttClient
  readonly bssid: string
  /** Each command as often as it came. */
  readonly got: Command[]
  /** What it did: each command once. */
  readonly did: Command[]
  /** Says something; resolves once the broker has acknowledged it. */
  say(last: DeviceTopic, content: unknown): Promise<void>
  /** Disconnects, with or without telling the broker. */
  leave(how?: 'politely' | 'cut off'): Promise<void>
}

interface Options extends IClientOptions {
  readonly url: string
  readonly bssid: string
  readonly secret: string
  /** How it answers a command it has done; `undefined` for silence. By default all are acknowledged. */
  readonly answer?: (command: Command) => Omit<Ack, 'id'> | undefined
}

/** Connects and subscribes; rejects where the broker refuses. */
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
  const got: Command[] = []
  const did: Command[] = []
  const say: TestDevice['say'] = async (last, content) => {
    const payload = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)
    await client.publishAsync(topicOf(bssid, last), payload, { qos: 1 })
  }
  client.on('message', (_, payload) => {
    const command = Command.parse(JSON.parse(payload.toString()))
    got.push(command)
    if (did.some(({ id }) => id === command.id)) return
    did.push(command)
    const reply = answer(command)
    // A cut connection is what some tests are about.
    if (reply !== undefined) say('ack', { id: command.id, ...reply }).catch(() => undefined)
  })
  // From the first moment: the broker may have kept a command.
  try {
    await connected(client)
  } catch (error) {
    client.end(true)
    throw error
  }
  await client.subscribeAsync(topicOf(bssid, 'command'), { qos: 1 })
  return {
    client,
    bssid,
    got,
    did,
    say,
    leave: (how = 'politely') => client.endAsync(how === 'cut off'),
  }
}

async function connected(client: MqttClient): Promise<void> {
  await new Promise((resolve, reject) => {
    client.once('connect', resolve)
    client.once('error', reject)
    client.once('close', () => reject(new Error('The connection was closed')))
  })
  client.on('error', () => undefined)
}

/** A reading as any other. */
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
