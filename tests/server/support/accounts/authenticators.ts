/** Authenticators of accounts, set up through the API, and the codes that they show. */
import { Secret, TOTP } from 'otpauth'
import type { TestServer } from '../harness.ts'
import { dataOf, password, signInsAt, type Subject } from './signIns.ts'

const path = '/api/v3/auth/second-factor'
/** Milliseconds for which an authenticator shows a code. */
const step = 30_000

/** Sets authenticators up at a server, or at another one with the same database and clock. */
export function authenticatorsAt(server: TestServer) {
  const { clock } = server
  const { account, tokenOf } = signInsAt(server)
  /** Returns the code that an authenticator shows a number of time steps from now. */
  const codeOf = (key: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now().getTime() + steps * step })
  /** Sets a second factor up. Its next code is that of a later time step, which has just begun: a test sees no change of it. */
  const setUp = async (token: string, at = server) => {
    const { key, uri } = dataOf<{ key: string; uri: string }>(await at.call('POST', path, { token, body: password }))
    const confirmed = await at.call('POST', `${path}/confirm`, { token, body: { code: codeOf(key) } })
    const { recovery_codes } = dataOf<{ recovery_codes: string[] }>(confirmed)
    clock.advance(3 * step - (clock.now().getTime() % step))
    return { key, uri, recovery_codes }
  }
  return {
    codeOf,
    setUp,
    /** Returns a new account that has an authenticator, with the session that has set it up. */
    withFactor: async (role?: 'superadmin' | 'admin' | 'vendor') => {
      const subject: Subject = await account(role)
      const token = await tokenOf(subject)
      return { subject, token, ...(await setUp(token)) }
    },
  }
}
