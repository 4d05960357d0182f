import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'
import { EnteredPassword, Login, Password } from './fields.ts'

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user_id: z.string(),
  user_role: z.enum(roles),
})
export type Tokens = z.output<typeof Tokens>

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/v3/auth/login/dashboard',
    roles: 'public',
    summary:
      'Sign in. Wrong passwords and unknown logins get the same response; 429 after five failures in five minutes.',
    body: z.strictObject({ login: Login, password: EnteredPassword }),
    response: Tokens,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/v3/auth/logout',
    roles,
    summary: 'End this session.',
    response: Done,
  }),
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
    summary: 'Send a recovery link by mail. The response is the same whether or not the login exists.',
    body: z.strictObject({ login: Login }),
    response: Done,
  }),
  restorePassword: endpoint({
    method: 'POST',
    path: '/api/v3/auth/password/restore',
    roles: 'public',
    summary: 'Set a new password with the token of a recovery mail.',
    tokenHeader: 'password-recovery-token',
    body: z.strictObject({ password: Password }),
    response: Done,
  }),
  confirmEmail: endpoint({
    method: 'POST',
    path: '/api/v3/auth/email/confirm',
    roles: 'public',
    summary: 'Confirm an email address with the token of a confirmation mail.',
    tokenHeader: 'email-confirmation-token',
    response: Done,
  }),
}
