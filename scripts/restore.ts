/** Restores a backup from the command line: `npm run restore`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreBackup } from '../server/backup/restore.ts'
import { readConfig } from '../server/core/config.ts'
import { DatabaseError, rootCause } from '../server/db/databaseError.ts'
import { reachAlone } from '../server/embedded/open.ts'
import { commandLog, runCommand, say, untilStopped, UsageError } from './command.ts'

const usage = `Usage: npm run restore -- [--replace] file
Restores a backup into the database of DATA_DIR or DATABASE_URL, whole or not at all. No server may run on it.
  --replace  deletes what is in the database first; without it, the database must be empty`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError(usage)
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  const signal = untilStopped()
  const { connection, where, close } = await reachAlone(readConfig(process.env), commandLog)
  try {
    const { program, schema, taken_at } = await restoreBackup(connection, path, {
      replace: values.replace,
      signal,
      log: commandLog,
    })
    say(`Restored the database ${where} as of ${taken_at} (Permeate ${program}, schema ${schema}).`)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new DatabaseError(`Could not restore ${path}; the database ${where} is unchanged: ${rootCause(error)}.`, {
      cause: error,
    })
  } finally {
    await close()
  }
}

await runCommand(main, usage)
