/** Settings from environment variables, validated at start. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { EnteredPassword, Login } from '../../src/api/contract/fields.ts'
import { issueMessage } from '../../src/domain/lib/issues.ts'
import { serverRoles, type ServerRole } from '../../src/domain/columns/servers.ts'
import { roles, type Role } from '../../src/domain/roles.ts'
import { readNatsUrl } from './natsUrl.ts'
import { readTelemetryUrl } from './telemetryUrl.ts'

/** Paths of PEM files. */
export interface CertificatePaths {
  /** The certificate, followed by those of intermediate authorities. */
  readonly cert: string
  readonly key: string
}

export interface Config {
  /** What this server does; all of it unless the work is divided. In the order of `serverRoles`. */
  readonly roles: readonly ServerRole[]
  readonly port: number
  readonly host: string
  /** Absolute path of the folder for the embedded database and other files. */
  readonly dataDir: string
  /** PostgreSQL URL; `undefined` for the embedded database. */
  readonly databaseUrl: string | undefined
  /** The embedded database; `undefined`: PostgreSQL, or PGlite for a demo where no PostgreSQL fits the machine. */
  readonly embeddedDatabase: 'postgres' | 'pglite' | undefined
  /** URL of NATS, over which servers on one `databaseUrl` pass events; `undefined`: over PostgreSQL. */
  readonly natsUrl: string | undefined
  /** URL of ClickHouse, where readings and their sums are kept; `undefined`: in PostgreSQL. */
  readonly telemetryUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** Public URL of the console, used for links in mails. Without a trailing slash. */
  readonly publicUrl: string
  /** Addresses and CIDR ranges of trusted proxies, separated by commas. */
  readonly trustProxy: string | undefined
  /** Whether demo accounts and a demo fleet are created. */
  readonly demo: boolean
  /** Number of devices in the demo fleet, and days of history generated for them. */
  readonly fleet: number
  readonly history: number
  /** PEM files for TLS, of console and API and of the embedded broker; `undefined` without TLS. */
  readonly tls: CertificatePaths | undefined
  /** Open HTTP connections from an address; further ones are refused. Loopback and trusted proxies have no limit. */
  readonly connectionsPerAddress: number
  /** Address of the embedded MQTT broker. */
  readonly mqttHost: string
  /** Its port without TLS; `undefined`: none. */
  readonly mqttPort: number | undefined
  /** Its port with TLS; `undefined`: none. */
  readonly mqttsPort: number | undefined
  /** URL of an external broker; `undefined` for the embedded one. */
  readonly mqttUrl: string | undefined
  /** Whether gateways at one external broker hand on messages over NATS, so that one of them has all of a device's. */
  readonly handOn: boolean
  /** Days for which readings and ten-minute rollups are kept; hourly and daily rollups are kept forever. */
  readonly rawDays: number
  readonly tenMinuteDays: number
  /** Key by which stored secrets are encrypted; `undefined` for that of the data folder. */
  readonly secretsKey: string | undefined
  /** The roles whose accounts may only be used with a second factor. */
  readonly secondFactorRoles: readonly Role[]
  readonly superadmin: { readonly login: string; readonly password: string } | undefined
  readonly logLevel: LogLevel
  /** `undefined`: text for the demo and terminals, otherwise JSON. */
  readonly logFormat: 'text' | 'json' | undefined
  /** Where measurements are served, and the bearer token that it takes; `undefined`: nowhere. */
  readonly metrics: { readonly port: number; readonly host: string; readonly token: string | undefined } | undefined
  /** Bytes of the embedded database's disk that are kept free: below, nothing is changed. */
  readonly diskReserve: number
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

const port = () => z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535))
const webAddress = z.url({ protocol: /^https?$/, error: 'must be a web address, such as https://permeate.example.com' })
const scheme = (pattern: RegExp, example: string) =>
  z.string().check(z.refine(text => pattern.test(text) && URL.canParse(text), `must be an address such as ${example}`))

