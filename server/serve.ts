/** Starts the server and stops it cleanly on SIGINT and SIGTERM. */
import { serverRoles } from '../src/domain/columns/servers.ts'
import { ConfigError, readConfig, urlHost, type Config } from './core/config.ts'
import { FolderError } from './core/folderLock.ts'
import { collectLater, limitHeapGrowth } from './core/heap.ts'
import { openLog, type ServerLog } from './core/logger.ts'
import { DatabaseError } from './db/databaseError.ts'
import { demoLogins } from './demo/accounts.ts'
import { demoPassword } from './demo/catalogue.ts'
import type { Gateway } from './devices/gateway/gateway.ts'
import { measureBroker } from './metrics/broker.ts'
import { measureBus } from './metrics/bus.ts'
import { measureTelemetry } from './metrics/telemetry.ts'
import { serveMetrics } from './metrics/serve.ts'
import { measureState } from './metrics/state.ts'
import { announce } from './servers/announce.ts'
import { openBase } from './start/base.ts'
import { openClosers } from './start/closers.ts'
import { openDevices } from './start/devices.ts'
import { startUpkeep } from './start/upkeep.ts'
import { serveHealth, serveWeb } from './start/web.ts'
import { startWork } from './start/worker.ts'

/** Milliseconds from the start until it has ended for sure. */
const startTime = 30_000

/** Starts the parts of the server's roles. If one fails, closes those already started and throws. */
async function start(config: Config, log: ServerLog): Promise<void> {
  const closers = openClosers()
  const { roles } = config
  let gateway: Gateway | undefined
  try {
    const base = await openBase(config, log, closers)
    const { metrics, drops, unsynced, serving } = base
    const devices = await openDevices(base, closers)
    gateway = devices.gateway
    if (roles.includes('gateway') || roles.includes('worker')) startUpkeep(base, closers)
    const work = roles.includes('worker') ? await startWork(base, devices.link, closers) : undefined
    const mails = work?.mails ?? sentByWorkers
    await (roles.includes('web') ? serveWeb(base, { link: devices.link, mails }, closers) : serveHealth(base, closers))
    measureState(metrics, { database: serving, pending: devices.pending, drops, unsynced })
    if (gateway) measureBroker(metrics, gateway.brokerState)
    if (config.metrics) closers.add((await serveMetrics(metrics, config.metrics, log)).close)
    const announced = await announce({ ...base, id: base.serverId, roles, traffic: devices.traffic })
    closers.add(announced.close)
    measureBus(metrics, base.bus, announced)
    measureTelemetry(metrics, base.telemetry)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      closers.closeAll().catch((error: unknown) => fail(error, log))
    })
  logStart(config, gateway, log)
  collectLater(startTime)
}

/** Without the role worker: workers look for queued mails by themselves. */
const sentByWorkers = { wake: () => undefined }

/** Logs the addresses of the server, and the demo's logins. */
function logStart(config: Config, gateway: Gateway | undefined, log: ServerLog): void {
  const { roles } = config
  const web = `${config.tls ? 'https' : 'http'}://${urlHost(config.host)}:${config.port}`
  if (roles.includes('web')) log.info(`Permeate is running at ${web}`)
  if (roles.length < serverRoles.length)
    log.info(`This server's roles: ${roles.join(', ')}; its health checks are at ${web}/health`)
  if (gateway) log.info(`Devices connect to ${deviceAddress(config, gateway)}`)
  if (config.demo) log.info(`Sign in as ${demoLogins.join(', ')}, password ${demoPassword}`)
}

function deviceAddress({ mqttUrl, mqttHost, tls }: Config, { mqttPort, mqttsPort }: Gateway): string {
  if (mqttUrl !== undefined) return new URL(mqttUrl).host
  const host = urlHost(mqttHost)
  return [
    ...(mqttsPort === undefined ? [] : [`${host}:${mqttsPort} over TLS`]),
    ...(mqttPort === undefined ? [] : [`${host}:${mqttPort}${tls ? ' without TLS' : ''}`]),
  ].join(' and ')
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
  const isExplained = [ConfigError, DatabaseError, FolderError].some(kind => error instanceof kind)
  return error instanceof Error && isExplained ? error.message : undefined
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
