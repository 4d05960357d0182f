/** How devices take commands: most comply at once, some slowly, some never. */
import { createHash } from 'node:crypto'

/** Why a device may refuse, by the number that its key gives; all others comply. */
const refusals: Readonly<Record<number, string>> = {
  7: 'Refused: a technician has put the device in service mode',
  41: 'Refused: the device is drawing water',
  83: 'Refused: the supply voltage is too low',
}

export interface FaultProfile {
  /** Why it does nothing that it is told. */
  readonly refusal: string | undefined
  /** Milliseconds until it answers, different each time. */
  latency(): number
}

/** A device's own, always the same: one in twenty is slow, three in a hundred refuse. */
export function faultProfileOf(bssid: string): FaultProfile {
  const number = createHash('sha256').update(bssid).digest().readUInt16BE() % 100
  const slow = number % 20 === 3
  return {
    refusal: refusals[number],
    latency: () => (slow ? 50 + Math.random() * 350 : 5 + Math.random() * 35),
  }
}
