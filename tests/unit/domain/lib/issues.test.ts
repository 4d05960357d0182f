/** The messages of section 5 for invalid input, which forms and server share. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { issueMessage } from '../../../../src/domain/lib/issues.ts'
import { newPassword, passwordsMatch } from '../../../../src/commands/people/passwords.ts'

const messagesOf = (schema: z.core.$ZodType, input: unknown) =>
  z.safeParse(schema, input, { reportInput: true }).error?.issues.map(issue => issueMessage(issue, 'Amount'))

const address = z.email()
const text = z.string().check(z.minLength(2), z.maxLength(4))
const amount = z.number().check(z.int(), z.gte(1), z.lte(9))

test.each([
  [text, undefined, 'Amount is required'],
  [text, 'a', 'Amount must be at least 2 characters'],
  [text, 'abcde', 'Amount must be at most 4 characters'],
  [address, 'nobody at example', 'Amount must be a valid email address'],
  [amount, undefined, 'Amount is required'],
  [amount, 0, 'Amount must be greater than or equal to 1'],
  [amount, 10, 'Amount must be less than or equal to 9'],
  [amount, 1.5, 'Amount must be an integer'],
] as const)('%# %o', (schema, input, message) => {
  expect(messagesOf(schema, input)).toEqual([message])
})

test('passwords must match', () => {
  const form = z.object(newPassword).check(passwordsMatch)
  expect(messagesOf(form, { password: 'long enough', repeat: 'long enough?' })).toEqual(['Passwords must match'])
  expect(messagesOf(form, { password: 'long enough', repeat: 'long enough' })).toBeUndefined()
})
