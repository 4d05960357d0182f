/** A hostile request as it is sent. */
import type { HostileRequest } from './requests.ts'

/** Returns the bytes of a request. Its headers are sent as they are, which HTTP libraries would refuse. */
export function requestBytes({ method, url, headers, payload }: HostileRequest): Buffer {
  const body = payload === undefined ? undefined : Buffer.from(payload)
  const all = { host: 'localhost', ...headers, ...(body && { 'content-length': String(body.length) }) }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const head = Buffer.from([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1')
  return body ? Buffer.concat([head, body]) : head
}
