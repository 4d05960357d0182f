/** Settings from environment variables, validated at start. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { EnteredPassword, Login } from '../../src/api/contract/fields.ts'
import { issueMessage } from '../../src/api/contract/issues.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path of the folder for the embedded database and other files. */
  readonly dataDir: string
  /** PostgreSQL URL; `undefined` for the embedded database. */
  readonly databaseUrl: string | undefined
  /** The embedded database; `undefined`: PostgreSQL, or PGlite for a demo where no PostgreSQL fits the machine. */
  readonly embeddedDatabase: 'postgres' | 'pglite' | undefined
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
  /** Address of the embedded MQTT broker. */
  readonly mqttHost: string
  readonly mqttPort: number
  /** URL of an external broker; `undefined` for the embedded one. */
  readonly mqttUrl: string | undefined
  /** Days for which readings and ten-minute rollups are kept; hourly and daily rollups are kept forever. */
  readonly rawDays: number
  readonly tenMinuteDays: number
  readonly superadmin: { readonly login: string; readonly password: string } | undefined
  readonly logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

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

const Environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 8080),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), '.data'),
  DATABASE_URL: z.optional(scheme(/^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/permeate')),
  EMBEDDED_DATABASE: z.optional(z.enum(['postgres', 'pglite'])),
  SMTP_URL: z.optional(scheme(/^smtps?:\/\//, 'smtp://user:password@host:587')),
  PUBLIC_URL: z.optional(webAddress),
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
  MQTT_PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 1883),
  MQTT_URL: z.optional(scheme(/^(mqtts?|wss?):\/\//, 'mqtts://user:password@host:8883')),
  RAW_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650)), 30),
  TEN_MINUTE_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650)), 365),
  SUPERADMIN_LOGIN: z.optional(Login),
  SUPERADMIN_PASSWORD: z.optional(EnteredPassword),
  LOG_LEVEL: z._default(z.enum(logLevels), 'warn'),
  NODE_ENV: z.optional(z.string()),
})

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

  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    embeddedDatabase: env.EMBEDDED_DATABASE,
    smtpUrl: env.SMTP_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://${urlHost(env.HOST)}:${env.PORT}`).replace(/\/+$/, ''),
    trustProxy: env.TRUST_PROXY,
    demo,
    fleet: env.FLEET,
    history: env.HISTORY,
    mqttHost: env.MQTT_HOST,
    mqttPort: env.MQTT_PORT,
    mqttUrl: env.MQTT_URL,
    rawDays: env.RAW_DAYS,
    tenMinuteDays: env.TEN_MINUTE_DAYS,
    superadmin: login === undefined || password === undefined ? undefined : { login, password },
    logLevel: env.LOG_LEVEL,
  }
}

const settingMessage = (issue: z.core.$ZodIssue) => issueMessage(issue, String(issue.path[0] ?? 'The environment'))

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Returns a host as written in a URL: IPv6 in brackets. */
export const urlHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)
