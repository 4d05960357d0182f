/** Counts acknowledged readings and changes that a database lost in a power cut, or has twice. */
import { sql } from 'drizzle-orm'
import { verifyChain, type LinkName } from '../../../server/audit/verify.ts'
import { readConfig } from '../../../server/core/config.ts'
import type { Database } from '../../../server/db/database.ts'
import { openBeside } from '../../../server/embedded/open.ts'
import { progress } from '../figures.ts'
import type { Ledger, Reading } from './powerLoad.ts'

export interface Checked {
  /** Acknowledged readings and changes that are not there. */
  readonly lost: number
  /** Readings and changes that are there, or count in sums, more than once. */
  readonly doubled: number
  /** The last link of the audit log. */
  readonly link: LinkName
}

/**
 * Checks the database of a running server against what was acknowledged, and verifies its audit log, in which the last link
 * of the check before must still be. @throws BrokenChain
 */
export async function check(dataDir: string, ledger: Ledger, known: LinkName | undefined): Promise<Checked> {
  const { db, close } = await openBeside(readConfig({ DATA_DIR: dataDir }), { info: progress, error: progress })
  try {
    const [readings, changes] = [await checkReadings(db, ledger.readings), await checkChanges(db, ledger.changes)]
    const { last: link } = await verifyChain(db, known)
    return { lost: readings.lost + changes.lost, doubled: readings.doubled + changes.doubled, link }
  } finally {
    await close()
  }
}

async function checkReadings(db: Database, acknowledged: readonly Reading[]) {
  const { rows } = await db.execute<{ reading: string }>(sql`
    select bssid || ' ' || round(extract(epoch from at) * 1000) as reading from readings`)
  const stored = new Set(rows.map(({ reading }) => reading))
  const lost = acknowledged.filter(({ bssid, at }) => !stored.has(`${bssid} ${at}`)).length
  // A reading is a row, which cannot be there twice, but it could count twice in the sums that charts read.
  const { rows: sums } = await db.execute<{ difference: number }>(sql`
    select coalesce(sum(abs(coalesce(summed, 0) - coalesce(stored, 0))), 0)::float8 as difference from
      (select bssid, count(*) filter (where at < summed_until) as stored from readings join device_twins using (bssid)
        group by bssid) as one full join
      (select bssid, sum(readings) as summed from reading_ten_minutes group by bssid) as ten using (bssid)`)
  return { lost, doubled: rows.length - stored.size + sums[0]!.difference }
}

async function checkChanges(db: Database, acknowledged: ReadonlySet<string>) {
  const { rows } = await db.execute<{ title: string }>(sql`select title from events`)
  const all = rows.map(({ title }) => title).filter(isTitle)
  const stored = new Set(all)
  return { lost: [...acknowledged].filter(title => !stored.has(title)).length, doubled: all.length - stored.size }
}

/** Whether an event is of the load: the demo has others. */
const isTitle = (title: string) => /^[\da-f-]{36}$/.test(title)
