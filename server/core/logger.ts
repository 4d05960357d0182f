/** The logger: one JSON object a line, or readable text for people. Secrets are removed here, for all callers. */
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

type LoggerConfig = Pick<Config, 'logLevel' | 'logFormat' | 'demo'>

export interface ServerLog extends Log {
  /** The logger behind it, which Fastify uses for requests. */
  readonly logger: Logger
  readonly format: 'text' | 'json'
}

/** Names of values that are never logged. */
const secretNames = ['password', 'secret', 'token', 'authorization', 'cookie']
/** Matches them in a line of JSON, also in the text of an error. */
const namedSecret = new RegExp(
  String.raw`(\\?"[\w-]*(?:${secretNames.join('|')})[\w-]*\\?"\s*:\s*\\?")(?:[^"\\]|\\[^"])*`,
  'gi',
)
/** Matches the password in the address of a database, broker or mail server. */
const passwordInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*):[^\s/@"]+@/gi

/** Matches the token in the address of NATS. */
const tokenInUrl = /(\b(?:nats|tls):\/\/)[^\s/:@"]+@/gi

const withoutSecrets = (line: string) =>
  line.replace(passwordInUrl, '$1:***@').replace(tokenInUrl, '$1***@').replace(namedSecret, '$1***')

/** The values of a failed query, which Drizzle appends to its message, and the stack trace repeats. */
const queryValues = /\nparams: [\s\S]*?(?=\n {4}at |$)/g

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: string
  readonly cause?: LoggedError
  readonly errors?: readonly LoggedError[]
}

/** Returns what is logged of an error: no other property of it, because those of PostgreSQL quote rows. */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.constructor.name,
    message: error.message.replace(queryValues, ''),
    stack: error.stack?.replace(queryValues, ''),
    ...('code' in error && { code: String(error.code) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(describeError) }),
  }
}

/** Opens the log. `output`: replaces standard output, in tests. */
export function openLog({ logLevel, logFormat, demo }: LoggerConfig, output?: DestinationStream): ServerLog {
  const format = logFormat ?? (demo || process.stdout.isTTY ? 'text' : 'json')
  const destination = output ?? openOutput()
  const logger = pino(
    {
      level: logLevel,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: {
        err: describeError,
        // Headers and query are left out because they carry tokens.
        req: ({ method, url, ip }: { method: string; url?: string; ip: string }) => ({
          method,
          path: url?.split('?', 1)[0],
          ip,
        }),
      },
      hooks: { streamWrite: withoutSecrets },
    },
    format === 'json' ? destination : asText(destination),
  )
  return {
    logger,
    format,
    info: text => logger.info(text),
    error: (text, error) => logger.error({ err: error }, text),
  }
}

/** Bytes of lines that are kept while they cannot be written; further ones are dropped. */
const maxUnwritten = 1_000_000

/** Opens standard output. If it is a file on a full disk, lines wait for space: without a listener the server would end. */
function openOutput(): DestinationStream {
  const destination = pino.destination({ fd: 1, sync: true, maxLength: maxUnwritten })
  destination.on('error', () => undefined)
  return destination
}

/** A line as pino writes it. */
interface Line {
  readonly level: string
  readonly msg?: string
  readonly err?: LoggedError
}

/** Returns a stream that writes lines for people: the message, and the error below it. */
const asText = (destination: DestinationStream): DestinationStream => ({
  write: line => {
    const { level, msg = '', err } = JSON.parse(line) as Line
    const prefix = level === 'info' ? '' : `${level}: `
    destination.write(`${prefix}${msg}${err === undefined ? '' : `: ${errorText(err)}`}\n`)
  },
})

function errorText({ stack, message, cause }: LoggedError): string {
  return [stack ?? message, ...(cause === undefined ? [] : [`caused by ${errorText(cause)}`])].join('\n')
}
