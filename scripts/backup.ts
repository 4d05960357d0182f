/** Backs up the server's database from the command line: `npm run backup`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackup } from '../server/backup/write.ts'
import { readConfig } from '../server/core/config.ts'
import { DatabaseError, rootCause } from '../server/db/databaseError.ts'
import { reachBeside } from '../server/embedded/open.ts'
import { commandLog, runCommand, say, untilStopped, UsageError } from './command.ts'

const usage = `Usage: npm run backup -- --out file
Writes the database (DATA_DIR or DATABASE_URL) to a file, also while servers run. The file contains password hashes and
personal data; only its owner can read it.`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
  if (values.out === undefined || positionals.length > 0) throw new UsageError(usage)
  const path = resolve(values.out)
  const signal = untilStopped()
  const { connection, where, close } = await reachBeside(readConfig(process.env), commandLog)
  try {
    const { header, tables, rows, bytes } = await writeBackup(connection, path, signal)
    say(
      `Backed up ${rows} rows of ${tables} tables as of ${header.taken_at} (Permeate ${header.program}, schema ` +
        `${header.schema}) to ${path}, ${bytes} bytes.`,
    )
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new DatabaseError(`Could not back up the database ${where}: ${rootCause(error)}.`, { cause: error })
  } finally {
    await close()
  }
}

await runCommand(main, usage)
