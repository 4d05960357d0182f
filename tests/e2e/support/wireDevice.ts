/** A device controlled by a test: it connects to the broker with its secret and sends what the test tells it to send. */
import { connectAsync } from 'mqtt'
import { Command, type Reading } from '../../../server/protocol/messages.ts'
import { topicOf, wireName, type DeviceTopic } from '../../../server/protocol/topics.ts'

export interface WireDevice {
  /** The received commands, in order. */
  readonly commands: readonly Command['command'][]
  /** Publishes its state, or the changed part of it. */
  state(state: Readonly<Record<string, unknown>>): Promise<void>
  /** Publishes readings. */
  read(...readings: readonly Reading[]): Promise<void>
  leave(): Promise<void>
}

/**
 * Connects a device and publishes its state `first`, by default ready. `answer` returns undefined to execute a command,
 * or the reason to refuse it. Rejects if the broker refuses the connection.
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
  const commands: Command['command'][] = []
  const publish = async (last: DeviceTopic, content: object) => {
    await client.publishAsync(topicOf(bssid, last), JSON.stringify(content), { qos: 1 })
  }
  client.on('message', (_, payload) => {
    const { id, command } = Command.parse(JSON.parse(payload.toString()))
    commands.push(command)
    const reason = answer(command)
    // A test may end while a command is on the wire.
    if (client.disconnecting) return
    void publish('ack', reason === undefined ? { id, ok: true } : { id, ok: false, reason })
  })
  await client.subscribeAsync(topicOf(bssid, 'command'), { qos: 1 })
  const state: WireDevice['state'] = changed => publish('state', { at: new Date().toISOString(), ...changed })
  await state(first)
  return { commands, state, read: (...readings) => publish('telemetry', { readings }), leave: () => client.endAsync() }
}
