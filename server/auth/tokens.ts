/** Opaque tokens: 256 random bits, stored as hashes only. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Returns a new token: 256 bits in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Returns the hash to store. A fast hash is enough: 256 random bits cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Derives an encryption key from a token; it cannot be derived from the stored hash. */
const sealingKey = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'permeate refresh successor', 32))

/** Encrypts a text with a key derived from the token (AES-256-GCM); returns base64url. */
export function seal(text: string, token: string): string {
  const nonce = randomBytes(nonceBytes)
  const encrypting = createCipheriv(cipher, sealingKey(token), nonce)
  const sealed = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([nonce, encrypting.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a sealed text. Throws for another token or a modified text. */
export function unseal(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decrypting = createDecipheriv(cipher, sealingKey(token), bytes.subarray(0, nonceBytes))
  decrypting.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes + tagBytes)), decrypting.final()]).toString('utf8')
}