/** Returns whether a text is an address or CIDR range. `/0` is rejected: it would trust every client's header. */
function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.trim().split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const rolesIn = (text: string): string[] => text.split(',').map(name => name.trim())

/** Returns whether a text names roles of servers, separated by commas, each once. */
function namesRoles(text: string): boolean {
  const names = rolesIn(text)
  return names.every(name => serverRoles.some(role => role === name)) && new Set(names).size === names.length
}

const Environment = z.object({
  ROLES: z._default(
    z.string().check(z.refine(namesRoles, `must be one or more of ${serverRoles.join(', ')}, separated by commas`)),
    serverRoles.join(),
  ),
  PORT: z._default(port(), 8080),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), '.data'),
  DATABASE_URL: z.optional(scheme(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/permeate')),
  EMBEDDED_DATABASE: z.optional(z.enum(['postgres', 'pglite'])),
  NATS_URL: z.optional(
    z
      .string()
      .check(
        z.refine(text => readNatsUrl(text) !== undefined, 'must be an address such as nats://user:password@host:4222'),
      ),
  ),
  TELEMETRY_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          text => readTelemetryUrl(text) !== undefined,
          'must be an address such as clickhouse://user:password@host:8123/permeate',
        ),
      ),
  ),
  SMTP_URL: z.optional(scheme(/^smtps?:\/\//, 'smtp://user:password@host:587')),
  PUBLIC_URL: z.optional(webAddress),
  TLS_CERT: z.optional(z.string()),
  TLS_KEY: z.optional(z.string()),
  CONNECTIONS_PER_ADDRESS: z._default(z.coerce.number().check(z.int(), z.gte(10), z.lte(1_000_000)), 1000),
  TRUST_PROXY: z.optional(
    z
      .string()
      .check(
        z.refine(
          list => list.split(',').every(isRange),
          'must be addresses or ranges, separated by commas, such as 127.0.0.1, 10.0.0.0/8',
        ),
      ),
  ),
  DEMO: z._default(z.enum(['on', 'off']), 'off'),
  FLEET: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 500),
  HISTORY: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(3650)), 365),
  MQTT_HOST: z._default(z.string(), '127.0.0.1'),
  MQTT_PORT: z.optional(port()),
  MQTTS_PORT: z.optional(port()),
  MQTT_URL: z.optional(scheme(/^(mqtts?|wss?):\/\//, 'mqtts://user:password@host:8883')),
  HAND_ON: z._default(z.enum(['on', 'off']), 'on'),
  RAW_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650)), 30),
  TEN_MINUTE_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650)), 365),
  SECRETS_KEY: z.optional(
    z
      .string()
      .check(z.minLength(32, 'must be at least 32 characters, such as those that `openssl rand -base64 32` prints')),
  ),
  REQUIRE_SECOND_FACTOR: z._default(z.enum(['off', 'administrators', 'all']), 'off'),
  SUPERADMIN_LOGIN: z.optional(Login),
  SUPERADMIN_PASSWORD: z.optional(EnteredPassword),
  LOG_LEVEL: z._default(z.enum(logLevels), 'info'),
  LOG_FORMAT: z.optional(z.enum(['text', 'json'])),
  METRICS_PORT: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535))),
  METRICS_HOST: z._default(z.string(), '127.0.0.1'),
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16))),
  DISK_RESERVE: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 64),
  NODE_ENV: z.optional(z.string()),
})

/** Names of the variables that the server reads; OpenTelemetry's are read where tracing begins. */
export const settingNames: readonly string[] = Object.keys(Environment.shape)

/** An invalid setting; its message is logged without a stack trace. */
export class ConfigError extends Error {}

