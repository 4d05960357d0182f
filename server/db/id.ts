/** Ids of rows. */
import { createHash, randomUUID } from 'node:crypto'

/** Returns a new random id. */
export const newId = (): string => randomUUID()

/**
 * Returns a new id in the format of a UUID of version 7 (RFC 9562): ids that are created later come later in bytewise order,
 * as far as the servers' clocks agree.
 */
export function newOrderedId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  const random = randomUUID().slice(15)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`
}

/** Returns the time at which an id of `newOrderedId` was made. */
export const timeOfId = (id: string): Date => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/** Returns the id of a text, in the format of a UUID: the same text always has the same id. */
export const deterministicId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
