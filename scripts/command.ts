/** What the commands for operators have in common: their output and their errors. */
import { ConfigError } from '../server/core/config.ts'
import { FolderError } from '../server/core/folderLock.ts'
import type { Log } from '../server/core/log.ts'
import { DatabaseError } from '../server/db/databaseError.ts'

/** A wrong command line; the message is printed without a stack trace. */
export class UsageError extends Error {}

/** Prints a line on standard error, because a result may go to standard output. */
export const say = (text: string) => void process.stderr.write(`${text}\n`)

/** The log of what a command uses. */
export const commandLog: Log = { info: say, error: (text, error) => say(`${text}: ${String(error)}`) }

/**
 * Runs a command, which ends with the exit code 1 if it fails. `usage` is printed for unknown options. Of errors of the
 * `expected` kinds, as of those of settings and databases, only the message is printed.
 */
export async function runCommand(
  main: () => Promise<void>,
  usage: string,
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<void> {
  try {
    await main()
  } catch (error) {
    const isExpected = [UsageError, ConfigError, DatabaseError, FolderError, ...expected].some(
      kind => error instanceof kind,
    )
    const isInvalidOption = error instanceof TypeError && 'code' in error
    if (isInvalidOption) say(`${error.message}\n${usage}`)
    else say(isExpected && error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** Returns a signal that aborts when the command is asked to stop, so that it can clean up first. */
export function untilStopped(): AbortSignal {
  const stopping = new AbortController()
  // Not only the first signal: npm forwards Ctrl+C, which the command has already received from the terminal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stopping.abort(new UsageError('Stopped. Nothing was changed.')))
  return stopping.signal
}
