import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'
import { EnteredCode, EnteredPassword, Login, Password } from './fields.ts'
import { logout } from './logout.ts'
import { BrowserOptions, SignedCredential } from './passkeys.ts'

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user_id: z.string(),
  user_role: z.enum(roles),
  /** The account must set up a second factor: until then the tokens serve only for that. */
  second_factor_required: z.optional(z.literal(true)),
})
export type Tokens = z.output<typeof Tokens>

/** The account has a second factor, so a code or a passkey is needed too. */
const SecondFactorNeeded = z.object({
  /** Valid for five minutes, for `POST /api/v3/auth/login/code` and `…/passkey`. */
  login_ticket: z.string(),
  /** The account can use a passkey. */
  passkey: z.optional(z.literal(true)),
})

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/v3/auth/login/dashboard',
    roles: 'public',
    summary:
      'Sign in. Wrong passwords and unknown logins get the same response; 429 after five failures in five minutes. ' +
      'An account with a second factor gets a ticket instead of tokens.',
    body: z.strictObject({ login: Login, password: EnteredPassword }),
    response: z.union([Tokens, SecondFactorNeeded]),
  }),
  enterCode: endpoint({
    method: 'POST',
    path: '/api/v3/auth/login/code',
    roles: 'public',
    summary: 'Sign in with the ticket of a right password and a code: of the authenticator, or a recovery code.',
    tokenHeader: 'login-ticket',
    body: z.strictObject({ code: EnteredCode }),
    response: Tokens,
  }),
  startPasskey: endpoint({
    method: 'POST',
    path: '/api/v3/auth/login/passkey/options',
    roles: 'public',
    summary: 'Options for `navigator.credentials.get`, with a challenge that is valid once and as long as the ticket.',
    tokenHeader: 'login-ticket',
    response: BrowserOptions,
  }),
  usePasskey: endpoint({
    method: 'POST',
    path: '/api/v3/auth/login/passkey',
    roles: 'public',
    summary: 'Sign in with the ticket of a right password and a passkey of the account.',
    tokenHeader: 'login-ticket',
    body: z.strictObject({ credential: SignedCredential }),
    response: Tokens,
  }),
  logout,
  refresh: endpoint({
    method: 'POST',
    path: '/api/v3/auth/refresh',
    roles: 'public',
    summary: 'Exchange a refresh token for new tokens. It can be used only once.',
    tokenHeader: 'refresh-token',
    response: Tokens,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/v3/auth/forgot-password/dashboard',
    roles: 'public',
    summary: 'Send a recovery link by email. The response is the same whether or not the login exists.',
    body: z.strictObject({ login: Login }),
    response: Done,
  }),
  restorePassword: endpoint({
    method: 'POST',
    path: '/api/v3/auth/password/restore',
    roles: 'public',
    summary: 'Set a new password with the token of a recovery email.',
    tokenHeader: 'password-recovery-token',
    body: z.strictObject({ password: Password }),
    response: Done,
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/api/v3/auth/email/confirm',
    roles: 'public',
    summary: 'Confirm an email address with the token of a confirmation email.',
    tokenHeader: 'email-confirmation-token',
    response: Done,
  }),
}
