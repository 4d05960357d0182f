/** Removes the second factor of an account from the command line: `npm run second-factor`. */
import { parseArgs } from 'node:util'
import { recordCommand } from '../server/audit/commands.ts'
import { findAccountByLogin } from '../server/auth/accounts.ts'
import { removeSecondFactor } from '../server/auth/secondFactors.ts'
import { endSessions } from '../server/auth/sessions.ts'
import { publishWith } from '../server/bus/notify.ts'
import { entryAdded } from '../server/bus/publishChanges.ts'
import { readConfig } from '../server/core/config.ts'
import { openBeside } from '../server/embedded/open.ts'
import { commandLog, runCommand, say, UsageError } from './command.ts'

const usage = `Usage: npm run second-factor -- reset LOGIN
         removes the second factor (authenticator and passkeys) of an account that has lost it, such as the superadmin's,
         and ends its sessions
The command uses the server's database (DATA_DIR or DATABASE_URL), also while the server runs.`

async function main(): Promise<void> {
  const [task, login, ...rest] = parseArgs({ allowPositionals: true }).positionals
  if (task !== 'reset' || login === undefined || rest.length > 0) throw new UsageError(usage)
  const database = await openBeside(readConfig(process.env), commandLog)
  try {
    const account = await findAccountByLogin(database.db, login)
    if (!account) throw new UsageError(`Account not found: ${login}`)
    await database.db.transaction(async tx => {
      if (!(await removeSecondFactor(tx, account.id))) throw new UsageError('This account has no second factor')
      await endSessions(tx, [account.id])
      await recordCommand(tx, { action: 'resetSecondFactor', ids: [account.id], at: new Date() })
      // A running server ends the open streams of these sessions, and consoles show the new entry.
      await publishWith(tx, [{ kind: 'accessEnded', accounts: [account.id] }, entryAdded])
    })
    say(`Removed the second factor of ${account.login}. It signs in with its password alone until it sets up another.`)
  } finally {
    await database.close()
  }
}

await runCommand(main, usage)
