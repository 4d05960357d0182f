/** Ids of rows. */
import { createHash, randomUUID } from 'node:crypto'

/** Returns a new random id. */
export const newId = (): string => randomUUID()

/** Returns an id in the form of a UUID that depends on the text alone. */
export const deterministicId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
