import { createHash, randomUUID } from 'node:crypto'

/** A new opaque key. */
export const newId = (): string => randomUUID()

/** An opaque key in the form of all others, the same for the same text. */
export const deterministicId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
