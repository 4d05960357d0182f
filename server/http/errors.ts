/** Error responses, all as `{ message }` with one text or a list of texts. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../core/errors.ts'
import { databaseFailure } from '../db/state.ts'

/** Errors of Fastify and its plugins, by code. */
const knownErrors: Readonly<Record<string, HttpError>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new HttpError(400, 'The body is not valid JSON'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(400, 'The content type must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new HttpError(400, 'The Content-Length header does not match the body'),
  FST_ERR_CTP_BODY_TOO_LARGE: new HttpError(413, 'The body is too large'),
  FST_ERR_BAD_URL: new HttpError(400, 'The URL is not encoded correctly'),
}

const unexpected = new HttpError(500, 'Something went wrong on the server, please try again')

function toHttpError(error: FastifyError | HttpError): HttpError {
  if (error instanceof HttpError) return error
  const { code, statusCode = 500 } = error
  if (code in knownErrors) return knownErrors[code]!
  const failure = databaseFailure(error)
  if (failure) return failure
  return statusCode >= 400 && statusCode < 500 ? new HttpError(400, 'The request is not valid HTTP') : unexpected
}

/** Sends an error response. Unexpected errors and reasons that are for the log only are logged, and not sent. */
export function sendError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toHttpError(error)
  const call = `${request.method} ${request.routeOptions.url ?? ''}`
  if (failure === unexpected) request.log.error({ err: error }, `${call} failed`)
  if (failure.reason !== undefined) request.log.warn(`${call} was refused: ${failure.reason}`)
  return reply.code(failure.status).headers(failure.headers).send({ message: failure.messages })
}
