/** Ids of rows. */
import { createHash, randomUUID } from 'node:crypto'

/** Returns a new random id. */
export const newId = (): string => randomUUID()

/** Returns the id of a text, in the format of a UUID: the same text always has the same id. */
export const deterministicId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
