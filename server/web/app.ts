/** The Fastify app: API, API reference at /docs, health check and console. */
import { join } from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { maxUploadBytes } from '../../src/domain/uploads.ts'
import type { Certificate } from '../core/certificate.ts'
import { openLog } from '../core/logger.ts'
import type { Handler, Services } from '../endpoints/handler.ts'
import { answerClientError } from '../http/clientErrors.ts'
import { guardServer, protocolOptions } from '../http/connections.ts'
import { closeGracefully } from '../http/gracefulShutdown.ts'
import { addConsole } from '../http/console.ts'
import { addDocs } from '../http/docs.ts'
import { sendError } from '../http/errors.ts'
import { addHealth } from '../http/health.ts'
import { acceptJson, checkBySchema, maxBodyBytes, type BodyPace, maxRequestTime } from '../http/input.ts'
import { logRequests, requestIds } from '../http/requestLog.ts'
import { openQueues } from '../http/queues.ts'
import { addRoutes } from '../http/routes.ts'
import { addSecurityHeaders } from '../http/security.ts'
import { openLive, type StreamIntervals, type StreamLimits } from '../live/live.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { measureQueues } from '../metrics/queues.ts'
import { measureRequests } from '../metrics/requests.ts'

interface Options {
  readonly services: Services
  readonly handlers: readonly Handler[]
  /** Folder of the built console. */
  readonly consoleFolder?: string
  /** For HTTPS. */
  readonly certificate?: Certificate
  /** Overrides the intervals of the live streams, for tests. */
  readonly intervals?: Partial<StreamIntervals>
  /** Overrides how many live streams may be open, for tests. */
  readonly streamLimits?: StreamLimits
  /** By default a log of its own. */
  readonly logger?: FastifyBaseLogger
  /** Where requests are measured; by default nowhere. */
  readonly metrics?: Metrics
  /** By default requests are not traced. */
  readonly tracing?: Tracing
  /** Overrides how fast bodies have to arrive, for tests. */
  readonly pace?: BodyPace
}

const builtConsole = join(import.meta.dirname, '..', '..', 'dist')

/** In place of Fastify's compilers: input is checked by zod's schemas, and no route has a schema of its responses. */
const unused = (): never => {
  throw new Error('A route has a schema that nothing compiles')
}

/** Builds the app without listening. The caller owns the services and closes them. */
export async function buildApp({
  services,
  handlers,
  consoleFolder = builtConsole,
  certificate,
  intervals = {},
  streamLimits,
  logger = openLog(services.config).logger,
  metrics,
  tracing,
  pace,
}: Options): Promise<FastifyInstance> {
  const { config } = services
  const app = fastify({
    bodyLimit: maxBodyBytes,
    // Throttling and the audit log use the client address; only a trusted proxy may set it by a header.
    trustProxy: config.trustProxy ?? false,
    // Fastify's default is no timeout: a slow client could hold a connection forever.
    requestTimeout: maxRequestTime,
    ...protocolOptions(certificate),
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: sendError,
    clientErrorHandler: answerClientError,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIds(config.trustProxy !== undefined),
    // Without these, Fastify loads compilers of its own at each start.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
  })
  guardServer(app.server, config, certificate)
  logRequests(app)
  if (metrics) measureRequests(app, metrics)
  tracing?.requests(app)
  app.setErrorHandler(sendError)
  app.setValidatorCompiler(checkBySchema)
  await addSecurityHeaders(app, config.publicUrl)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Responses are not cached, so speed matters more than size.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
  })
  closeGracefully(app)
  await addDocs(app)
  const queues = openQueues()
  if (metrics) measureQueues(metrics, queues)
  const live = openLive({
    ...services,
    onError: error => app.log.error(error),
    intervals,
    ...(streamLimits && { limits: streamLimits }),
  })
  // Streams never end by themselves, so they are closed before the server waits for open responses.
  app.addHook('preClose', async () => live.close())

  await app.register(async api => {
    acceptJson(api)
    await api.register(multipart, { limits: { fileSize: maxUploadBytes, files: 2, fields: 1, parts: 3 } })
    api.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    addRoutes(api, [...handlers, live.handler], services, { queues, ...(pace && { pace }) })
  })

  addHealth(app, services)
  await addConsole(app, consoleFolder)
  return app
}
