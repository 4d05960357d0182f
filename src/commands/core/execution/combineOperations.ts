import type { BulkResponse } from '../../../api/contract/endpoint.ts'
import { ApiError } from '../../../api/errors.ts'
import type { CallOperation } from '../types.ts'

/** Whether the server refused the call: for example, a referenced row no longer exists or is not permitted. */
const isRefusal = ({ status }: ApiError): boolean => status >= 400 && status < 500

/** Returns one operation that sends each part for its own ids; ids that belong to no part fail with `reason`. */
export const combineOperations = (
  parts: readonly { readonly ids: ReadonlySet<string>; readonly operation: CallOperation }[],
  reason: string,
): CallOperation => ({
  async send(ids, how) {
    const answers: BulkResponse[] = []
    let lastError: ApiError | undefined
    const rest = new Set(ids)
    for (const part of parts) {
      const own = ids.filter(id => part.ids.has(id))
      for (const id of own) rest.delete(id)
      if (own.length === 0) continue
      try {
        answers.push(await part.operation.send(own, how))
      } catch (error) {
        // The other calls may have succeeded, so a failed call only fails its own ids, as a failed chunk does. The same
        // applies to a refusal in a dry run; any other error leaves the result of the dry run unknown.
        if (!(error instanceof ApiError) || (how.preview && !isRefusal(error))) throw error
        lastError = error
        const { message } = error
        answers.push({ count: 0, total: own.length, failed: own.map(id => ({ id, message })) })
      }
    }
    if (lastError && !how.preview && answers.every(({ count }) => count === 0)) throw lastError
    return {
      count: answers.reduce((sum, { count }) => sum + count, 0),
      total: ids.length,
      failed: [...answers.flatMap(({ failed }) => failed), ...[...rest].map(id => ({ id, message: reason }))],
      before: answers.flatMap(({ before }) => before ?? []),
    }
  },
})
