/** A running server for a test file: its own copy of the demo database, a clock that tests advance, and a recorded link. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Pool } from 'pg'
import { afterAll, inject } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import { buildApp } from '../../../server/web/app.ts'
import { openAccountMails } from '../../../server/auth/accountMails.ts'
import { openSecrets } from '../../../server/core/secrets.ts'
import { startBackground } from '../../../server/core/background.ts'
import type { Certificate } from '../../../server/core/certificate.ts'
import { readConfig } from '../../../server/core/config.ts'
import type { Database, OpenDatabase, Serving } from '../../../server/db/database.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { newId } from '../../../server/db/id.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { openAlarms } from '../../../server/devices/alarms/alarms.ts'
import type { AlarmEvaluator } from '../../../server/devices/alarms/alarmEvaluator.ts'
import { openChanges } from '../../../server/devices/changes.ts'
import type { Acknowledgement, Link } from '../../../server/devices/link.ts'
import type { DeviceCommand } from '../../../server/protocol/commands.ts'
import type { Bus } from '../../../server/bus/bus.ts'
import type { BodyPace } from '../../../server/http/input.ts'
import type { StreamIntervals, StreamLimits } from '../../../server/live/live.ts'
import { openBus } from '../../../server/bus/openBus.ts'
import { openMail } from '../../../server/mail/mail.ts'
import { openMailQueue, type MailQueue } from '../../../server/mail/mailQueue.ts'
import type { Metrics } from '../../../server/metrics/metrics.ts'
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import type { TelemetryStore } from '../../../server/telemetry/store.ts'
import type { Tracing } from '../../../server/tracing/tracing.ts'
import { handlers } from '../../../server/web/handlers.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'

export interface Clock {
  readonly now: () => Date
  /** Advances the clock by milliseconds. */
  advance(by: number): void
}

/** A link without delay: every device acknowledges, except those in `refusals`, `slow` and `silent`. */
export interface TestLink extends Link {
  readonly sent: { readonly bssid: string; readonly command: DeviceCommand }[]
  readonly refusals: Map<string, string>
  /** Devices that answer once their promise resolves. */
  readonly slow: Map<string, Promise<void>>
  /** Devices that never answer. */
  readonly silent: Set<string>
  /** The ids of the commands of jobs, in the order of `sent`. */
  readonly ids: (string | undefined)[]
}

export interface TestServer {
  readonly app: FastifyInstance
  readonly db: Database
  readonly telemetry: TelemetryStore
  readonly serving: Serving
  readonly pool: Pool
  readonly clock: Clock
  readonly link: TestLink
  readonly bus: Bus
  readonly alarms: AlarmEvaluator
  readonly databaseUrl: string
  /** Sends mails shortly after they were queued, and when a test calls `sendDue`. */
  readonly mails: MailQueue
  /** The lines of the server's log. */
  readonly log: string[]
  /** The data folder, with the outbox of mails. */
  readonly dataDir: string
  /** Calls the API; `token` is an access token. */
  call(method: Method, url: string, options?: CallOptions): Promise<LightMyRequestResponse>
  /** Tokens of a demo login; signs in once per login. */
  signIn(login: string): Promise<Tokens>
}
type Method = NonNullable<InjectOptions['method']>
interface CallOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

type Beside = Pick<TestServer, 'databaseUrl' | 'clock'>

export interface ServerOptions {
  readonly consoleFolder?: string
  /** For HTTPS. */
  readonly certificate?: Certificate
  /** Settings, as in the environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Overrides the intervals of the streams. */
  readonly intervals?: Partial<StreamIntervals>
  /** Milliseconds for a statement of a call. */
  readonly statementTimeout?: number
  /** How many streams may be open. */
  readonly streamLimits?: StreamLimits
  /** Another server, whose database and clock this one shares. */
  readonly beside?: Beside
  /** Where requests are measured. */
  readonly metrics?: Metrics
  /** Where requests are logged. */
  readonly logger?: FastifyBaseLogger
  readonly tracing?: Tracing
  /** Opens the telemetry, if it is not in PostgreSQL. */
  readonly openTelemetry?: (db: Database, now: Date) => Promise<TelemetryStore>
  /** How fast bodies have to arrive. */
  readonly pace?: BodyPace
}

/** The longest interval of a timer in milliseconds: it does not fire during a test. */
const never = 2 ** 31 - 1

