/** Starts the server and stops it cleanly on SIGINT and SIGTERM. */
import { buildApp } from './app.ts'
import { startAuditUpkeep } from './audit/upkeep.ts'
import { openAccountMails } from './auth/accountMails.ts'
import { countUnreadable } from './auth/secondFactors.ts'
import { openSecrets } from './core/secrets.ts'
import { startBackground } from './core/background.ts'
import { openCertificate } from './core/certificate.ts'
import { ConfigError, readConfig, urlHost, type Config } from './core/config.ts'
import { DatabaseError } from './db/databaseError.ts'
import { demoLogins, refuseDemoAccounts } from './demo/accounts.ts'
import { demoPassword } from './demo/catalogue.ts'
import { ensureFleetFile } from './demo/fleetFile.ts'
import { startHistory } from './demo/history.ts'
import { queueDemoConfirmations } from './demo/mails.ts'
import { seedDemo } from './demo/seed.ts'
import { openAlarms } from './devices/alarms/alarms.ts'
import { openChanges } from './devices/changes.ts'
import { holdBrokerKind } from './devices/gateway/brokerKind.ts'
import { openGateway, type Gateway } from './devices/gateway/gateway.ts'
import { openDropCounter } from './devices/gateway/rateLimit.ts'
import { pruneHealth } from './devices/health/prune.ts'
import { openIngest } from './devices/ingest/readings.ts'
import { openStates } from './devices/ingest/states.ts'
import { whileThereIsRoom } from './devices/ingest/room.ts'
import { openUnsynced } from './devices/ingest/unsynced.ts'
import { openUpkeep } from './devices/ingest/upkeep.ts'
import { openBus } from './bus/openBus.ts'
import { FolderError } from './core/folderLock.ts'
import { collectLater, limitHeapGrowth } from './core/heap.ts'
import { openLog, type ServerLog } from './core/logger.ts'
import { pruneIdempotencyKeys } from './http/idempotency.ts'
import { openMail } from './mail/mail.ts'
import { openMailQueue, pruneQueuedMails } from './mail/mailQueue.ts'
import { measureBroker } from './metrics/broker.ts'
import { openMetrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/serve.ts'
import { measureState } from './metrics/state.ts'
import { watchAlarms, watchBus, watchIngest, watchLink, watchMail } from './metrics/watch.ts'
import { openJobRunner } from './resources/jobs/runner.ts'
import { pruneJobs } from './resources/jobs/taskStore.ts'
import { openTracing } from './tracing/openTracing.ts'
import { handlers } from './handlers.ts'
import { open } from './embedded/open.ts'
import { ensureSuperadmin } from './superadmin.ts'

const now = () => new Date()
/** Milliseconds from the start until it has ended for sure. */
const startTime = 30_000

/** Starts all parts of the server. If one fails, closes those already started and throws. */
async function start(config: Config, log: ServerLog): Promise<void> {
  /** Functions that close what is open; called in reverse order. */
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  let gateway: Gateway
  try {
    const certificate = config.tls && openCertificate(config.tls, log)
    if (certificate) closers.push(async () => certificate.close())
    const database = await open(config, log)
    closers.push(database.close)
    const serving = database.serve({ reserve: config.diskReserve, log })
    closers.push(serving.close)
    const { db } = database
    const secrets = openSecrets(config)
    const unreadable = await countUnreadable(db, secrets)
    if (unreadable > 0) log.error('Second factors cannot be checked', new Error(unreadableText(unreadable)))
    const tracing = await openTracing(process.env, { behindProxy: config.trustProxy !== undefined })
    if (tracing) {
      closers.push(tracing.close)
      if (serving.pool) tracing.queries(serving.pool)
    }
    const background = startBackground(log)
    closers.push(background.settled)
    const metrics = openMetrics()
    if (config.demo) {
      const isNew = await seedDemo(db, { fleet: config.fleet })
      if (isNew) await queueDemoConfirmations(db, now())
      await ensureFleetFile({ db, dataDir: config.dataDir, fleet: config.fleet, now: now() })
    } else {
      await refuseDemoAccounts(db)
      await ensureSuperadmin(db, config, now())
    }
    const mail = watchMail(openMail(config, log), metrics)
    const mails = openMailQueue({ db, mail, compose: openAccountMails(config, now), log, now })
    closers.push(mails.close)
    const auditUpkeep = await startAuditUpkeep({ db, log, now, isAlone: config.databaseUrl === undefined })
    closers.push(() => auditUpkeep.close())
    const bus = await openBus(config, log)
    closers.push(bus.close)
    const alarms = watchAlarms(openAlarms({ db, bus: watchBus(bus, metrics), log, now }), metrics)
    const drops = openDropCounter({ log })
    closers.push(async () => drops.close())
    const unsynced = openUnsynced()
    const shared = { db, bus, log, now, alarms, drops, unsynced, rawDays: config.rawDays }
    const ingest = watchIngest(openIngest(shared), metrics)
    closers.push(() => ingest.close())
    const states = openStates(shared)
    closers.push(() => states.close())
    const prunes = [pruneIdempotencyKeys, pruneQueuedMails, pruneJobs, pruneHealth]
    const upkeep = openUpkeep({ ...shared, tenMinuteDays: config.tenMinuteDays, prunes })
    closers.push(() => upkeep.close())
    if (config.databaseUrl !== undefined) {
      const kind = config.mqttUrl === undefined ? 'embedded' : 'external'
      closers.push(await holdBrokerKind(config.databaseUrl, kind, log))
    }
    const stores = whileThereIsRoom({ ingest, states }, serving.state)
    gateway = await openGateway({ ...shared, config, certificate, ...stores })
    closers.push(gateway.close)
    const link = watchLink(gateway.link, metrics)
    const changes = openChanges(shared)
    const jobs = openJobRunner({ ...shared, link, changes })
    closers.push(() => jobs.close())
    const services = {
      db: serving.db,
      database: serving.state,
      config,
      link,
      changes,
      mails,
      secrets,
      bus,
      alarms,
      background,
      now,
    }
    const app = await buildApp({
      services,
      handlers,
      logger: requestLogger(config, log),
      metrics,
      ...(tracing && { tracing }),
      ...(certificate && { certificate }),
    })
    closers.push(() => app.close())
    await app.listen({ port: config.port, host: config.host })
    measureState(metrics, { database: serving, ingest, drops, unsynced })
    measureBroker(metrics, gateway.brokerState)
    if (config.metrics) closers.push((await serveMetrics(metrics, config.metrics, log)).close)
    if (config.demo) closers.push(startHistory({ db, log, fleet: config.fleet, days: config.history }).close)
  } catch (error) {
    await close()
    throw error
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      close().catch((error: unknown) => fail(error, log))
    })
  logStart(config, gateway, log)
  collectLater(startTime)
}

