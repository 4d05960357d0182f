/** Changes that an operator makes with a command on the server's machine, as the audit log records them. */
import { userInfo } from 'node:os'
import { maxAuditIds } from '../../src/api/contract/audit.ts'
import type { Database } from '../db/database.ts'
import { audit } from '../db/schema/audit.ts'

/** The actions of commands, in place of the method and path of a call. */
export const commandActions = {
  resetSecondFactor: 'npm run second-factor -- reset',
  createCredentials: 'npm run device -- credentials',
  restore: 'npm run restore',
  createSuperadmin: 'SUPERADMIN_LOGIN',
} as const

interface CommandEntry {
  readonly action: keyof typeof commandActions
  /** What was changed; the entry has the first ids, and the number of all as `done`. */
  readonly ids: readonly string[]
  readonly values?: Readonly<Record<string, unknown>>
  readonly at: Date
}

/**
 * Stores an entry without account and address; its values name the machine's user who ran the command. Call it in the
 * transaction of the change, so that there is neither without the other.
 */
export async function recordCommand(tx: Database, { action, ids, values, at }: CommandEntry): Promise<void> {
  await tx.insert(audit).values({
    at,
    ended_at: at,
    action: commandActions[action],
    ids: ids.slice(0, maxAuditIds),
    values: { ...values, machine_user: machineUser() },
    address: '',
    outcome: 'done',
    // There is no call.
    status: 0,
    done: ids.length,
    message: '',
  })
}

/** Returns the name of the user who runs this process, or its number if it has no name, as in a container. */
function machineUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
