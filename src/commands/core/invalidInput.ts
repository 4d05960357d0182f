/** What is wrong with what a command was given. */
import type * as z from 'zod/mini'
import { fieldIssue } from './fieldIssue.ts'

/** What is wrong with the arguments, by field; the empty name stands for all of them together. */
export class InvalidInput extends Error {
  readonly fields: Readonly<Record<string, string>>
  constructor(fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(', '))
    this.fields = fields
  }
}

/** The first problem of each field, in the forms' words. */
export function problems(error: z.core.$ZodError, schema: z.ZodMiniObject): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of error.issues) {
    const name = String(issue.path[0] ?? '')
    const field: z.core.$ZodType | undefined = schema.shape[name]
    found[name] ??= name === '' ? issue.message : fieldIssue(issue, field)
  }
  return found
}
