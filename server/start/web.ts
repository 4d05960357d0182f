/** Answers HTTP: the API and the console, or only health checks. */
import { fastify, type FastifyBaseLogger } from 'fastify'
import { buildApp } from '../web/app.ts'
import type { Config } from '../core/config.ts'
import type { ServerLog } from '../core/logger.ts'
import type { Link } from '../devices/link.ts'
import { handlers } from '../web/handlers.ts'
import { guardServer, protocolOptions } from '../http/connections.ts'
import { sendError } from '../http/errors.ts'
import { addHealth } from '../http/health.ts'
import { listen } from '../http/listen.ts'
import { addSecurityHeaders } from '../http/security.ts'
import type { MailQueue } from '../mail/mailQueue.ts'
import type { Base } from './base.ts'
import type { Closers } from './closers.ts'

/** Milliseconds that a request of a health check may take. */
const healthTimeout = 10_000

interface WebOptions {
  readonly link: Link
  readonly mails: Pick<MailQueue, 'wake'>
}

/** Serves the API and the console. */
export async function serveWeb(base: Base, { link, mails }: WebOptions, closers: Closers): Promise<void> {
  const { config, log, serving, tracing, certificate, metrics } = base
  const app = await buildApp({
    services: {
      ...base,
      db: serving.db,
      telemetry: base.servedTelemetry,
      database: serving.state,
      link,
      mails,
    },
    handlers,
    logger: requestLogger(config, log),
    metrics,
    ...(tracing && { tracing }),
    ...(certificate && { certificate }),
  })
  closers.add(() => app.close())
  await listen(app, config)
}

/** Serves the health checks of a server without the role web, for those who start it again. */
export async function serveHealth(
  { config, log, serving, bus, telemetry, certificate }: Base,
  closers: Closers,
): Promise<void> {
  const app = fastify({
    loggerInstance: requestLogger(config, log),
    requestTimeout: healthTimeout,
    ...protocolOptions(certificate),
    frameworkErrors: sendError,
  })
  // As for the API: a gateway shares its file descriptors with devices.
  guardServer(app.server, config, certificate)
  app.setErrorHandler(sendError)
  await addSecurityHeaders(app, config.publicUrl)
  addHealth(app, { database: serving.state, bus, telemetry })
  closers.add(() => app.close())
  await listen(app, config)
}

/** Returns the log of requests: at `info` Fastify would only say where it listens, which `logStart` says for people. */
const requestLogger = ({ logLevel }: Config, { logger }: ServerLog): FastifyBaseLogger =>
  logger.child({}, { level: logLevel === 'info' ? 'warn' : logLevel })
