/** Signing in, in steps: the password, then for accounts with a second factor a code or a passkey. */
import { call, callWithToken } from '../../api/client.ts'
import { auth, type Tokens } from '../../api/contract/auth.ts'
import { passkeys } from '../../api/contract/passkeys.ts'
import { secondFactor } from '../../api/contract/secondFactor.ts'
import { connection } from '../../store/connection.ts'
import { owner, session, storeTokens } from '../../store/session.ts'
import { createPasskey, signWithPasskey } from './browserPasskeys.ts'
import { resetUserState } from './session.ts'

/** What is needed before the session begins: a code or a passkey, or a second factor, which is set up. */
export type NextStep =
  | {
      readonly step: 'code'
      readonly login: string
      readonly ticket: string
      /** Whether the account can use a passkey instead of a code. */
      readonly hasPasskey: boolean
    }
  | {
      readonly step: 'setUp'
      readonly login: string
      /** Proves, when a passkey is added, that it is still the same person. */
      readonly password: string
      readonly tokens: Tokens
      /** Whether the server can use passkeys. */
      readonly offersPasskeys: boolean
      readonly authenticator: { readonly key: string; readonly uri: string }
    }

/**
 * Signs in with a password. Resolves with what else is needed, or with undefined once the session has begun. Rejects with
 * ApiError, and leaves the session unchanged.
 */
export async function signIn(login: string, password: string): Promise<NextStep | undefined> {
  const answer = await call(auth.login, { body: { login, password } })
  if ('login_ticket' in answer) {
    const { login_ticket: ticket, passkey: hasPasskey = false } = answer
    return { step: 'code', login, ticket, hasPasskey }
  }
  if (answer.second_factor_required) {
    // Started at once, while the password is known.
    const [authenticator, { unavailable }] = await Promise.all([
      callWithToken(secondFactor.start, answer.access_token, { current_password: password }),
      callWithToken(passkeys.list, answer.access_token, {}),
    ])
    return { step: 'setUp', login, password, tokens: answer, offersPasskeys: unavailable === null, authenticator }
  }
  beginSession(login, answer)
  return undefined
}

/** Turns on the second factor that is set up, and resolves with the recovery codes. Rejects with ApiError. */
export async function confirmSetUp({ access_token }: Tokens, code: string): Promise<readonly string[]> {
  return (await callWithToken(secondFactor.confirm, access_token, { code })).recovery_codes
}

/** Signs in with the code of a second factor. Rejects with ApiError. */
export async function enterCode(login: string, ticket: string, code: string): Promise<void> {
  beginSession(login, await callWithToken(auth.enterCode, ticket, { code }))
}

/** Adds a passkey as the second factor that is needed, and resolves with the recovery codes. Rejects with its reason. */
export async function addFirstPasskey({ access_token }: Tokens, current_password: string): Promise<readonly string[]> {
  const options = await callWithToken(passkeys.start, access_token, { current_password })
  const credential = await createPasskey(options)
  return (await callWithToken(passkeys.add, access_token, { name: 'Passkey', credential })).recovery_codes
}

/** Signs in with a passkey. Rejects with ApiError, or with why the browser has none. */
export async function usePasskey(login: string, ticket: string): Promise<void> {
  const credential = await signWithPasskey(await callWithToken(auth.startPasskey, ticket, {}))
  beginSession(login, await callWithToken(auth.usePasskey, ticket, { credential }))
}

/** Stores the session. Resets searches, selections and other state if another person used this browser before. */
export function beginSession(login: string, tokens: Tokens): void {
  storeTokens(tokens, login)
  connection.sessionEnded = false
  if (owner.id !== session.userId) resetUserState({ reload: true })
  owner.id = session.userId
}
