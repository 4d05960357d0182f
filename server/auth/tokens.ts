/** Opaque tokens: 256 random bits, kept as hashes only. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** A new token, 256 bits in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of a token. A plain hash will do: 256 random bits cannot be guessed, so nothing is gained by slowing it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The key that a token gives; the token's stored hash does not lead to it. */
const sealingKey = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'permeate refresh successor', 32))

/** Encrypts a text so that only a holder of the token can read it. */
export function seal(text: string, token: string): string {
  const nonce = randomBytes(nonceBytes)
  const encrypting = createCipheriv(cipher, sealingKey(token), nonce)
  const sealed = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([nonce, encrypting.getAuthTag(), sealed]).toString('base64url')
}

/** The text sealed under this token. Throws when it was another token or the text was changed. */
export function unseal(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decrypting = createDecipheriv(cipher, sealingKey(token), bytes.subarray(0, nonceBytes))
  decrypting.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes + tagBytes)), decrypting.final()]).toString('utf8')
}
