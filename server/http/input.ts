/** What comes in is checked here, before any handler: JSON, values against the contract, uploads. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, ListQuery } from '../../src/api/contract/endpoint.ts'
import { issueMessage } from '../../src/api/contract/issues.ts'
import { badRequest, HttpError } from '../core/errors.ts'
import type { UploadedFile } from '../endpoints/handler.ts'

/** Bytes of JSON that a call may send. */
export const maxBodyBytes = 2 * 1024 * 1024

const nulError = badRequest('Text must not hold NUL characters')

/**
 * Takes JSON and nothing else. No body at all reads as an empty one, so that a call without input may name its type.
 * NUL is refused everywhere, escaped or percent-encoded: PostgreSQL has no text with it.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (/(?<!\\)(?:\\\\)*\\u0000/.test(body)) return done(nulError)
    return parse(request, body, done)
  })
  app.addHook('onRequest', async request => {
    if (request.url.includes('%00')) throw nulError
  })
}

/** Checks by the contract's own schemas, and says what is wrong in a person's words: one message, or a list. */
export const checkBySchema: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = z.safeParse(schema, input ?? {}, { reportInput: true })
    if (parsed.success) return { value: parsed.data }
    const messages = parsed.error.issues.map(issue => issueMessage(issue))
    return { error: badRequest(messages.length === 1 ? messages[0]! : messages) }
  }

/** The schemas of an endpoint as Fastify takes them; an upload's body is read apart. */
export const inputSchemas = (endpoint: Endpoint): FastifySchema => ({
  params: endpoint.params,
  querystring: endpoint.query,
  ...(endpoint.method === 'GET' || endpoint.upload ? {} : { body: endpoint.body }),
})

/** Throws a 400 naming the allowed columns when a list is searched or sorted by one that it lacks. */
export function checkColumns(endpoint: Endpoint, query: unknown): void {
  const { columns } = endpoint
  if (!columns) return
  const { column, sort } = query as z.output<typeof ListQuery>
  for (const [attribute, name] of Object.entries({ Column: column, Sort: sort }))
    if (name !== undefined && !Object.hasOwn(columns.by, name))
      throw badRequest(`${attribute} must be one of ${Object.keys(columns.by).join(', ')}`)
}

const invalidUpload = badRequest('Send one file as multipart/form-data, in a part named file')

/** The one file of an upload, read whole: only then is it known to be the only one, and within the limit. */
export async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
  if (!request.isMultipart()) throw invalidUpload
  let file: { name: string; bytes: Buffer } | undefined
  try {
    for await (const part of request.parts()) {
      if (file || part.type !== 'file' || part.fieldname !== 'file') throw invalidUpload
      file = { name: part.filename, bytes: await part.toBuffer() }
    }
  } catch (error) {
    throw uploadError(error)
  }
  if (!file) throw invalidUpload
  return { name: file.name, stream: Readable.from(file.bytes, { objectMode: false }) }
}

function uploadError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new HttpError(413, 'The file is larger than 10 MB')
  // Whatever else the reader of multipart bodies throws, the body was not one.
  return invalidUpload
}
