/** What is wrong with a field, with its bounds in the unit in which it is typed. */
import type * as z from 'zod/mini'
import { metaOf } from '../../api/contract/fields.ts'
import { issueMessage } from '../../api/contract/issues.ts'
import { editable } from '../../domain/format.ts'
import { preferences } from '../../store/preferences.ts'

export function fieldIssue(issue: z.core.$ZodIssue, field: z.core.$ZodType | undefined): string {
  const meta = field && metaOf(field)
  const quantity = meta?.quantity
  if (quantity === undefined) return issueMessage(issue, meta?.label)
  const shown = (bound: number | bigint) => Number(editable(Number(bound), quantity, preferences.units))
  if (issue.code === 'too_big' && issue.origin === 'number')
    return issueMessage({ ...issue, maximum: shown(issue.maximum) }, meta?.label)
  if (issue.code === 'too_small' && issue.origin === 'number')
    return issueMessage({ ...issue, minimum: shown(issue.minimum) }, meta?.label)
  return issueMessage(issue, meta?.label)
}
