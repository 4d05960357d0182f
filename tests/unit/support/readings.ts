/** Readings of simulated devices. */
import type { Reading } from '../../../server/protocol/messages.ts'

/** Returns a reading of a device whose water rests: `litres` of feed since the one before, half of them permeate. */
export const restingReading = (seconds: number, litres: number): Reading => ({
  at: new Date(seconds * 1000).toISOString(),
  feed: litres,
  permeate: litres / 2,
  feed_flow: 0,
  permeate_flow: 0,
  feed_tds: null,
  permeate_tds: null,
  pressure: null,
  temperature: null,
})
