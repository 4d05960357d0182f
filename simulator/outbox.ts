/** A device's outbox, which stores each message until the broker has acknowledged it. */
import type { Ack, Reading, State } from '../server/protocol/messages.ts'
import type { DeviceTopic } from '../server/protocol/topics.ts'
import { openReadingBuffer } from './readingBuffer.ts'

/** Publishes at QoS 1. `done` is called on acknowledgement or error, and never if the connection breaks first. */
export type Send = (kind: DeviceTopic, message: object, done: (error?: Error) => void) => void

export interface Outbox {
  addReading(reading: Reading): void
  acknowledge(ack: Ack): void
  /** Sends a state or its changes; replaced cartridges are sent again until they are acknowledged. */
  reportState(state: State): void
  /** Called when the connection is up: sends the messages that are not acknowledged yet. */
  open(): void
  /** Called when the connection is down: keeps unacknowledged messages. */
  close(): void
}

export function openOutbox(send: Send): Outbox {
  const buffer = openReadingBuffer()
  const acks = new Map<string, Ack>()
  /** Positions of replaced cartridges: of unacknowledged messages, and of undelivered ones. */
  const inFlight = new Set<readonly number[]>()
  const undelivered: number[] = []
  let isOpen = false
  let sending: readonly Reading[] | undefined

  /** Sends one message at a time, so that readings accumulate while the server is slow. */
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
