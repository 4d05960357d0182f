/** What becomes of a device's message: dropped and counted, or brought to what it concerns. */
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
import { deviceTopic, type DeviceTopic } from '../../protocol/topics.ts'
import type { KnownDevices } from './knownDevices.ts'
import { rateLimit, type DropCounter } from './rateLimit.ts'
import type { MessageHandler } from './transport.ts'

/** Where messages go. Each resolves once it is stored; a rejection means that it must come again. */
export interface Receivers {
  readings(bssid: string, readings: readonly Reading[]): Promise<void>
  state(bssid: string, state: State | LastWill): Promise<void>
  acknowledgement(bssid: string, ack: Ack): Promise<void>
}

/** The returned function resolves for a message that is dropped as for one that is stored: neither comes again. */
export function createReceiver(known: KnownDevices, drops: DropCounter, receivers: Receivers): MessageHandler {
  const withinRate = rateLimit()
  const dispatch: Record<DeviceTopic, (bssid: string, content: unknown) => Promise<void> | undefined> = {
    telemetry: parsed(Telemetry, (bssid, { readings }) => receivers.readings(bssid, readings)),
    state: parsed(StateOrLastWill, receivers.state),
    ack: parsed(Ack, receivers.acknowledgement),
  }
  return async ({ topic, payload, backlog }) => {
    const from = deviceTopic(topic)
    if (from === undefined) return drops.count(undefined, 'foreign topic')
    const { bssid, last } = from
    if (payload.length > maxMessageBytes) return drops.count(bssid, 'oversized')
    // What waited is no flood: the device said it over a longer time.
    if (!backlog && !withinRate(bssid)) return drops.count(bssid, 'flooding')
    // Where it is known, nothing waits in between: a device's messages stay in their order.
    const exists = known.has(bssid)
    if (!(exists === true || (await exists))) return drops.count(bssid, 'unknown device')
    const handled = dispatch[last](bssid, json(payload))
    if (handled === undefined) return drops.count(bssid, 'malformed')
    return handled
  }
}

/** `undefined` where the content is not what it should be. */
const parsed =
  <Content>(schema: z.ZodMiniType<Content>, handle: (bssid: string, content: Content) => Promise<void>) =>
  (bssid: string, content: unknown): Promise<void> | undefined => {
    const { success, data } = z.safeParse(schema, content)
    return success ? handle(bssid, data) : undefined
  }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `undefined`, which no schema takes, where the payload is not JSON in UTF-8. */
function json(payload: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(payload))
  } catch {
    return undefined
  }
}
