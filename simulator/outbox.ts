/** What a device has to get to the server: it keeps each thing until the broker has acknowledged it. */
import type { Ack, Reading, State } from '../server/protocol/messages.ts'
import type { DeviceTopic } from '../server/protocol/topics.ts'
import { openKeptReadings } from './keptReadings.ts'

/** Sends at QoS 1; `done` is called once it is acknowledged, or with an error, or never where the connection breaks. */
export type Send = (last: DeviceTopic, message: object, done: (error?: Error) => void) => void

export interface Outbox {
  addReading(reading: Reading): void
  answer(ack: Ack): void
  /** What is different, with what happened just once. */
  tell(state: State): void
  /** A connection stands: what is left from the one before goes out, and what comes from now on. */
  open(): void
  /** It is gone; what was not acknowledged waits. */
  close(): void
}

export function openOutbox(send: Send): Outbox {
  const kept = openKeptReadings()
  const answers = new Map<string, Ack>()
  /** Positions of replaced cartridges: of messages on their way, and of those that did not arrive. */
  const telling = new Set<readonly number[]>()
  const again: number[] = []
  let isOpen = false
  let sending: readonly Reading[] | undefined

  /** One message at a time: what the server cannot take yet waits here and goes together. */
  const sendReadings = () => {
    if (!isOpen || sending !== undefined || kept.size === 0) return
    const readings = kept.take()
    sending = readings
    send('telemetry', { readings }, error => {
      if (sending !== readings) return
      sending = undefined
      if (error === undefined) sendReadings()
      else kept.putBack(readings)
    })
  }
  const sendAnswer = (ack: Ack) => {
    send('ack', ack, error => {
      if (error === undefined) answers.delete(ack.id)
    })
  }
  const tell = (state: State) => {
    const { replaced_cartridges = [], ...rest } = state
    const happened = [...again.splice(0), ...replaced_cartridges]
    if (happened.length > 0) telling.add(happened)
    send('state', happened.length > 0 ? { ...rest, replaced_cartridges: happened } : rest, error => {
      if (error === undefined) telling.delete(happened)
    })
  }
  return {
    addReading: reading => {
      kept.add(reading)
      sendReadings()
    },
    answer: ack => {
      answers.set(ack.id, ack)
      if (isOpen) sendAnswer(ack)
    },
    tell,
    open: () => {
      isOpen = true
      for (const ack of answers.values()) sendAnswer(ack)
      sendReadings()
    },
    close: () => {
      isOpen = false
      if (sending !== undefined) kept.putBack(sending)
      sending = undefined
      again.push(...[...telling].flat())
      telling.clear()
    },
  }
}
