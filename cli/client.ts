/** Calls the API with a key. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { keyPrefix } from '../src/api/contract/apiKeys.ts'
import type { Endpoint } from '../src/api/contract/endpoint.ts'
import { addressOf } from '../src/api/contract/address.ts'
import { parseJson } from '../src/domain/lib/parseJson.ts'
import { Failure, usageError, type ExitCodeName } from './failure.ts'
import { printable } from './printable.ts'

/** What a call sends, as the endpoint's schemas take it. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: File
}

export interface Client {
  /** Returns the `data` of the response. Throws a `Failure` for every other outcome. */
  call<A extends z.core.$ZodType>(
    endpoint: Endpoint<z.core.$ZodType, z.core.$ZodType, z.core.$ZodType, A>,
    input?: CallInput,
  ): Promise<z.output<A>>
}

const Success = z.object({ data: z.unknown() })
const Refusal = z.object({ message: z.union([z.string(), z.array(z.string())]) })

/** How the program ends after a refusal of a status; `failed` after others. */
const exitCodeNames: Readonly<Record<number, ExitCodeName>> = {
  400: 'usage',
  401: 'forbidden',
  403: 'forbidden',
  422: 'usage',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
}

/** Creates a client. Throws a usage error without an address, and a failure without a key. */
export function openClient(url: string | undefined, key: string | undefined): Client {
  if (url === undefined || url === '') throw usageError('Set PERMEATE_URL to the address of the server, or use --url')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageError('The address of the server must be like https://permeate.example.com')
  if (key === undefined || key === '')
    throw new Failure('forbidden', 'Set PERMEATE_KEY to an API key, which you create in your profile in the console')
  if (!key.startsWith(keyPrefix) || /[^\x21-\x7e]/.test(key))
    throw new Failure('forbidden', `PERMEATE_KEY must be an API key, which begins with ${keyPrefix}`)
  const base = url.replace(/\/+$/, '')
  return {
    call: async (endpoint, { params, query, body, file } = {}) => {
      const form = new FormData()
      if (file) form.append('file', file)
      const isJson = endpoint.method !== 'GET' && !file
      const headers = {
        authorization: `Bearer ${key}`,
        ...(endpoint.method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(isJson && { 'content-type': 'application/json' }),
      }
      const sent = file ? { body: form } : isJson ? { body: JSON.stringify(body ?? {}) } : {}
      const address = base + addressOf(endpoint.path, params, query)
      const { status, text } = await answerOf(address, { method: endpoint.method, headers, ...sent })
      // It may be not the API's JSON but, for example, a proxy's error page.
      const content = parseJson(text)
      const success = z.safeParse(Success, content)
      // The contract says what an endpoint answers with.
      if (status < 300 && success.success) return success.data.data as never
      throw refusal(status, content)
    },
  }
}

async function answerOf(address: string, request: RequestInit): Promise<{ status: number; text: string }> {
  try {
    // A redirect would send the key to another address, or leave it out there.
    const response = await fetch(address, { ...request, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null)
      throw usageError(`The server is at ${new URL(location, address).origin}: set PERMEATE_URL to it`)
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (error instanceof Failure) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
    throw new Failure('unreachable', `The server at ${printable(new URL(address).origin)} cannot be reached: ${reason}`)
  }
}

function refusal(status: number, content: unknown): Failure {
  const { data } = z.safeParse(Refusal, content)
  if (!data && status < 300) return new Failure('unreachable', 'This address has no Permeate server')
  const messages = data ? [data.message].flat() : [`The server answered ${status}`]
  return new Failure(exitCodeNames[status] ?? 'failed', messages.map(printable).join('\n'))
}
