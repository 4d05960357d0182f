/** A device on the wire that a test speaks for: it signs in with its secret, and does what the test says. */
import { connectAsync } from 'mqtt'
import { Command, type Reading } from '../../../server/protocol/messages.ts'
import { topicOf, wireName, type DeviceTopic } from '../../../server/protocol/topics.ts'

export interface WireDevice {
  /** What it was told to do, in order. */
  readonly told: readonly Command['command'][]
  /** Says what it is, or the part that changed. */
  state(state: Readonly<Record<string, unknown>>): Promise<void>
  /** Sends readings. */
  read(...readings: readonly Reading[]): Promise<void>
  leave(): Promise<void>
}

/**
 * Connects, and says what it is: ready, unless `first` is another state. `answer` gives what it says to a command:
 * nothing is yes, a text is why not. Rejects where the broker refuses it.
 */
export async function connectDevice(
  port: number,
  { bssid, secret }: { readonly bssid: string; readonly secret: string },
  answer: (command: Command['command']) => string | undefined = () => undefined,
  first: Readonly<Record<string, unknown>> = { status: 0, firmware: '2.0.1' },
): Promise<WireDevice> {
  const client = await connectAsync(
    `mqtt://127.0.0.1:${port}`,
    { clientId: wireName(bssid), username: wireName(bssid), password: secret, protocolVersion: 4, reconnectPeriod: 0 },
    false,
  )
  const told: Command['command'][] = []
  const say = async (last: DeviceTopic, content: object) => {
    await client.publishAsync(topicOf(bssid, last), JSON.stringify(content), { qos: 1 })
  }
  client.on('message', (_, payload) => {
    const { id, command } = Command.parse(JSON.parse(payload.toString()))
    told.push(command)
    const reason = answer(command)
    // A test may end while a command is on the wire.
    if (client.disconnecting) return
    void say('ack', reason === undefined ? { id, ok: true } : { id, ok: false, reason })
  })
  await client.subscribeAsync(topicOf(bssid, 'command'), { qos: 1 })
  const state: WireDevice['state'] = changed => say('state', { at: new Date().toISOString(), ...changed })
  await state(first)
  return { told, state, read: (...readings) => say('telemetry', { readings }), leave: () => client.endAsync() }
}
