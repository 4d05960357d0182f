/** A new password, typed twice. */
import * as z from 'zod/mini'
import { labelled, Password } from '../../api/contract/fields.ts'
import { messages } from '../../domain/messages.ts'

export const newPassword = {
  password: labelled(Password, { label: 'New password', as: 'secret' }),
  repeat: labelled(z.string(), { label: 'Repeat password', as: 'secret' }),
}

/** The message stands at the second. */
export const passwordsMatch = z.refine<{ password: string; repeat: string }>(
  ({ password, repeat }) => password === repeat,
  { error: messages.passwordsMatch, path: ['repeat'] },
)
