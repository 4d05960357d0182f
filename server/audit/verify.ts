/** Proves that the audit log is as it was written: no entry changed, removed, added or moved. */
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { chainedValues, hasNoOutcome, linkHash, noHash, type ChainedEntry, type LinkKind } from './chain.ts'

/** A link as it is written down: its position and hash. */
export interface LinkName {
  readonly position: number
  readonly hash: string
}

export interface VerifiedChain {
  readonly entries: number
  /** The last link; position 0 if there is none. */
  readonly last: LinkName
  /** Counts of calls without a session that are not closed, so that nothing covers them yet. */
  readonly counting: number
}

/** The chain is broken; the message names the first entry that is not as it was written. */
export class BrokenChain extends Error {}

type Row = ChainedEntry & {
  readonly position: number
  readonly kind: LinkKind
  readonly hash: string
  /** The id of the entry, also if the entry is gone. */
  readonly entry: string
}

/** Links per query. */
const pageSize = 5000

/**
 * Verifies the whole chain as it is at one moment; a server may go on writing. `known`: a link of an earlier
 * verification, which must still be there. @throws BrokenChain
 */
export const verifyChain = (db: Database, known?: LinkName): Promise<VerifiedChain> =>
  db.transaction(tx => verifyIn(tx, known), { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function verifyIn(db: Database, known: LinkName | undefined): Promise<VerifiedChain> {
  let last: LinkName = { position: 0, hash: noHash }
  /** Entries whose call has begun and has no outcome so far in the chain, with the outcome that they must have. */
  const open = new Map<string, Open>()
  for await (const row of readLinks(db)) {
    if (row.position !== last.position + 1) throw new BrokenChain(`Link ${last.position + 1} was removed.`)
    checkLink(row, last, open)
    if (row.position === known?.position && row.hash !== known.hash) throw notAsBefore(known)
    last = { position: row.position, hash: row.hash }
  }
  if (known && known.position > last.position) throw notAsBefore(known)
  await checkEnd(db, last)
  for (const [id, { found, expected }] of open)
    if (found !== expected)
      throw new BrokenChain(`The outcome of entry ${id} was changed: it has no link for '${found}'.`)
  await checkUnlinked(db)
  const { rows } = await db.execute<{ entries: number; counting: number }>(sql`
    select count(*)::float8 as entries, count(counting)::float8 as counting from audit`)
  return { ...rows[0]!, last }
}

const notAsBefore = ({ position }: LinkName) =>
  new BrokenChain(`Link ${position} is not the one that was verified earlier: the history before it was replaced.`)

interface Open {
  readonly found: string
  readonly expected: 'started' | 'interrupted'
}

/** Checks that a link fits its entry and the link before it. */
function checkLink(row: Row, last: LinkName, open: Map<string, Open>): void {
  const { position, kind, entry } = row
  if (row.id === null) throw new BrokenChain(`Entry ${entry} (link ${position}) was removed.`)
  if (row.hash !== linkHash(position, kind, last.hash, row))
    throw new BrokenChain(
      `Entry ${entry} (link ${position}) does not fit: it, or one directly before it, was changed, removed, added or moved.`,
    )
  const found = String(row.outcome)
  const isOpen = found === 'started' || found === 'interrupted'
  if (isOpen && !hasNoOutcome(row)) throw new BrokenChain(`The outcome of entry ${entry} was changed.`)
  if (kind === 'call') open.set(entry, { found, expected: 'started' })
  else if (kind === 'interrupted') open.set(entry, { found, expected: 'interrupted' })
  else open.delete(entry)
}

/** Yields the links in their order, each with its entry as it is now. */
async function* readLinks(db: Database): AsyncGenerator<Row> {
  for (let after = 0, isLast = false; !isLast;) {
    const { rows }: { rows: Row[] } = await db.execute<Row>(sql`
      select l.position::float8 as position, l.kind, l.hash, l.entry::text as entry, ${chainedValues}
      from audit_links l left join audit a on a.id = l.entry
      where l.position > ${after} order by l.position limit ${pageSize}`)
    yield* rows
    after = rows.at(-1)?.position ?? after
    isLast = rows.length < pageSize
  }
}

/** Checks that no links are missing at the end. */
async function checkEnd(db: Database, last: LinkName): Promise<void> {
  const { rows } = await db.execute<{ position: number; hash: string }>(sql`
    select position::float8 as position, hash from audit_chain`)
  const [end] = rows
  if (end?.position === last.position && end.hash === last.hash) return
  throw new BrokenChain(
    end && end.position > last.position
      ? `Link ${last.position + 1} was removed: there should be ${end.position}.`
      : `Link ${last.position} was added, or the record of the last link was changed.`,
  )
}

/** Checks that each entry has a link, besides counts that are not closed. */
async function checkUnlinked(db: Database): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id::text from audit where counting is null and not exists (select from audit_links where entry = audit.id)
    order by audit.id limit 1`)
  if (rows[0]) throw new BrokenChain(`Entry ${rows[0].id} was added: it has no link.`)
}
