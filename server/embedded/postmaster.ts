/** One run of PostgreSQL: the process, from its start until it has ended. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../db/databaseError.ts'
import type { Binaries } from './binaries.ts'
import { dataArgument } from './initialise.ts'
import { dataOf, logOf } from './layout.ts'
import { setOwner, type OsUser } from './osUser.ts'
import { readPidFile } from './pidFile.ts'
import { settings, settingsFile } from './settings.ts'
import { watch } from './watchdog.ts'

export interface Start {
  readonly folder: string
  readonly binaries: Binaries
  readonly user: OsUser | undefined
  /** `name=value`; they take precedence over the settings of the file. */
  readonly overrides: readonly string[]
  /** The folder of the Unix socket; empty if it listens on a port. */
  readonly socketFolder: string
}

export interface Postmaster {
  readonly pid: number
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Ends it with a checkpoint; without one if that takes too long. Resolves when it has ended. */
  stop(): Promise<void>
}

/** Milliseconds. Recovery after a crash is part of the start. */
const startTimeout = 120_000
const fastShutdown = 20_000
/** Bytes of the log, above which it is emptied at a start. */
const maxLog = 1_000_000

/** Starts PostgreSQL and resolves once it accepts connections. @throws DatabaseError with the end of its log. */
export async function startPostmaster({ folder, binaries, user, overrides, socketFolder }: Start): Promise<Postmaster> {
  const cwd = dataOf(folder)
  writeOwned(user, join(cwd, settingsFile), settings)
  const logStart = openLog(user, logOf(folder))
  const log = openSync(logOf(folder), 'a')
  const args = ['-D', dataArgument(folder), ...overrides.flatMap(setting => ['-c', setting])]
  // Detached: Ctrl+C in a terminal ends all processes of its group at once, and the server still needs it to close.
  const child = spawn(binaries.postgres, args, { ...user, cwd, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const ended = new Promise<void>(resolve => {
    child.on('exit', () => resolve())
    child.on('error', () => resolve())
  })
  const pid = child.pid
  if (pid === undefined) throw new DatabaseError(`PostgreSQL could not be started in ${folder}`)
  const watchdog = watch({ pid, socketFolder, pgCtl: binaries.pgCtl, user })
  void ended.then(() => watchdog.stop())
  // The child must not keep the server's process alive: the server stops it while closing.
  child.unref()
  const postmaster = { pid, ended, stop: () => stop(child, ended, binaries) }
  await untilReady(child, folder, logStart).catch(async (error: unknown) => {
    await postmaster.stop()
    throw error
  })
  return postmaster
}

async function untilReady(child: ChildProcess, folder: string, logStart: number): Promise<void> {
  for (const started = Date.now(); ; await wait(10)) {
    const file = readPidFile(folder)
    if (file?.pid === child.pid && file?.ready) return
    if (child.exitCode !== null || child.signalCode !== null)
      throw new DatabaseError(`PostgreSQL in ${folder} does not start: ${lastErrors(folder, logStart)}`)
    if (Date.now() - started > startTimeout)
      throw new DatabaseError(`PostgreSQL in ${folder} was not ready within ${startTimeout / 1000} s`)
  }
}

async function stop(child: ChildProcess, ended: Promise<void>, { pgCtl }: Binaries): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const signal = (name: 'INT' | 'QUIT') => {
    if (hasEnded()) return
    if (process.platform === 'win32') spawnSync(pgCtl, ['kill', name, String(child.pid)])
    else child.kill(`SIG${name}`)
  }
  child.ref()
  signal('INT')
  const timer = setTimeout(() => signal('QUIT'), fastShutdown)
  await ended
  clearTimeout(timer)
}

function writeOwned(user: OsUser | undefined, path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600 })
  setOwner(user, path)
}

/** Creates the log, or empties it if it has grown too long; returns where the entries of this start begin. */
function openLog(user: OsUser | undefined, path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size <= maxLog) return size
  writeOwned(user, path, '')
  return 0
}

/** Returns the messages of a start that failed, without times and process ids. */
function lastErrors(folder: string, logStart: number): string {
  const lines = readFileSync(logOf(folder)).subarray(logStart).toString().trim().split('\n')
  const errors = lines.filter(line => /\b(FATAL|PANIC|DETAIL|HINT):/.test(line))
  return (errors.length > 0 ? errors : lines.slice(-1)).map(line => line.replace(/^.*?\] /, '')).join('; ')
}
