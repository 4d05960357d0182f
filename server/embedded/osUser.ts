/** The user as whom PostgreSQL runs: it refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, statSync } from 'node:fs'
import { DatabaseError } from '../db/databaseError.ts'

export interface OsUser {
  readonly uid: number
  readonly gid: number
}

/** In this order: a user that an operator made for it, that of a packaged PostgreSQL, one that every system has. */
const candidates = ['permeate', 'postgres', 'nobody']

/**
 * Returns the user for a database folder, which need not exist yet: its owner, so that it keeps it. `undefined` means the
 * server's own user, as always unless the server runs as root.
 * @throws DatabaseError if the folder belongs to another user, or root finds no user.
 */
export function databaseUser(folder: string): OsUser | undefined {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const owner = existsSync(folder) ? statSync(folder) : undefined
  if (own !== 0) {
    if (owner === undefined || owner.uid === own) return undefined
    throw new DatabaseError(
      `The database in ${folder} belongs to the user with the id ${owner.uid}. Start the server as that user, or as root.`,
    )
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user = candidates.map(find).find(found => found !== undefined)
  if (user === undefined)
    throw new DatabaseError(`PostgreSQL does not run as root, and there is no user ${candidates.join(', ')}.`)
  return user
}

/** Asks the system, which may have users that /etc/passwd does not list. */
function find(name: string): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map(option => {
    const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : 0
  })
  return uid && gid ? { uid, gid } : undefined
}

/** Gives a file or an empty folder to the user. */
export function setOwner(user: OsUser | undefined, path: string): void {
  if (user) chownSync(path, user.uid, user.gid)
}

/** Gives a folder and all in it to the user, if root owns it, for example after it was copied. */
export function setOwnerOfAll(user: OsUser | undefined, folder: string): void {
  if (user && statSync(folder).uid === 0) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
}
