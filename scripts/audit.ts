/** Verifies and exports the audit log from the command line: `npm run audit`. */
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { auditLines } from '../server/audit/export.ts'
import { BrokenChain, verifyChain, type LinkName } from '../server/audit/verify.ts'
import { readConfig } from '../server/core/config.ts'
import type { Database } from '../server/db/database.ts'
import { writeSecretFile } from '../server/devices/fleetFile.ts'
import { openBeside } from '../server/embedded/open.ts'
import { verifyTasks } from '../server/resources/jobs/taskDigest.ts'
import { commandLog, runCommand, UsageError } from './command.ts'

const usage = `Usage: npm run audit -- verify [--since position:hash]
         proves that no entry was changed, removed, added or moved, and no task of an
                  ended job; names the first one that was. --since is the last link that an earlier run named
       npm run audit -- export [--out file]
         writes the entries as JSON Lines, to standard output without --out
The command uses the server's database (DATA_DIR or DATABASE_URL), also while the server runs.`

function linkOf(text: string | undefined): LinkName | undefined {
  if (text === undefined) return undefined
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (position === undefined || hash === undefined) throw new UsageError(usage)
  return { position: Number(position), hash }
}

async function verify(db: Database, since: string | undefined): Promise<void> {
  const { entries, counting, last } = await verifyChain(db, linkOf(since))
  const jobs = await verifyTasks(db, new Date())
  const open = counting === 0 ? '' : ` ${counting} counts of the current hour are not covered yet.`
  process.stdout.write(
    `${entries} entries are as they were written, and so are the tasks of ${jobs} ended jobs.${open} Keep the last link for the next run: ${last.position}:${last.hash}\n`,
  )
}

/** Writes all entries as they are at one moment. */
const exportAll = (db: Database, out: string | undefined): Promise<void> =>
  db.transaction(
    tx =>
      out === undefined
        ? pipeline(auditLines(tx), process.stdout, { end: false })
        : writeSecretFile(resolve(out), auditLines(tx)),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

async function main(): Promise<void> {
  const options = { out: { type: 'string' }, since: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const [task, ...others] = positionals
  if ((task !== 'verify' && task !== 'export') || others.length > 0) throw new UsageError(usage)
  linkOf(values.since)
  const database = await openBeside(readConfig(process.env), commandLog)
  try {
    await (task === 'verify' ? verify(database.db, values.since) : exportAll(database.db, values.out))
  } finally {
    await database.close()
  }
}

await runCommand(main, usage, [BrokenChain])
