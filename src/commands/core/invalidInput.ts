import type * as z from 'zod/mini'
import { fieldIssue } from './fieldIssue.ts'

/**
 * Thrown for invalid arguments: a message for each field, and under the empty name one for the arguments as a whole.
 */
export class InvalidInput extends Error {
  readonly fields: Readonly<Record<string, string>>
  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(', '))
    this.fields = fields
  }
}

/** Returns the message of the first issue of each field. */
export function problems(error: z.core.$ZodError, schema: z.ZodMiniObject): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '')
    const field: z.core.$ZodType | undefined = schema.shape[name]
    messages[name] ??= name === '' ? issue.message : fieldIssue(issue, field)
  }
  return messages
}
