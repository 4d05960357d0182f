import { randomUUID } from 'node:crypto'

/** A new opaque key. */
export const newId = (): string => randomUUID()
