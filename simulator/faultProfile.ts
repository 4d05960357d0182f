/** Fault profiles: most devices execute commands at once, some slowly, and some refuse them. */
import { createHash } from 'node:crypto'

/** Reasons for refusing, by the number derived from the BSSID; other numbers do not refuse. */
const refusals: Readonly<Record<number, string>> = {
  7: 'Refused: a technician has put the device in service mode',
  41: 'Refused: the device is drawing water',
  83: 'Refused: the supply voltage is too low',
}

export interface FaultProfile {
  /** The reason for which the device refuses every command; `undefined` if it executes them. */
  readonly refusal: string | undefined
  /** Returns a random number of milliseconds until the acknowledgement. */
  latency(): number
}

/** Returns the profile of a device, always the same for a BSSID: 5 % are slow, 3 % refuse. */
export function faultProfileOf(bssid: string): FaultProfile {
  const number = createHash('sha256').update(bssid).digest().readUInt16BE() % 100
  const isSlow = number % 20 === 3
  return {
    refusal: refusals[number],
    latency: () => (isSlow ? 50 + Math.random() * 350 : 5 + Math.random() * 35),
  }
}
