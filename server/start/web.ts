/** Answers HTTP: the API and the console, or only health checks. */
import { Server as TlsServer } from 'node:tls'
import { fastify, type FastifyBaseLogger } from 'fastify'
import { buildApp } from '../web/app.ts'
import type { Config } from '../core/config.ts'
import type { ServerLog } from '../core/logger.ts'
import type { Link } from '../devices/link.ts'
import { handlers } from '../web/handlers.ts'
import { sendError } from '../http/errors.ts'
import { addHealth } from '../http/health.ts'
import type { MailQueue } from '../mail/mailQueue.ts'
import type { Base } from './base.ts'
import type { Closers } from './closers.ts'

interface WebOptions {
  readonly link: Link
  readonly mails: Pick<MailQueue, 'wake'>
}

/** Serves the API and the console. */
export async function serveWeb(base: Base, { link, mails }: WebOptions, closers: Closers): Promise<void> {
  const { config, log, serving, tracing, certificate, metrics } = base
  const app = await buildApp({
    services: { ...base, db: serving.db, database: serving.state, link, mails },
    handlers,
    logger: requestLogger(config, log),
    metrics,
    ...(tracing && { tracing }),
    ...(certificate && { certificate }),
  })
  closers.add(() => app.close())
  await app.listen({ port: config.port, host: config.host })
}

/** Serves the health checks of a server without the role web, for those who start it again. */
export async function serveHealth({ config, log, serving, certificate }: Base, closers: Closers): Promise<void> {
  const app = fastify({
    loggerInstance: requestLogger(config, log),
    ...(certificate === undefined ? {} : { https: { ...certificate.current } }),
  })
  if (app.server instanceof TlsServer) certificate?.serve(app.server)
  app.setErrorHandler(sendError)
  addHealth(app, serving.state)
  closers.add(() => app.close())
  await app.listen({ port: config.port, host: config.host })
}

/** Returns the log of requests: at `info` Fastify would only say where it listens, which `logStart` says for people. */
const requestLogger = ({ logLevel }: Config, { logger }: ServerLog): FastifyBaseLogger =>
  logger.child({}, { level: logLevel === 'info' ? 'warn' : logLevel })
