/** Creates the folder of a new embedded PostgreSQL. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from '../db/databaseError.ts'
import type { Binaries } from './binaries.ts'
import { dataOf, passwordOf } from './layout.ts'
import { setOwner, type OsUser } from './osUser.ts'
import { operatorSettings } from './settings.ts'

/** The owner of the database. */
export const role = 'permeate'

/**
 * How a process started in the data folder names it. Linux follows this name without asking for permission to enter the
 * folders above, which root's home, for example, gives to no other user.
 */
export const dataArgument = (folder: string) => (process.platform === 'linux' ? '/proc/self/cwd' : dataOf(folder))

/**
 * Creates an empty database in `folder`, which it replaces, with a random password. `sync`: writes all to the disk.
 * @throws DatabaseError with what PostgreSQL said.
 */
export async function initialise(
  folder: string,
  { binaries, user, sync = true }: { binaries: Binaries; user: OsUser | undefined; sync?: boolean },
): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  for (const path of [folder, dataOf(folder)]) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    setOwner(user, path)
  }
  writeFileSync(passwordOf(folder), randomBytes(24).toString('hex'), { mode: 0o600, flush: true })
  setOwner(user, passwordOf(folder))
  await run(binaries.initdb, {
    cwd: dataOf(folder),
    user,
    args: [
      `--pgdata=${dataArgument(folder)}`,
      `--username=${role}`,
      '--pwfile=../password',
      '--auth=scram-sha-256',
      '--no-instructions',
      // Sorting and searching name their collations; the same default everywhere, whatever the system's language.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C',
      '--builtin-locale=C.UTF-8',
      ...(sync ? [] : ['--no-sync']),
    ],
  })
  writeFileSync(join(dataOf(folder), 'postgresql.conf'), operatorSettings, { flush: true })
}

function run(
  program: string,
  { cwd, user, args }: { cwd: string; user: OsUser | undefined; args: readonly string[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...user, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve()
      else reject(new DatabaseError(`PostgreSQL could not create its database in ${cwd}: ${errors.trim()}`))
    })
  })
}
