/** Devices that send readings and people who make changes until the power is cut, and who write down what was acknowledged. */
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { MqttClient } from 'mqtt'
import { events } from '../../../src/api/contract/events.ts'
import { topicOf } from '../../../server/protocol/topics.ts'
import { repeat } from '../browser.ts'
import { connectDevice, type Credentials } from '../devices/wire.ts'
import type { RealServer } from '../realServer.ts'
import { signIn } from '../session.ts'

export interface Reading {
  readonly bssid: string
  readonly at: number
}

/** What was sent over all cuts. */
export class Ledger extends EventEmitter<{ acknowledged: [] }> {
  readonly readings: Reading[] = []
  /** Titles of events. */
  readonly changes = new Set<string>()
  /** Messages and calls without an answer. The protocol requires that they are sent again after the next start. */
  readonly unanswered = { messages: new Map<string, Reading[]>(), changes: new Map<string, string>() }
  private count = 0

  get acknowledged(): number {
    return this.readings.length + this.changes.size
  }

  acknowledge(add: () => void): void {
    add()
    this.count++
    this.emit('acknowledged')
  }

  /** Resolves once so many further messages and calls were acknowledged. */
  async further(count: number): Promise<void> {
    for (const enough = this.count + count; this.count < enough;) await once(this, 'acknowledged')
  }
}

/** Readings of a message. */
const perMessage = 5
/** Messages of a device between two cuts: more could be dropped as flooding, which is acknowledged, too. */
const maxMessages = 150
/** People who make one change after the other. */
const people = 4

export interface Load {
  /** Resolves once all have sent what they may, or have lost the server. */
  readonly ended: Promise<unknown>
  /** Ends it; nothing more is written down after that. */
  stop(): Promise<void>
}

/** Starts sending to a server that answers. People sign in unless they have a token. */
export async function startLoad(
  server: Pick<RealServer, 'url' | 'mqttUrl'>,
  devices: readonly Credentials[],
  ledger: Ledger,
  token?: string,
): Promise<Load> {
  const stop = new AbortController()
  const accessToken = token ?? (await signIn(server.url, 'admin')).accessToken
  const clients = await Promise.all(devices.map(device => connect(server.mqttUrl, device)))
  const ended = Promise.all([
    ...clients.map((client, index) => sendReadings(client, devices[index]!, ledger, stop.signal)),
    ...repeat(people, () => makeChanges(server.url, accessToken, devices[0]!, ledger, stop.signal)),
  ])
  ended.catch(() => undefined)
  return {
    ended,
    async stop() {
      stop.abort()
      for (const client of clients) client.end(true)
      await ended
    },
  }
}

async function connect(url: string, device: Credentials): Promise<MqttClient> {
  const client = await connectDevice(url, device, { reconnectPeriod: 0 })
  // The power cut breaks the connection.
  client.on('error', () => undefined)
  return client
}

/** Sends one message after the other, first the one that was not answered before. */
async function sendReadings(client: MqttClient, { bssid }: Credentials, ledger: Ledger, stop: AbortSignal) {
  const isGone = () => 'gone' as const
  const gone = new Promise<unknown>(resolve => client.once('close', () => resolve(undefined))).then(isGone)
  const { messages } = ledger.unanswered
  let last = 0
  for (let sent = 0; sent < maxMessages && !stop.aborted && client.connected; sent++) {
    const readings =
      messages.get(bssid) ??
      repeat(perMessage, () => ({ bssid, at: (last = Math.max(last + 1, Date.now())) }) satisfies Reading)
    messages.set(bssid, readings)
    const payload = JSON.stringify({ readings: readings.map(({ at }) => reading(at)) })
    const answer = await Promise.race([
      client.publishAsync(topicOf(bssid, 'telemetry'), payload, { qos: 1 }).catch(isGone),
      gone,
    ])
    if (answer === 'gone') return
    messages.delete(bssid)
    ledger.acknowledge(() => ledger.readings.push(...readings))
  }
}

const reading = (at: number) => ({
  at: new Date(at).toISOString(),
  feed: 0.4,
  permeate: 0.2,
  feed_flow: 1.6,
  permeate_flow: 0.8,
  feed_tds: 320,
  permeate_tds: 21,
  pressure: 4.2,
  temperature: 15.1,
})

/** Creates one event after the other, first those that were not answered before: with their key, which counts once. */
async function makeChanges(url: string, token: string, { bssid }: Credentials, ledger: Ledger, stop: AbortSignal) {
  const { changes } = ledger.unanswered
  while (!stop.aborted) {
    const [[title, key] = [randomUUID(), randomUUID()]] = changes
    changes.delete(title)
    const status = await create(url, token, { title, key, bssid }, stop)
    if (status === 200) ledger.acknowledge(() => ledger.changes.add(title))
    else if (status === undefined) changes.set(title, key)
    // A call that was interrupted is refused, and the caller has to look.
    else if (status !== 409) throw new Error(`A change was answered with ${status}`)
    if (status === undefined) return
  }
}

interface Change {
  readonly title: string
  readonly key: string
  readonly bssid: string
}

/** Returns the status of the answer, or undefined if there was none or the server had lost its disk. */
async function create(
  url: string,
  token: string,
  { title, key, bssid }: Change,
  stop: AbortSignal,
): Promise<number | undefined> {
  // The same body in each attempt.
  const at = '2026-01-01T00:00:00.000Z'
  const body = JSON.stringify({ title, description: '', start: at, end: at, devices: [bssid] })
  const headers = { 'access-token': token, 'content-type': 'application/json', 'idempotency-key': key }
  try {
    const answer = await fetch(url + events.create.path, { method: 'POST', headers, body, signal: stop })
    await answer.arrayBuffer()
    return answer.status >= 500 ? undefined : answer.status
  } catch {
    return undefined
  }
}
