/** Time-based one-time codes (TOTP, RFC 6238), with the parameters that all authenticators support. */
import { Secret, TOTP } from 'otpauth'

const parameters = { issuer: 'Permeate', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Bytes of a key: the 160 bits that RFC 4226, section 4, recommends. */
const keySize = 20
/** Time steps before and after the present whose code is accepted, because clocks may be fast or slow. */
const window = 1

/** Returns a new key in base32. */
export const newAuthenticatorKey = (): string => new Secret({ size: keySize }).base32

/** Returns the `otpauth://` URI of a key, which authenticators read from a QR code. */
export const authenticatorUri = (key: string, login: string): string => totpOf(key, login).toString()

/** Returns the time step of a code, which is stored so that a code counts once; undefined if it is wrong or more than one step away. */
export function stepOfCode(key: string, code: string, now: Date): number | undefined {
  const totp = totpOf(key)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

/** `label` is the account's name in the URI. */
const totpOf = (key: string, label = '') => new TOTP({ ...parameters, label, secret: Secret.fromBase32(key) })
