/** Starts the server and stops it cleanly on SIGINT and SIGTERM. */
import { buildApp } from './app.ts'
import { startBackground } from './core/background.ts'
import { ConfigError, readConfig, urlHost, type Config } from './core/config.ts'
import { DatabaseError } from './db/databaseError.ts'
import { demoLogins, refuseDemoAccounts } from './demo/accounts.ts'
import { demoPassword } from './demo/catalogue.ts'
import { ensureFleetFile } from './demo/fleetFile.ts'
import { startHistory } from './demo/history.ts'
import { sendDemoConfirmations } from './demo/mails.ts'
import { seedDemo } from './demo/seed.ts'
import { openAlarms } from './devices/alarms/alarms.ts'
import { openChanges } from './devices/changes.ts'
import { openGateway, type Gateway } from './devices/gateway/gateway.ts'
import { openDropCounter } from './devices/gateway/rateLimit.ts'
import { openIngest } from './devices/ingest/readings.ts'
import { openStates } from './devices/ingest/states.ts'
import { openUpkeep } from './devices/ingest/upkeep.ts'
import { openBus } from './bus/openBus.ts'
import { FolderError } from './core/folderLock.ts'
import type { Log } from './core/log.ts'
import { openMail } from './mail/mail.ts'
import { handlers } from './handlers.ts'
import { open } from './embedded/open.ts'
import { ensureSuperadmin } from './superadmin.ts'

const now = () => new Date()
const log: Log = {
  info: text => console.log(text),
  error: (text, error) => console.error(`${text}:`, error),
}

/** Starts all parts of the server. If one fails, closes those already started and throws. */
async function start(config: Config): Promise<void> {
  /** Functions that close what is open; called in reverse order. */
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  let gateway: Gateway
  try {
    const database = await open(config, log)
    closers.push(database.close)
    const { db } = database
    const background = startBackground(log)
    closers.push(background.settled)
    const mail = openMail(config, log)
    if (config.demo) {
      const isNew = await seedDemo(db, { fleet: config.fleet })
      if (isNew)
        background.defer('Could not send the demo mails', () => sendDemoConfirmations({ db, config, mail, now }))
      await ensureFleetFile({ db, dataDir: config.dataDir, fleet: config.fleet, now: now() })
    } else {
      await refuseDemoAccounts(db)
      await ensureSuperadmin(db, config, now())
    }
    const bus = await openBus(config, log)
    closers.push(bus.close)
    const alarms = openAlarms({ db, bus, log, now })
    const drops = openDropCounter({ log })
    closers.push(async () => drops.close())
    const shared = { db, bus, log, now, alarms, drops, rawDays: config.rawDays }
    const ingest = openIngest(shared)
    closers.push(() => ingest.close())
    const states = openStates(shared)
    closers.push(() => states.close())
    const upkeep = openUpkeep({ ...shared, tenMinuteDays: config.tenMinuteDays })
    closers.push(() => upkeep.close())
    gateway = await openGateway({ ...shared, config, ingest, states })
    closers.push(gateway.close)
    const { link } = gateway
    const changes = openChanges(shared)
    const services = { db, config, link, changes, mail, bus, alarms, background, now }
    const app = await buildApp({ services, handlers })
    closers.push(() => app.close())
    await app.listen({ port: config.port, host: config.host })
    if (config.demo) closers.push(startHistory({ db, log, fleet: config.fleet, days: config.history }).close)
  } catch (error) {
    await close()
    throw error
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      close().catch(fail)
    })
  logStart(config, gateway.mqttPort)
}

/** Logs the addresses of the server, and the demo's logins. */
function logStart(config: Config, mqttPort: number | undefined): void {
  console.log(`Permeate is running at http://${urlHost(config.host)}:${config.port}`)
  const broker = config.mqttUrl === undefined ? `${urlHost(config.mqttHost)}:${mqttPort}` : new URL(config.mqttUrl).host
  console.log(`Devices connect to ${broker}`)
  if (config.demo) console.log(`Sign in as ${demoLogins.join(', ')}, password ${demoPassword}`)
}

/** Logs a failed start: only the message for errors that the operator can fix, otherwise the whole error. */
function fail(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isExplained = [ConfigError, DatabaseError, FolderError].some(kind => error instanceof kind)
  if (error instanceof Error && isExplained) console.error(error.message)
  else if (code === 'EADDRINUSE')
    console.error('PORT is in use by another program. Stop that program, or set PORT to another number.')
  else if (code === 'EACCES') console.error('You do not have permission to use this PORT. Set it to 1024 or above.')
  else console.error(error)
  process.exitCode = 1
}

try {
  await start(readConfig(process.env))
} catch (error) {
  fail(error)
}
