/** Validates devices' messages and dispatches them; invalid ones are dropped and counted. */
import * as z from 'zod/mini'
import {
  Ack,
  maxMessageBytes,
  StateOrLastWill,
  Telemetry,
  type LastWill,
  type Reading,
  type State,
} from '../../protocol/messages.ts'
import { parseDeviceTopic, type DeviceTopic } from '../../protocol/topics.ts'
import type { DeviceCache } from './deviceCache.ts'
import { rateLimit, type DropCounter } from './rateLimit.ts'
import type { MessageHandler } from './transport.ts'

/**
 * Receivers of messages. They resolve once a message is stored; on rejection it must be redelivered. `receivedAt`: when it
 * was received, milliseconds UTC; by default now.
 */
export interface Receivers {
  readings(bssid: string, readings: readonly Reading[], receivedAt?: number): Promise<void>
  state(bssid: string, state: State | LastWill, receivedAt?: number): Promise<void>
  acknowledgement(bssid: string, ack: Ack): Promise<void>
}

/** Returns the message handler. It also resolves for dropped messages, so that they are not redelivered. */
export function createReceiver(deviceCache: DeviceCache, drops: DropCounter, receivers: Receivers): MessageHandler {
  const withinRate = rateLimit()
  const dispatch: Record<DeviceTopic, Dispatch> = {
    telemetry: withSchema(Telemetry, (bssid, { readings }, receivedAt) =>
      receivers.readings(bssid, readings, receivedAt),
    ),
    state: withSchema(StateOrLastWill, receivers.state),
    ack: withSchema(Ack, receivers.acknowledgement),
  }
  return async ({ topic, payload, backlog, receivedAt }) => {
    const source = parseDeviceTopic(topic)
    if (source === undefined) return drops.count(undefined, 'foreign topic')
    const { bssid, kind } = source
    if (payload.length > maxMessageBytes) return drops.count(bssid, 'oversized')
    // A backlog was sent over a longer time, so the rate limit does not apply.
    if (!backlog && !withinRate(bssid)) return drops.count(bssid, 'flooding')
    // No await for a cached device, so that its messages keep their order.
    const exists = deviceCache.has(bssid)
    if (!(exists === true || (await exists))) return drops.count(bssid, 'unknown device')
    const handled = dispatch[kind](bssid, json(payload), receivedAt)
    if (handled === undefined) return drops.count(bssid, 'malformed')
    return handled
  }
}

/** Returns `undefined` for an invalid message. */
type Dispatch = (bssid: string, content: unknown, receivedAt: number | undefined) => Promise<void> | undefined

/** Returns a function that validates a message and passes it to `handle`. */
const withSchema =
  <Content>(
    schema: z.ZodMiniType<Content>,
    handle: (bssid: string, content: Content, receivedAt?: number) => Promise<void>,
  ): Dispatch =>
  (bssid, content, receivedAt) => {
    const { success, data } = z.safeParse(schema, content)
    return success ? handle(bssid, data, receivedAt) : undefined
  }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the parsed payload, or `undefined` (invalid in every schema) if it is not JSON in UTF-8. */
function json(payload: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(payload))
  } catch {
    return undefined
  }
}
