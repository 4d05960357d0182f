/** The Fastify app: API, API reference at /docs, health check and console. */
import { join } from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import { sql } from 'drizzle-orm'
import { fastify, type FastifyInstance } from 'fastify'
import { maxUploadBytes } from '../src/api/contract/uploads.ts'
import { HttpError } from './core/errors.ts'
import type { Handler, Services } from './endpoints/handler.ts'
import { closeGracefully } from './http/gracefulShutdown.ts'
import { addConsole } from './http/console.ts'
import { addDocs } from './http/docs.ts'
import { sendError } from './http/errors.ts'
import { acceptJson, checkBySchema, maxBodyBytes } from './http/input.ts'
import { addRoutes } from './http/routes.ts'
import { addSecurityHeaders } from './http/security.ts'
import { openLive, type StreamIntervals } from './live/live.ts'
import { version } from './core/version.ts'

interface Options {
  readonly services: Services
  readonly handlers: readonly Handler[]
  /** Folder of the built console. */
  readonly consoleFolder?: string
  /** Overrides the intervals of the live streams, for tests. */
  readonly intervals?: Partial<StreamIntervals>
}

const builtConsole = join(import.meta.dirname, '..', 'dist')

/** Builds the app without listening. The caller owns the services and closes them. */
export async function buildApp({
  services,
  handlers,
  consoleFolder = builtConsole,
  intervals = {},
}: Options): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    // Throttling and the audit log use the client address; only a trusted proxy may set it by a header.
    trustProxy: services.config.trustProxy ?? false,
    // Fastify's default is no timeout: a slow client could hold a connection forever.
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: sendError,
    logger: {
      level: services.config.logLevel,
      // Headers and query are left out because they carry tokens.
      serializers: { req: ({ method, url, ip }) => ({ method, path: url?.split('?', 1)[0], ip }) },
    },
  })
  app.setErrorHandler(sendError)
  app.setValidatorCompiler(checkBySchema)
  await addSecurityHeaders(app, services.config.publicUrl)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // Responses are not cached, so speed matters more than size.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
  })
  closeGracefully(app)
  await addDocs(app)
  const live = openLive({ ...services, onError: error => app.log.error(error), intervals })
  // Streams never end by themselves, so they are closed before the server waits for open responses.
  app.addHook('preClose', async () => live.close())

  await app.register(async api => {
    acceptJson(api)
    await api.register(multipart, { limits: { fileSize: maxUploadBytes, files: 2, fields: 1, parts: 3 } })
    api.addHook('onRequest', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    addRoutes(api, [...handlers, live.handler], services)
  })

  app.get('/health', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await services.db.execute(sql`select 1`)
    } catch (error) {
      app.log.error(error)
      throw new HttpError(503, 'The database is not available')
    }
    return { data: { status: 'ok', version } }
  })

  await addConsole(app, consoleFolder)
  return app
}
