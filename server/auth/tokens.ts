/** Opaque tokens: 256 random bits, stored as hashes only. */
import { createHash, randomBytes } from 'node:crypto'

/** Returns a new token: 256 bits in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash to store. A fast hash is enough: 256 random bits cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
