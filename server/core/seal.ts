/** Encrypts texts with keys that are derived from a secret. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Derives an encryption key from a secret for one purpose; it cannot be derived from a hash of the secret. */
const sealingKey = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', `permeate ${purpose}`, 32))

/** Encrypts a text with a key derived from the secret (AES-256-GCM); returns base64url. */
export function seal(text: string, secret: string, purpose: string): string {
  const nonce = randomBytes(nonceBytes)
  const encrypting = createCipheriv(cipher, sealingKey(secret, purpose), nonce)
  const sealed = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([nonce, encrypting.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a sealed text. Throws for another secret, another purpose or a modified text. */
export function unseal(sealed: string, secret: string, purpose: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decrypting = createDecipheriv(cipher, sealingKey(secret, purpose), bytes.subarray(0, nonceBytes))
  decrypting.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes + tagBytes)), decrypting.final()]).toString('utf8')
}
