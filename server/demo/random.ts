/** Deterministic seeds and ids, so that a seed always gives the same demo. */
import { createHash } from 'node:crypto'
import { deterministicId } from '../db/id.ts'

/** Returns a seed for a text; separate seeds make each object independent of how many others there are. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

/** Returns the id of a demo object, the same in every demo. */
export const idOf = deterministicId
