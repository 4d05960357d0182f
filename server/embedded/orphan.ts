/** A PostgreSQL that outlived its server is stopped before another one starts on the same data. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../db/databaseError.ts'
import { dataOf, pidFileOf } from './layout.ts'
import { readPidFile } from './pidFile.ts'
import { socketPrefix } from './sockets.ts'

/** Milliseconds for a shutdown with a checkpoint, and for one without. Recovery replays what a checkpoint would write. */
const fastShutdown = 1500
const immediateShutdown = 5000

/**
 * Ends the PostgreSQL that still runs in a folder, and removes what a killed one has left there. Call it only with the
 * lock of the data folder, so that no server uses that PostgreSQL.
 * `usedSocket`: the socket folder of this server, which must not be removed.
 * @throws DatabaseError if it cannot be ended.
 */
export async function stopOrphan(folder: string, usedSocket?: string): Promise<void> {
  const left = readPidFile(folder)
  if (left === undefined) {
    if (existsSync(pidFileOf(folder))) removeLocks(folder)
    return
  }
  if (isPostgresOf(left.pid, folder)) {
    await end(left.pid, folder)
  } else if (await answersInFolder(folder, left.port)) {
    throw new DatabaseError(
      `The database in ${folder} is still in use by a PostgreSQL of another container. Stop that container.`,
    )
  }
  if (existsSync(pidFileOf(folder))) forgetProcess(folder, left.port)
  const isTemporary = left.socketFolder !== usedSocket && basename(left.socketFolder).startsWith(socketPrefix)
  if (isTemporary) rmSync(left.socketFolder, { recursive: true, force: true })
}

async function end(pid: number, folder: string): Promise<void> {
  for (const [signal, time] of [
    ['SIGINT', fastShutdown],
    ['SIGQUIT', immediateShutdown],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
    for (const started = Date.now(); Date.now() - started < time; await wait(20)) if (!isPostgresOf(pid, folder)) return
  }
  throw new DatabaseError(`The database in ${folder} is still in use by process ${pid}, which does not stop. End it.`)
}

/** Returns whether a process is a PostgreSQL on this folder; its id may meanwhile belong to any other process. */
function isPostgresOf(pid: number, folder: string): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform === 'linux') {
    try {
      if (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes('(postgres)')) return false
      const [used, own] = [statSync(`/proc/${pid}/cwd`), statSync(dataOf(folder))]
      return used.dev === own.dev && used.ino === own.ino
    } catch (error) {
      // A container may forbid root to look at another user's processes.
      return error instanceof Error && 'code' in error && error.code === 'EACCES'
    }
  }
  if (process.platform === 'win32') {
    const { stdout } = spawnSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' })
    return /postgres/i.test(stdout)
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(dataOf(folder))
}

/**
 * Returns whether something answers on the socket in the data folder. Process ids say nothing of other containers, but
 * a socket on a volume that they share can be reached.
 */
function answersInFolder(folder: string, port: number): Promise<boolean> {
  const path = join(dataOf(folder), `.s.PGSQL.${port}`)
  if (process.platform === 'win32' || !existsSync(path)) return Promise.resolve(false)
  return new Promise(resolve => {
    const socket = connect(path)
    const answer = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.on('connect', () => answer(true)).on('error', () => answer(false))
  })
}

/** A power cut can leave files without content, with which PostgreSQL does not start. */
function removeLocks(folder: string): void {
  rmSync(pidFileOf(folder))
  for (const name of readdirSync(dataOf(folder)))
    if (/^\.s\.PGSQL\.\d+\.lock$/.test(name)) rmSync(join(dataOf(folder), name))
}

/** A process id that no system gives, in place of one that is now another program's: PostgreSQL would refuse to start. */
const noProcess = 999_999_999

/** Keeps the rest of the file: by it PostgreSQL finds out whether the shared memory of a killed one is still in use. */
function forgetProcess(folder: string, port: number): void {
  const path = pidFileOf(folder)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^-?\d+/, String(noProcess)), {
    flush: true,
  })
  rmSync(join(dataOf(folder), `.s.PGSQL.${port}.lock`), { force: true })
}
