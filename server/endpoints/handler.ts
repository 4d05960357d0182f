/** How an endpoint of the contract is answered: a handler gets checked input and the caller, and returns `data`. */
import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import type { Endpoint, PreviewQuery } from '../../src/api/contract/endpoint.ts'
import type { AccountRole, Role } from '../../src/domain/roles.ts'
import type { Background } from '../core/background.ts'
import type { Config } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import type { AlarmEvaluator } from '../devices/alarms/alarmEvaluator.ts'
import type { Changes } from '../devices/changes.ts'
import type { Link } from '../devices/link.ts'
import type { Bus } from '../bus/bus.ts'
import type { Mail } from '../mail/mail.ts'

/** Who is calling, once the access token has been checked. */
export interface Caller {
  readonly account: string
  readonly login: string
  readonly role: Role
  readonly session: string
}

/** Whose login, or whose token, a call without a session gave. */
export interface AuditSubject {
  readonly id: string
  readonly login: string
  readonly role: AccountRole
}

/** What handlers work with; made once at start. */
export interface Services {
  readonly db: Database
  readonly config: Config
  readonly link: Link
  /** Stores what devices acknowledged. */
  readonly changes: Changes
  readonly mail: Mail
  /** Tells what has changed, to consoles and to other processes. */
  readonly bus: Bus
  readonly alarms: AlarmEvaluator
  readonly background: Background
  /** The clock, so that tests can move it. */
  readonly now: () => Date
}

export interface UploadedFile {
  readonly name: string
  readonly stream: Readable
}

type Schema = z.core.$ZodType
export interface Call<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
  /** The token of the endpoint's own header, where it has one. */
  readonly token: string
  /** Present on endpoints that take an upload. */
  readonly file: UploadedFile
  /** The caller's network address. */
  readonly address: string
  /** Present on every endpoint that is not public. */
  readonly caller: Caller
  /** Whether the caller's token would still be accepted, for an answer that goes on and on. */
  readonly isStillAuthorized: () => Promise<boolean>
  /** What the caller named this call, to hear of its progress. */
  readonly progressId: string | undefined
  /** On a public endpoint: tells the audit whose account it is about. */
  readonly auditSubject: (account: AuditSubject) => void
  /** Where the answer only counts what was made: tells the audit its ids, once it is stored. */
  readonly auditCreated: (ids: readonly string[]) => void
  readonly services: Services
}

export interface Handler {
  readonly endpoint: Endpoint
  readonly handle: (call: Call) => Promise<unknown>
}

/** Whether a call on many asks what it would do: the handler decides as ever, and stops before it acts. */
export const isPreview = ({ query }: { readonly query: z.output<typeof PreviewQuery> }): boolean =>
  query.preview === 'true'

/** Ties a handler to its endpoint; input and answer types follow from the contract. */
export function handler<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Endpoint<P, Q, B, A>,
  handle: (call: Call<P, Q, B>) => Promise<z.input<A>>,
): Handler {
  // The route parses with the endpoint's own schemas before it calls, so the wider type is safe here.
  return { endpoint, handle: call => handle(call as Call<P, Q, B>) }
}