const unreadableText = (count: number) =>
  `${count} of them are encrypted with another key. Set SECRETS_KEY to the one of the other servers with this database, ` +
  'or restore secrets.key in DATA_DIR. Until then their accounts sign in with recovery codes.'

/** Returns the log of requests: at `info` Fastify would only say where it listens, which `logStart` says for people. */
const requestLogger = ({ logLevel }: Config, { logger }: ServerLog) =>
  logger.child({}, { level: logLevel === 'info' ? 'warn' : logLevel })

/** Logs the addresses of the server, and the demo's logins. */
function logStart(config: Config, { mqttPort, mqttsPort }: Gateway, log: ServerLog): void {
  log.info(`Permeate is running at ${config.tls ? 'https' : 'http'}://${urlHost(config.host)}:${config.port}`)
  const host = urlHost(config.mqttHost)
  const own = [
    ...(mqttsPort === undefined ? [] : [`${host}:${mqttsPort} over TLS`]),
    ...(mqttPort === undefined ? [] : [`${host}:${mqttPort}${config.tls ? ' without TLS' : ''}`]),
  ]
  log.info(`Devices connect to ${config.mqttUrl === undefined ? own.join(' and ') : new URL(config.mqttUrl).host}`)
  if (config.demo) log.info(`Sign in as ${demoLogins.join(', ')}, password ${demoPassword}`)
}

/** Logs a failed start: only the message for errors that the operator can fix, otherwise the whole error. */
function fail(error: unknown, log?: ServerLog): void {
  process.exitCode = 1
  const text = explanation(error)
  if (log?.format === 'json' && log.logger.isLevelEnabled('fatal'))
    log.logger.fatal(text === undefined ? { err: error } : {}, text ?? 'The server failed')
  else console.error(text ?? error)
}

/** Returns the sentence for an error that the operator can fix. */
function explanation(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isExplained = [ConfigError, DatabaseError, FolderError].some(kind => error instanceof kind)
  if (error instanceof Error && isExplained) return error.message
  if (code === 'EADDRINUSE')
    return 'PORT is in use by another program. Stop that program, or set PORT to another number.'
  if (code === 'EACCES') return 'You do not have permission to use this PORT. Set it to 1024 or above.'
  return undefined
}

let log: ServerLog | undefined
try {
  limitHeapGrowth()
  const config = readConfig(process.env)
  log = openLog(config)
  await start(config, log)
} catch (error) {
  fail(error, log)
}
