/** Arguments that prove who adds or changes a second factor, or creates an API key. */
import * as z from 'zod/mini'
import { EnteredCode, EnteredPassword, withMeta } from '../../api/contract/fields.ts'

const current_password = withMeta(EnteredPassword, { label: 'Current password', as: 'secret' })

export const codeHint = 'From your authenticator app, or a recovery code. Leave empty to use a passkey'
export const proof = {
  current_password,
  code: withMeta(z.optional(EnteredCode), { label: 'Code', hint: codeHint, as: 'code' }),
}

/** The same for accounts that may have no second factor; forms leave the code out where there is none. */
export const accountProof = {
  current_password,
  code: withMeta(z.optional(EnteredCode), {
    label: 'Code',
    hint: 'If you have a second factor: a code, or leave it empty to use a passkey',
    as: 'code',
  }),
}
