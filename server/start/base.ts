/** The parts that every server has, whatever its roles: database, bus, alarms, metrics and traces. */
import { countUnreadable } from '../auth/secondFactors.ts'
import { openBus } from '../bus/openBus.ts'
import { startBackground } from '../core/background.ts'
import { openCertificate, type Certificate } from '../core/certificate.ts'
import type { Config } from '../core/config.ts'
import type { ServerLog } from '../core/logger.ts'
import { openSecrets } from '../core/secrets.ts'
import { refuseDemoAccounts } from '../demo/accounts.ts'
import { ensureFleetFile } from '../demo/fleetFile.ts'
import { queueDemoConfirmations } from '../demo/mails.ts'
import { newId } from '../db/id.ts'
import { seedDemo } from '../demo/seed.ts'
import { openAlarms } from '../devices/alarms/alarms.ts'
import { openChanges } from '../devices/changes.ts'
import { openDropCounter } from '../devices/gateway/rateLimit.ts'
import { openUnsynced } from '../devices/ingest/unsynced.ts'
import { open } from '../embedded/open.ts'
import { openMetrics } from '../metrics/metrics.ts'
import { watchAlarms, watchBus } from '../metrics/watch.ts'
import { ensureSuperadmin } from './superadmin.ts'
import { openTelemetry } from './telemetry.ts'
import { openTracing } from '../tracing/openTracing.ts'
import type { Closers } from './closers.ts'

const now = () => new Date()

export type Base = Awaited<ReturnType<typeof openBase>>

/** Opens them, and creates the first accounts of a new database. */
export async function openBase(config: Config, log: ServerLog, closers: Closers) {
  const certificate: Certificate | undefined = config.tls && openCertificate(config.tls, log)
  if (certificate) closers.add(() => certificate.close())
  const database = await open(config, log)
  closers.add(database.close)
  const serving = database.serve({ reserve: config.diskReserve, log })
  closers.add(serving.close)
  const { db } = database
  const secrets = openSecrets(config)
  const unreadable = await countUnreadable(db, secrets)
  if (unreadable > 0) log.error('Second factors cannot be checked', new Error(unreadableText(unreadable)))
  const tracing = await openTracing(process.env, { behindProxy: config.trustProxy !== undefined })
  if (tracing) {
    closers.add(tracing.close)
    if (serving.pool) tracing.queries(serving.pool)
  }
  const background = startBackground(log)
  closers.add(background.settled)
  if (config.demo) {
    const isNew = await seedDemo(db, { fleet: config.fleet })
    if (isNew) await queueDemoConfirmations(db, now())
    await ensureFleetFile({ db, dataDir: config.dataDir, fleet: config.fleet, now: now() })
  } else {
    await refuseDemoAccounts(db)
    await ensureSuperadmin(db, config, now())
  }
  const metrics = openMetrics()
  const bus = await openBus({ ...config, embedded: database.connection }, log)
  closers.add(bus.close)
  const { telemetry, servedTelemetry } = await openTelemetry(config, db, serving.db, now())
  closers.add(telemetry.close)
  const alarms = watchAlarms(openAlarms({ db, telemetry, bus: watchBus(bus, metrics), log, now }), metrics)
  const drops = openDropCounter({ log })
  closers.add(() => drops.close())
  return {
    /** The id by which the other servers know this one. */
    serverId: newId(),
    config,
    log,
    now,
    certificate,
    db,
    telemetry,
    servedTelemetry,
    serving,
    secrets,
    tracing,
    background,
    metrics,
    bus,
    alarms,
    /** Calls and jobs share it, so that changes are stored in the order of the acknowledgements. */
    changes: openChanges({ serving, now }),
    drops,
    unsynced: openUnsynced(),
    rawDays: config.rawDays,
  }
}

const unreadableText = (count: number) =>
  `${count} of them are encrypted with another key. Set SECRETS_KEY to the one of the other servers with this database, ` +
  'or restore secrets.key in DATA_DIR. Until then their accounts sign in with recovery codes.'
