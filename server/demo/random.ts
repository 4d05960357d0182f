/** Deterministic seeds and ids, so that a seed always gives the same demo. */
import { createHash } from 'node:crypto'
import { deterministicId } from '../db/id.ts'

/** Returns a seed for a text. With a seed of its own, an object does not depend on the number of other objects. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

/** Returns the id of a demo object, the same in every demo. */
export const demoId = deterministicId
