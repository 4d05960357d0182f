/** Validation of requests before handlers run: JSON, values against the contract, and uploads. */
import { PassThrough, pipeline, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, ListQuery } from '../../src/api/contract/endpoint.ts'
import { jobs } from '../../src/api/contract/jobs.ts'
import { maxUploadBytes } from '../../src/domain/uploads.ts'
import { badRequest, HttpError, invalidInput } from '../core/errors.ts'
import type { UploadedFile } from '../endpoints/handler.ts'
import { maxUploadWait } from './queues.ts'

/** Maximum bytes of a JSON body. */
export const maxBodyBytes = 64 * 1024
/** The same for a call that names up to a thousand rows, with ids of the maximum length and some white space. */
const maxBodyOfMany = 128 * 1024
/** Bytes: 100,000 ids of 17 characters with their quotes and commas. */
const maxBodyOfJob = 2 * 1024 * 1024

/** Bytes of an upload with its multipart frame. */
export const maxUploadBody = maxUploadBytes * 1.1

/** How fast bodies have to arrive. */
export interface BodyPace {
  /** Milliseconds for a JSON body. */
  readonly jsonTimeout: number
  /** Milliseconds after which an upload has to have arrived at the rate `minUploadRate`. */
  readonly uploadGrace: number
}
export const bodyPace: BodyPace = { jsonTimeout: 15_000, uploadGrace: 10_000 }
/** Bytes a second. */
const minUploadRate = 32 * 1024
/** Milliseconds in which an upload of the maximum size arrives at this rate, once its turn has come. */
const maxUploadTime = Math.ceil((maxUploadBody / minUploadRate) * 1000) + bodyPace.uploadGrace
/** Milliseconds after which any request ends that has not arrived, waiting for a turn included. */
export const maxRequestTime = maxUploadTime + maxUploadWait

const tooSlow = () => new HttpError(408, 'The request was sent too slowly', { connection: 'close' })

/** Returns the maximum bytes of an endpoint's JSON body. Parsing and validating one blocks the server for all callers. */
export function bodyLimitOf(endpoint: Endpoint): number {
  if (endpoint === jobs.create) return maxBodyOfJob
  const { body } = endpoint
  return 'shape' in body && ['ids', 'devices'].some(name => name in (body.shape as object))
    ? maxBodyOfMany
    : maxBodyBytes
}

const tooLarge = new HttpError(413, 'The body is too large', { connection: 'close' })

/** Throws a 413 if the request announces a larger body than the endpoint takes. */
export function rejectLargeBody(endpoint: Endpoint, { headers }: FastifyRequest): void {
  if (Number(headers['content-length']) > bodyLimitOf(endpoint)) throw tooLarge
}

/** Returns the body as a stream that fails with a 408 if it does not end in time. */
export function endingInTime(body: Readable, timeout: number): Readable {
  const timed = new PassThrough()
  const timer = setTimeout(() => timed.destroy(tooSlow()), timeout).unref()
  pipeline(body, timed, () => clearTimeout(timer))
  return timed
}

const nulError = badRequest('Text must not contain NUL characters')

/** Whether a JSON text has an escape of a surrogate, which may be one without its pair. */
const hasSurrogates = (body: string): boolean => /\\u[Dd][89A-Fa-f]/.test(body)

/** Replaces surrogates without a pair in all texts. */
const wellFormed = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)))

/**
 * Accepts JSON bodies only; an empty body is allowed. NUL is rejected everywhere, escaped or percent-encoded, because
 * PostgreSQL cannot store it in text. Surrogates without a pair are replaced, because its JSON does not allow them.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (/(?<!\\)(?:\\\\)*\\u0000/.test(body)) return done(nulError)
    return parse(request, body, (error, value) => done(error, hasSurrogates(body) ? wellFormed(value) : value))
  })
  app.addHook('onRequest', async request => {
    if (request.url.includes('%00')) throw nulError
  })
}

/** Validates with the contract's schemas. Fails with a 400 that contains one readable message or a list. */
export const checkBySchema: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = z.safeParse(schema, input ?? {}, { reportInput: true })
    if (parsed.success) return { value: parsed.data }
    return { error: invalidInput(parsed.error.issues) }
  }

/** Returns an endpoint's schemas for Fastify; an upload's body is read separately. */
export const inputSchemas = (endpoint: Endpoint): FastifySchema => ({
  params: endpoint.params,
  querystring: endpoint.query,
  ...(endpoint.method === 'GET' || endpoint.upload ? {} : { body: endpoint.body }),
})

/** Removes the empty parameters of a list's query, which count as absent. */
export function dropEmptyParameters({ columns }: Endpoint, request: FastifyRequest): void {
  if (columns)
    request.query = Object.fromEntries(Object.entries(request.query as object).filter(([, value]) => value !== ''))
}

/** Throws a 400 with the allowed columns if a list is searched or sorted by an unknown column. */
export function checkColumns(endpoint: Endpoint, query: unknown): void {
  const { columns } = endpoint
  if (!columns) return
  const { column, sort } = query as z.output<typeof ListQuery>
  for (const [attribute, name] of Object.entries({ Column: column, Sort: sort }))
    if (name && !Object.hasOwn(columns.kinds, name))
      throw badRequest(`${attribute} must be one of ${Object.keys(columns.kinds).join(', ')}`)
}

const invalidUpload = badRequest('Send one file as multipart/form-data, in a part named file')

/** Returns the file of an upload. Reads it completely, to check that it is the only part and within the size limit. */
export async function readUpload(request: FastifyRequest, { uploadGrace }: BodyPace): Promise<UploadedFile> {
  if (!request.isMultipart()) throw invalidUpload
  const { promise: slow, reject } = Promise.withResolvers<never>()
  slow.catch(() => undefined)
  const stopWatching = watchRate(request, uploadGrace, () => reject(tooSlow()))
  try {
    return await Promise.race([readParts(request), slow])
  } catch (error) {
    throw uploadError(error)
  } finally {
    stopWatching()
  }
}

async function readParts(request: FastifyRequest): Promise<UploadedFile> {
  let file: UploadedFile | undefined
  for await (const part of request.parts()) {
    if (file || part.type !== 'file' || part.fieldname !== 'file') throw invalidUpload
    file = { name: part.filename, bytes: await part.toBuffer() }
  }
  if (!file) throw invalidUpload
  return file
}

/** Calls `onSlow` once an upload comes too slowly; returns the function that stops watching. */
function watchRate({ raw }: FastifyRequest, grace: number, onSlow: () => void): () => void {
  const started = performance.now()
  const { socket } = raw
  const before = socket.bytesRead
  const timer = setInterval(
    () => {
      const elapsed = performance.now() - started
      if (elapsed > grace && ((socket.bytesRead - before) / elapsed) * 1000 < minUploadRate) onSlow()
    },
    Math.min(1000, grace),
  )
  return () => clearInterval(timer)
}

function uploadError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new HttpError(413, 'The file is larger than 10 MB')
  // All other errors of the parser mean that the body is not a valid multipart body.
  return invalidUpload
}
