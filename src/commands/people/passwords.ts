/** Fields for a new password, which is entered twice. */
import * as z from 'zod/mini'
import { EnteredPassword, Password, withMeta } from '../../api/contract/fields.ts'
import { messages } from '../../domain/messages.ts'

export const newPassword = {
  password: withMeta(Password, { label: 'New password', as: 'secret' }),
  repeat: withMeta(EnteredPassword, { label: 'Repeat password', as: 'secret' }),
}

/** The fields for the password of a new account. */
export const firstPassword = {
  ...newPassword,
  password: withMeta(Password, { label: 'Password', as: 'secret' }),
}

/** Checks that both entries are equal; the message belongs to the second field. */
export const passwordsMatch = z.refine<{ password: string; repeat: string }>(
  ({ password, repeat }) => password === repeat,
  { error: messages.passwordsMatch, path: ['repeat'] },
)
