/** Settings from the environment, checked once at start. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { EnteredPassword, Login } from '../../src/api/contract/fields.ts'
import { issueMessage } from '../../src/api/contract/issues.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path of the folder that holds the embedded database and what else is kept on disk. */
  readonly dataDir: string
  /** PostgreSQL in place of the embedded database. */
  readonly databaseUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** Where people reach the console; links in mails start with it. Without a trailing slash. */
  readonly publicUrl: string
  /** Addresses and ranges of the proxies that are believed from where a call comes, separated by commas. */
  readonly trustProxy: string | undefined
  /** Whether demo accounts and a demo fleet are made. */
  readonly demo: boolean
  /** Devices in the demo fleet, and the days of a past that they get. */
  readonly fleet: number
  readonly history: number
  /** Where the embedded MQTT broker listens for devices. */
  readonly mqttHost: string
  readonly mqttPort: number
  /** An outside broker in place of the embedded one. */
  readonly mqttUrl: string | undefined
  /** Days for which every reading is kept, and the ten-minute rollups; those of hours and days stay for good. */
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

/** `10.0.0.0/8`, `::1`. One that holds all there are would let every client name its own address. */
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

/** A setting that cannot be used; its message is for the person who starts the server. */
export class ConfigError extends Error {}

/**
 * Reads the settings; a variable that is set to nothing counts as not set.
 * Throws a `ConfigError` that names every setting that is wrong.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = z.safeParse(Environment, given, { reportInput: true })
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(settingMessage).join('\n'))
  const env = parsed.data

  // Production never has accounts with a published password, whatever else is asked for.
  const demo = env.DEMO === 'on' && env.NODE_ENV !== 'production'
  if (demo && !isLoopback(env.HOST))
    throw new ConfigError(
      `DEMO makes accounts with a published password, so it needs a loopback HOST, not ${env.HOST}. ` +
        'Set DEMO=off, or HOST=127.0.0.1.',
    )
  const { SUPERADMIN_LOGIN: login, SUPERADMIN_PASSWORD: password } = env
  if ((login === undefined) !== (password === undefined))
    throw new ConfigError('SUPERADMIN_LOGIN and SUPERADMIN_PASSWORD are set together or not at all.')

  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
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

/** A host as it stands in an address: IPv6 in brackets. */
export const urlHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)
