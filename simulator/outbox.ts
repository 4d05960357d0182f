/** What a device has to get to the server: it keeps each thing until the broker has acknowledged it. */
import type { Ack, Reading, State } from '../server/protocol/messages.ts'
import type { DeviceTopic } from '../server/protocol/topics.ts'
import { openReadingBuffer } from './readingBuffer.ts'

/** Sends at QoS 1; `done` is called once it is acknowledged, or with an error, or never where the connection breaks. */
export type Send = (last: DeviceTopic, message: object, done: (error?: Error) => void) => void

export interface Outbox {
  addReading(reading: Reading): void
  acknowledge(ack: Ack): void
  /** What is different, with what happened just once. */
  reportState(state: State): void
  /** A connection stands: what is left from the one before goes out, and what comes from now on. */
  open(): void
  /** It is gone; what was not acknowledged waits. */
  close(): void
}

export function openOutbox(send: Send): Outbox {
  const buffer = openReadingBuffer()
  const acks = new Map<string, Ack>()
  /** Positions of replaced cartridges: of messages on their way, and of those that did not arrive. */
  const inFlight = new Set<readonly number[]>()
  const undelivered: number[] = []
  let isOpen = false
  let sending: readonly Reading[] | undefined

  /** One message at a time: what the server cannot take yet waits here and goes together. */
  const sendReadings = () => {
    if (!isOpen || sending !== undefined || buffer.size === 0) return
    const readings = buffer.take()
    sending = readings
    send('telemetry', { readings }, error => {
      if (sending !== readings) return
      sending = undefined
      if (error === undefined) sendReadings()
      else buffer.putBack(readings)
    })
  }
  const sendAck = (ack: Ack) => {
    send('ack', ack, error => {
      if (error === undefined) acks.delete(ack.id)
    })
  }
  const reportState = (state: State) => {
    const { replaced_cartridges = [], ...rest } = state
    const replaced = [...undelivered.splice(0), ...replaced_cartridges]
    if (replaced.length > 0) inFlight.add(replaced)
    send('state', replaced.length > 0 ? { ...rest, replaced_cartridges: replaced } : rest, error => {
      if (error === undefined) inFlight.delete(replaced)
    })
  }
  return {
    addReading: reading => {
      buffer.add(reading)
      sendReadings()
    },
    acknowledge: ack => {
      acks.set(ack.id, ack)
      if (isOpen) sendAck(ack)
    },
    reportState,
    open: () => {
      isOpen = true
      for (const ack of acks.values()) sendAck(ack)
      sendReadings()
    },
    close: () => {
      isOpen = false
      if (sending !== undefined) buffer.putBack(sending)
      sending = undefined
      undelivered.push(...[...inFlight].flat())
      inFlight.clear()
    },
  }
}
