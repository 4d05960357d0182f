/** Validation of requests before handlers run: JSON, values against the contract, and uploads. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, ListQuery } from '../../src/api/contract/endpoint.ts'
import { issueMessage } from '../../src/api/contract/issues.ts'
import { badRequest, HttpError } from '../core/errors.ts'
import type { UploadedFile } from '../endpoints/handler.ts'

/** Maximum size of a JSON body in bytes. */
export const maxBodyBytes = 2 * 1024 * 1024

const nulError = badRequest('Text must not contain NUL characters')

/**
 * Accepts JSON bodies only; an empty body is allowed. NUL is rejected everywhere, escaped or percent-encoded, because
 * PostgreSQL cannot store it in text.
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

/** Validates with the contract's schemas. Fails with a 400 that contains one readable message or a list. */
export const checkBySchema: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = z.safeParse(schema, input ?? {}, { reportInput: true })
    if (parsed.success) return { value: parsed.data }
    const messages = parsed.error.issues.map(issue => issueMessage(issue))
    return { error: badRequest(messages.length === 1 ? messages[0]! : messages) }
  }

/** Returns an endpoint's schemas for Fastify; an upload's body is read separately. */
export const inputSchemas = (endpoint: Endpoint): FastifySchema => ({
  params: endpoint.params,
  querystring: endpoint.query,
  ...(endpoint.method === 'GET' || endpoint.upload ? {} : { body: endpoint.body }),
})

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
  // All other errors of the parser mean that the body is not a valid multipart body.
  return invalidUpload
}
