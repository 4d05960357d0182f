import type * as z from 'zod/mini'
import { issueMessage } from '../../src/domain/lib/issues.ts'

/** An error for the client: an HTTP status and one message or a list of messages. */
export class HttpError extends Error {
  readonly status: number
  readonly messages: string | readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Why, for the log only: it could help an attacker. */
  readonly reason: string | undefined

  constructor(
    status: number,
    messages: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
    reason?: string,
  ) {
    super(typeof messages === 'string' ? messages : messages.join(', '))
    this.status = status
    this.messages = messages
    this.headers = headers
    this.reason = reason
  }
}
export const badRequest = (messages: string | readonly string[]) => new HttpError(400, messages)
/** A 400 with what is wrong with an input: one message or a list. */
export function invalidInput(issues: readonly z.core.$ZodIssue[]): HttpError {
  const messages = issues.map(issue => issueMessage(issue))
  return badRequest(messages.length === 1 ? messages[0]! : messages)
}
export const notFound = (noun: string) => new HttpError(404, `${noun} not found`)
export const forbidden = (message = 'You may not do this') => new HttpError(403, message)
export const conflict = (message: string) => new HttpError(409, message)
