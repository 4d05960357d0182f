/** A device's outbox, which stores each message until the broker has acknowledged it. */
import type { Ack, Reading, State } from '../server/protocol/messages.ts'
import type { DeviceTopic } from '../server/protocol/topics.ts'
import { openReadingBuffer } from './readingBuffer.ts'

/** Publishes at QoS 1. `done` is called on acknowledgement or error, and never if the connection breaks first. */
export type Send = (kind: DeviceTopic, message: object, done: (error?: Error) => void) => void

export interface Outbox {
  addReading(reading: Reading): void
  acknowledge(ack: Ack): void
  /**
   * Sends a state or its changes. Replaced cartridges are sent again until they are acknowledged, with the time of their
   * first state: the server may have stored it, and counts a replacement once by its time.
   */
  reportState(state: State): void
  /** Called when the connection is up: sends the messages that are not acknowledged yet. */
  open(): void
  /** Called when the connection is down: keeps unacknowledged messages. */
  close(): void
}

export function openOutbox(send: Send): Outbox {
  const buffer = openReadingBuffer()
  const acks = new Map<string, Ack>()
  /** Replacements in messages that wait for an acknowledgement, and replacements to send again after a broken connection. */
  const inFlight = new Set<State>()
  const undelivered: State[] = []
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
    if (replaced_cartridges.length === 0) return send('state', rest, () => undefined)
    const replacement = { at: state.at, replaced_cartridges }
    inFlight.add(replacement)
    send('state', state, error => {
      if (error === undefined) inFlight.delete(replacement)
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
      for (const replacement of undelivered.splice(0)) reportState(replacement)
      for (const ack of acks.values()) sendAck(ack)
      sendReadings()
    },
    close: () => {
      isOpen = false
      if (sending !== undefined) buffer.putBack(sending)
      sending = undefined
      undelivered.push(...inFlight)
      inFlight.clear()
    },
  }
}
