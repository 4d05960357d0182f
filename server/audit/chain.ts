/** What the links of the audit log's chain cover, and their hashes. Migration 0006 has the same in SQL, for writing. */
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { linkKinds } from '../db/schema/audit.ts'

export type LinkKind = (typeof linkKinds)[number]

const callFields = ['at', 'account_id', 'login', 'role', 'action', 'ids', 'values', 'address'] as const
const outcomeFields = ['outcome', 'status', 'done', 'failed', 'message', 'created_ids', 'ended_at', 'count'] as const

/** The fields that each kind of link covers, besides the entry's id. */
const fieldsOf: Readonly<Record<LinkKind, readonly (keyof ChainedEntry)[]>> = {
  entry: [...callFields, ...outcomeFields],
  call: callFields,
  outcome: outcomeFields,
  interrupted: [],
}

/** A value as text of the database, or a list of ids. */
type Value = string | null | readonly (string | null)[]

/** The values of an entry that links cover. */
export type ChainedEntry = Readonly<Record<'id' | (typeof callFields)[number] | (typeof outcomeFields)[number], Value>>

/** Selects the values of a `ChainedEntry` from `audit as a`. */
export const chainedValues = sql`
  a.id::text, (extract(epoch from a.at) * 1000)::bigint::text as at, a.account_id, a.login, a.role, a.action, a.ids,
  a."values"::text as "values", a.address, a.outcome, a.status::text, a.done::text, a.failed::text, a.message,
  a.created_ids, (extract(epoch from a.ended_at) * 1000)::bigint::text as ended_at, a.count::text`

/** The hash before the first link. */
export const noHash = '0'.repeat(64)

/** Returns the hash of a link, SHA-256 in hexadecimal. `previous`: the hash of the link before it. */
export function linkHash(position: number, kind: LinkKind, previous: string, entry: ChainedEntry): string {
  const content = [entry.id, ...fieldsOf[kind].map(name => entry[name])].map(encode).join('')
  return createHash('sha256').update(`${position} ${kind} ${previous} ${content}`).digest('hex')
}

/** Returns a value with its length in bytes before it, so that two different entries never have the same encoding. */
function encode(value: Value): string {
  if (value === null) return '-,'
  const text = typeof value === 'string' ? value : value.map(encode).join('')
  return `${Buffer.byteLength(text)}:${text},`
}

/** Returns whether an entry has no value of an outcome yet. */
export const hasNoOutcome = (entry: ChainedEntry): boolean =>
  entry.status === '0' &&
  entry.message === '' &&
  (['done', 'failed', 'created_ids', 'ended_at', 'count'] as const).every(name => entry[name] === null)
