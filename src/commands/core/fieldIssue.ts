import type * as z from 'zod/mini'
import { metaOf } from '../../api/contract/fields.ts'
import { issueMessage } from '../../domain/lib/issues.ts'
import { formatForInput } from '../../domain/format.ts'
import { preferences } from '../../store/preferences.ts'

/** Returns the message for a validation issue of a field, with the bounds in the person's unit. */
export function fieldIssue(issue: z.core.$ZodIssue, field: z.core.$ZodType | undefined): string {
  const meta = field && metaOf(field)
  const quantity = meta?.quantity
  if (quantity === undefined) return issueMessage(issue, meta?.label)
  const inUnit = (bound: number | bigint) => Number(formatForInput(Number(bound), quantity, preferences.units))
  if (issue.code === 'too_big' && issue.origin === 'number')
    return issueMessage({ ...issue, maximum: inUnit(issue.maximum) }, meta?.label)
  if (issue.code === 'too_small' && issue.origin === 'number')
    return issueMessage({ ...issue, minimum: inUnit(issue.minimum) }, meta?.label)
  return issueMessage(issue, meta?.label)
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
