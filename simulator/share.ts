import { createHash } from 'node:crypto'

/**
 * Returns a number from 0 to below 1 for a device and a subject, always the same: of many devices, the given share has a
 * smaller one.
 */
export const shareOf = (bssid: string, subject: string): number =>
  createHash('sha256').update(`${subject} ${bssid}`).digest().readUInt32BE() / 2 ** 32
