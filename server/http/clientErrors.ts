/** Responses to what Node cannot read as a request. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** The status and the message of each error, by its code. */
const knownErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address or the headers of the request are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was sent too slowly'],
}
const invalid = [400, 'The request is not valid HTTP'] as const

/**
 * Responds in the error format of the API and closes the connection, as nothing after such bytes can be read. The response
 * says so: a client or a proxy would otherwise send its next request on it, and lose it.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // A connection that was reset is gone already.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = knownErrors[error.code ?? ''] ?? invalid
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
