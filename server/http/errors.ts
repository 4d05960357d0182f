/** Every failure leaves in one shape: `{ message }`, one text or a list of them. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../core/errors.ts'

/** What Fastify and its plugins find wrong before a handler sees the request, in our statuses and words. */
const knownErrors: Readonly<Record<string, HttpError>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: new HttpError(400, 'The body is not valid JSON'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(400, 'The content type must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new HttpError(400, 'The content length does not fit the body'),
  FST_ERR_CTP_BODY_TOO_LARGE: new HttpError(413, 'The body is too large'),
  FST_ERR_BAD_URL: new HttpError(400, 'The address is not validly encoded'),
}

const unexpected = new HttpError(500, 'Something went wrong on the server, please try again')

function toHttpError(error: FastifyError | HttpError): HttpError {
  if (error instanceof HttpError) return error
  const { code, statusCode = 500 } = error
  if (code in knownErrors) return knownErrors[code]!
  return statusCode >= 400 && statusCode < 500 ? new HttpError(400, 'The request cannot be read') : unexpected
}

/** Answers a failure. What is not the caller's fault goes to the log whole, and to the caller without its insides. */
export function sendError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toHttpError(error)
  if (failure === unexpected) request.log.error(error)
  return reply.code(failure.status).headers(failure.headers).send({ message: failure.messages })
}
