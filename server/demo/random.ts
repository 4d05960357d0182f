/** Seeds and keys that are the same for the same text, so that every demo fleet of a seed is the same. */
import { createHash } from 'node:crypto'
import { deterministicId } from '../db/id.ts'

/** The seed of one thing among many, so that each is the same however many there are. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

/** The key of a thing of the demo, the same in every demo. */
export const idOf = deterministicId