/** Starts a server for this test file, and stops it after the file's last test. */
export async function startServer({
  environment,
  beside,
  statementTimeout,
  openTelemetry,
  ...options
}: ServerOptions = {}): Promise<TestServer> {
  const { db, databaseUrl, serve, close } = beside ? await openShared(beside) : await openCopy()
  const clock = beside?.clock ?? testClock()
  const link = testLink()
  const log: string[] = []
  const sink = { info: (text: string) => log.push(text), error: (text: string) => log.push(text) }
  const dataDir = await temporaryFolder()
  const config = readConfig({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', DATA_DIR: dataDir, ...environment })
  const background = startBackground(sink)
  const bus = await openBus({ databaseUrl }, sink)
  const telemetry = (await openTelemetry?.(db, clock.now())) ?? openPostgresTelemetry(db)
  const alarms = openAlarms({ db, telemetry, bus, log: sink, now: clock.now })
  const compose = openAccountMails(config, clock.now)
  const mail = openMail(config, sink)
  const serving = serve({
    reserve: config.diskReserve,
    log: sink,
    // On a machine that is busy with other tests, the database is slow but reachable.
    answerTimeout: 30_000,
    ...(statementTimeout !== undefined && { statementTimeout }),
  })
  const database = serving.state
  const mails = openMailQueue({ db, database, mail, compose, log: sink, now: clock.now, interval: never })
  const pool = serving.pool!
  options.tracing?.queries(pool)
  const services = {
    db: serving.db,
    telemetry: openTelemetry ? telemetry : openPostgresTelemetry(serving.db),
    database,
    config,
    link,
    changes: openChanges({ serving, now: clock.now }),
    mails,
    secrets: openSecrets(config),
    bus,
    alarms,
    background,
    now: clock.now,
  }
  const app = await buildApp({ services, handlers, ...options })
  afterAll(async () => {
    await app.close()
    await mails.close()
    await background.settled()
    await bus.close()
    await telemetry.close()
    await serving.close()
    await close()
  })

  const call: TestServer['call'] = (method, url, { token, body, headers } = {}) =>
    app.inject({
      method,
      url,
      headers: { ...(token === undefined ? {} : { 'access-token': token }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
  const signedIn = new Map<string, Promise<Tokens>>()
  const signIn = (login: string) => {
    const known = signedIn.get(login) ?? signInOnce(call, login)
    signedIn.set(login, known)
    return known
  }
  return { app, db, telemetry, serving, pool, databaseUrl, clock, link, bus, alarms, mails, log, dataDir, call, signIn }
}

async function signInOnce(call: TestServer['call'], login: string): Promise<Tokens> {
  const answer = await call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: demoPassword } })
  if (answer.statusCode !== 200) throw new Error(`${login} cannot sign in: ${answer.body}`)
  return answer.json<{ data: Tokens }>().data
}

/** Creates an empty folder that is removed after the file's last test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a copy of the template for this file. */
async function openCopy(): Promise<OpenDatabase & { databaseUrl: string }> {
  const { server, database } = inject('template')
  const name = `permeate_copy_${newId().replaceAll('-', '')}`
  const databaseUrl = await createDatabase(server, name, database)
  const opened = await openPostgres(addressOf(databaseUrl))
  return { ...opened, databaseUrl, close: () => opened.close().then(() => dropDatabase(server, name)) }
}

const openShared = async ({ databaseUrl }: Beside): Promise<OpenDatabase & { databaseUrl: string }> => ({
  ...(await openPostgres(addressOf(databaseUrl))),
  databaseUrl,
})

function testClock(): Clock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: by => {
      ahead += by
    },
  }
}

function testLink(): TestLink {
  const sent: TestLink['sent'] = []
  const refusals = new Map<string, string>()
  const slow: TestLink['slow'] = new Map()
  const silent: TestLink['silent'] = new Set()
  const ids: TestLink['ids'] = []
  return {
    sent,
    refusals,
    slow,
    silent,
    ids,
    send: async (bssid, command, id): Promise<Acknowledgement> => {
      sent.push({ bssid, command })
      ids.push(id)
      await slow.get(bssid)
      if (silent.has(bssid)) return { ok: false, reason: 'Device did not answer within 10 seconds', isUnanswered: true }
      const reason = refusals.get(bssid)
      return reason === undefined ? { ok: true } : { ok: false, reason }
    },
    close: async () => undefined,
  }
}