/**
 * Returns the settings; an empty variable counts as unset.
 * Throws a `ConfigError` that lists every invalid setting.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = z.safeParse(Environment, variables, { reportInput: true })
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(settingMessage).join('\n'))
  const env = parsed.data

  // Production never has demo accounts, because their password is public.
  const demo = env.DEMO === 'on' && env.NODE_ENV !== 'production'
  if (demo && !isLoopback(env.HOST))
    throw new ConfigError(
      `DEMO creates accounts with a public password, so HOST must be a loopback address, not ${env.HOST}. ` +
        'Set DEMO=off, or HOST=127.0.0.1.',
    )
  const { SUPERADMIN_LOGIN: login, SUPERADMIN_PASSWORD: password } = env
  if ((login === undefined) !== (password === undefined))
    throw new ConfigError('Set both SUPERADMIN_LOGIN and SUPERADMIN_PASSWORD, or neither.')
  const secondFactorRoles = rolesWithSecondFactor[env.REQUIRE_SECOND_FACTOR]
  if (secondFactorRoles.length > 0 && env.DATABASE_URL !== undefined && env.SECRETS_KEY === undefined)
    throw new ConfigError(
      'REQUIRE_SECOND_FACTOR with DATABASE_URL needs SECRETS_KEY, the same on all servers with this database: ' +
        'it encrypts the keys of authenticators. `openssl rand -base64 32` prints one.',
    )
  const { TLS_CERT: cert, TLS_KEY: key } = env
  if ((cert === undefined) !== (key === undefined)) throw new ConfigError('Set both TLS_CERT and TLS_KEY, or neither.')
  const tls = cert === undefined || key === undefined ? undefined : { cert: resolve(cert), key: resolve(key) }
  if (tls === undefined && env.MQTTS_PORT !== undefined)
    throw new ConfigError('MQTTS_PORT needs a certificate. Set TLS_CERT and TLS_KEY.')

  if (env.NATS_URL !== undefined && env.DATABASE_URL === undefined)
    throw new ConfigError(
      'NATS_URL connects servers on one database at DATABASE_URL. Set DATABASE_URL, or leave out NATS_URL.',
    )
  const ownRoles = serverRoles.filter(role => rolesIn(env.ROLES).includes(role))
  if (ownRoles.length < serverRoles.length && env.DATABASE_URL === undefined)
    throw new ConfigError(
      `ROLES=${env.ROLES} leaves work to other servers, which only reach a database at DATABASE_URL. ` +
        'Set DATABASE_URL, or leave out ROLES.',
    )

  return {
    roles: ownRoles,
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    embeddedDatabase: env.EMBEDDED_DATABASE,
    natsUrl: env.NATS_URL,
    telemetryUrl: env.TELEMETRY_URL,
    smtpUrl: env.SMTP_URL,
    publicUrl: (env.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://${urlHost(env.HOST)}:${env.PORT}`).replace(/\/+$/, ''),
    trustProxy: env.TRUST_PROXY,
    demo,
    fleet: env.FLEET,
    history: env.HISTORY,
    mqttHost: env.MQTT_HOST,
    tls,
    connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
    // With a certificate, secrets of devices go unencrypted only if someone asked for it.
    mqttPort: env.MQTT_PORT ?? (tls ? undefined : 1883),
    mqttsPort: tls && (env.MQTTS_PORT ?? 8883),
    mqttUrl: env.MQTT_URL,
    handOn: env.HAND_ON === 'on',
    rawDays: env.RAW_DAYS,
    tenMinuteDays: env.TEN_MINUTE_DAYS,
    secretsKey: env.SECRETS_KEY,
    secondFactorRoles,
    superadmin: login === undefined || password === undefined ? undefined : { login, password },
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
    metrics:
      env.METRICS_PORT === undefined
        ? undefined
        : { port: env.METRICS_PORT, host: env.METRICS_HOST, token: env.METRICS_TOKEN },
    diskReserve: env.DISK_RESERVE * 1024 * 1024,
  }
}

/** The roles that each value of REQUIRE_SECOND_FACTOR is about. */
const rolesWithSecondFactor: Readonly<Record<'off' | 'administrators' | 'all', readonly Role[]>> = {
  off: [],
  administrators: ['superadmin', 'admin'],
  all: roles,
}

const settingMessage = (issue: z.core.$ZodIssue) => issueMessage(issue, String(issue.path[0] ?? 'The environment'))

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Returns a host as written in a URL: IPv6 in brackets. */
export const urlHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)
