/** Handlers of the contract's endpoints: a handler receives validated input and the caller, and returns `data`. */
import type * as z from 'zod/mini'
import type { Endpoint, PreviewQuery } from '../../src/api/contract/endpoint.ts'
import type { KeyScope } from '../../src/api/contract/apiKeys.ts'
import type { SignInFactor } from '../../src/api/contract/audit.ts'
import type { AccountRole, Role } from '../../src/domain/roles.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Background } from '../core/background.ts'
import type { Config } from '../core/config.ts'
import type { Database } from '../db/database.ts'
import type { DatabaseState } from '../db/state.ts'
import type { AlarmEvaluator } from '../devices/alarms/alarmEvaluator.ts'
import type { Changes } from '../devices/changes.ts'
import type { Link } from '../devices/link.ts'
import type { Bus } from '../bus/bus.ts'
import type { MailQueue } from '../mail/mailQueue.ts'
import type { TelemetryStore } from '../telemetry/store.ts'

/** The authenticated caller. */
export interface Caller {
  readonly account: string
  readonly login: string
  readonly role: Role
  /** The vendor whose rows the call is limited to: the account itself, or that of its key; null without a limit. */
  readonly vendor: string | null
  /** The id of the session, or of the API key. */
  readonly session: string
  /** The API key that the call is made with, instead of a session. */
  readonly key?: CallerKey
}

export interface CallerKey {
  readonly id: string
  readonly name: string
  /** The role of its account; a key that is limited to a vendor calls in the role of a vendor. */
  readonly accountRole: Role
  readonly scope: KeyScope
}

/** The account that a call without a session is about, for the audit log. */
export interface AuditSubject {
  readonly id: string
  readonly login: string
  readonly role: AccountRole
}

/** What the audit log has of a call without a session, besides its account. */
export interface AuditValues {
  /** What a sign-in has proved: `pending` if it still needs a second factor in addition to the password. */
  readonly factor: SignInFactor
}

/** What the audit log has of the outcome of a successful call, if its response does not say it. */
export interface AuditOutcome {
  readonly done?: number
  readonly failed?: number
  readonly message: string
}

/** Services that handlers use; created once at start. */
export interface Services {
  readonly db: Database
  readonly telemetry: TelemetryStore
  readonly database: DatabaseState
  readonly config: Config
  readonly link: Link
  /** Stores changes that devices have acknowledged. */
  readonly changes: Changes
  /** Encrypts secrets; undefined if the server has no key for that. */
  readonly secrets: Secrets | undefined
  readonly mails: Pick<MailQueue, 'wake'>
  /** Publishes changes to consoles and other processes. */
  readonly bus: Bus
  readonly alarms: AlarmEvaluator
  readonly background: Background
  /** The clock, so that tests can move it. */
  readonly now: () => Date
}

export interface UploadedFile {
  readonly name: string
  readonly bytes: Buffer
}

type Schema = z.core.$ZodType
export interface Call<P extends Schema = Schema, Q extends Schema = Schema, B extends Schema = Schema> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
  /** Value of the endpoint's token header; empty if it has none. */
  readonly token: string
  /** The upload; present on upload endpoints only. */
  readonly file: UploadedFile
  /** The client's network address, and its `User-Agent` header; empty if there is none. */
  readonly address: string
  readonly userAgent: string
  /** Present on every endpoint that is not public. */
  readonly caller: Caller
  /** Returns whether the caller's token is still valid, for streaming responses. */
  readonly isStillAuthorized: () => Promise<boolean>
  /** The caller's id for this call, under which its progress is published. */
  readonly progressId: string | undefined
  /** Sets the account that a call without a session is about, for the audit log. */
  readonly auditSubject: (account: AuditSubject) => void
  /**
   * Records, on public endpoints, that the call is made by this account, which has proved itself. Call it before anything
   * is changed; calls that do not get there are counted instead of recorded one by one. `values` are recorded with it.
   */
  readonly auditStart: (account: AuditSubject, values?: AuditValues) => Promise<void>
  /**
   * Counts, on public endpoints, a call that anybody may make, in the transaction of what it does, so that there is neither
   * without the other.
   */
  readonly auditWithin: (tx: Database) => Promise<void>
  /** Sets the ids of created rows for the audit log, if the response contains only a count. */
  readonly auditCreated: (ids: readonly string[]) => void
  /** Sets what the audit log has of the call's outcome if it succeeds. */
  readonly auditOutcome: (outcome: AuditOutcome) => void
  /** Sets the vendors that see the changed rows; null is ignored. By default the consoles of all vendors reload. */
  readonly affectedVendors: (vendors: readonly (string | null)[]) => void
  readonly services: Services
}

export interface Handler {
  readonly endpoint: Endpoint
  readonly handle: (call: Call) => Promise<unknown>
}

/** Returns whether a bulk call is a dry run: the handler checks everything and stops before it changes anything. */
export const isPreview = ({ query }: { readonly query: z.output<typeof PreviewQuery> }): boolean =>
  query.preview === 'true'

/** Creates a typed handler for an endpoint; input and response types follow from the contract. */
export function handler<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  endpoint: Endpoint<P, Q, B, A>,
  handle: (call: Call<P, Q, B>) => Promise<z.input<A>>,
): Handler {
  // Routes validate with the endpoint's schemas before the call, so the cast is safe.
  return { endpoint, handle: call => handle(call as Call<P, Q, B>) }
}
