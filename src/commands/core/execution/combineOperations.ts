/** Several orders given as one. */
import type { BulkAnswer } from '../../../api/contract/endpoint.ts'
import { ApiError } from '../../../api/errors.ts'
import type { BulkOperation } from '../types.ts'

/** The server was reached and said no: what is named is not there any more, or may not be had. */
const isRefusal = ({ status }: ApiError): boolean => status >= 400 && status < 500

/** Several orders as one, each for its own ids; ids of none of them fail with that reason. */
export const combineOperations = (
  parts: readonly { readonly ids: ReadonlySet<string>; readonly order: BulkOperation }[],
  reason: string,
): BulkOperation => ({
  async send(ids, how) {
    const answers: BulkAnswer[] = []
    let lost: ApiError | undefined
    const rest = new Set(ids)
    for (const part of parts) {
      const own = ids.filter(id => part.ids.has(id))
      for (const id of own) rest.delete(id)
      if (own.length === 0) continue
      try {
        answers.push(await part.order.send(own, how))
      } catch (error) {
        // What the other calls did is done: a lost one is so many failures, as a lost chunk is. Beforehand, what is
        // refused would be so many failures too; that the server cannot tell is no answer.
        if (!(error instanceof ApiError) || (how.preview && !isRefusal(error))) throw error
        lost = error
        const { message } = error
        answers.push({ count: 0, total: own.length, failed: own.map(id => ({ id, message })) })
      }
    }
    if (lost && !how.preview && answers.every(({ count }) => count === 0)) throw lost
    return {
      count: answers.reduce((sum, { count }) => sum + count, 0),
      total: ids.length,
      failed: [...answers.flatMap(({ failed }) => failed), ...[...rest].map(id => ({ id, message: reason }))],
      before: answers.flatMap(({ before }) => before ?? []),
    }
  },
})
