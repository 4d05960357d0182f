/** Arguments that prove who changes the second factor or creates an API key. */
import * as z from 'zod/mini'
import { EnteredCode, EnteredPassword, withMeta } from '../../api/contract/fields.ts'

export const current_password = withMeta(EnteredPassword, { label: 'Current password', as: 'secret' })

export const codeHint = 'Of the authenticator app, or a recovery code. Leave it empty to use a passkey'
export const proof = {
  current_password,
  code: withMeta(z.optional(EnteredCode), { label: 'Code', hint: codeHint, as: 'code' }),
}
