/** Codes of authenticators: TOTP (RFC 6238) with the parameters that all of them support. */
import { Secret, TOTP } from 'otpauth'

const parameters = { issuer: 'Permeate', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Bytes of a key, as many as SHA-1 returns (RFC 4226, section 4). */
const keySize = 20
/** Time steps before and after the present whose code is accepted, for clocks that are off. */
const window = 1

/** Returns a new key in base32. */
export const newAuthenticatorKey = (): string => new Secret({ size: keySize }).base32

/** Returns the address of a key, as authenticators read it from a QR code. */
export const authenticatorUri = (key: string, login: string): string => totpOf(key, login).toString()

/** Returns the time step (of 30 seconds) of a code; undefined if the code is wrong, or of an earlier or later time. */
export function stepOfCode(key: string, code: string, now: Date): number | undefined {
  const delta = totpOf(key, '').validate({ token: code, timestamp: now.getTime(), window })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / parameters.period) + delta
}

const totpOf = (key: string, label: string) => new TOTP({ ...parameters, label, secret: Secret.fromBase32(key) })
