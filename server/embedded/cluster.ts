/** The embedded PostgreSQL while the server runs: started, started again if it crashes, and stopped. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Log } from '../core/log.ts'
import { DatabaseError } from '../db/databaseError.ts'
import { role } from './initialise.ts'
import { dataOf, passwordOf } from './layout.ts'
import { setOwnerOfAll } from './osUser.ts'
import { stopOrphan } from './orphan.ts'
import { startPostmaster, type Postmaster, type Start } from './postmaster.ts'
import { chooseSocket, type Listening } from './sockets.ts'

export interface Cluster {
  /** How to connect to it. */
  readonly connection: PoolConfig & { readonly host: string; readonly port: number; readonly password: string }
  /** The id of its main process, which changes when it was started again. */
  pid(): number
  /** Resolves when it has stopped, with all data in its files. */
  stop(): Promise<void>
}

interface ClusterOptions extends Omit<Start, 'overrides' | 'socketFolder'> {
  readonly log: Log
  /** By default a Unix socket where there are any. */
  readonly listening?: Listening
  /** Settings that replace the usual ones, `name=value`. */
  readonly overrides?: readonly string[]
}

/** Milliseconds in which the processes of a killed PostgreSQL notice that and end; until then it cannot start again. */
const endOfProcesses = 10_000
/** Delays in milliseconds before the first attempts to start it again, and before each one after them. */
const restartDelays = [0, 500, 1000]
/** Short, because it may have ended for a full disk, and then runs again soon after there is space. */
const lastDelay = 2_000

/**
 * Starts the PostgreSQL in a folder and keeps it running. Ends one that an earlier server has left behind.
 * @throws DatabaseError if it does not start, or if its data is of another version of PostgreSQL.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, binaries, user, log, overrides = [] } = options
  requireSameMajor(folder, binaries.major)
  const password = readFileSync(passwordOf(folder), 'utf8')
  setOwnerOfAll(user, folder)
  await stopOrphan(folder)
  const listening = options.listening ?? (await chooseSocket(user))
  const start = () =>
    startWithRetry({
      folder,
      binaries,
      user,
      overrides: [...listening.settings, ...overrides],
      socketFolder: listening.socketFolder,
    })

  const stopping = new AbortController()
  const { signal } = stopping
  let running: Postmaster
  const restart = async () => {
    for (let attempt = 0; ; attempt++) {
      await wait(restartDelays[attempt] ?? lastDelay, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await stopOrphan(folder, listening.host)
        running = await start()
        superviseRun(running)
        log.info('PostgreSQL runs again')
        return
      } catch (error) {
        log.error('Could not start PostgreSQL again', error)
      }
    }
  }
  let restarting: Promise<void> = Promise.resolve()
  const superviseRun = (postmaster: Postmaster) =>
    void postmaster.ended.then(() => {
      if (signal.aborted) return
      log.error('PostgreSQL exited and is being restarted', new DatabaseError(`See ${join(folder, 'server.log')}`))
      restarting = restart()
    })

  try {
    running = await start()
  } catch (error) {
    listening.remove()
    throw error
  }
  superviseRun(running)
  return {
    connection: {
      host: listening.host,
      port: listening.port,
      user: role,
      password,
      database: 'postgres',
    },
    pid: () => running.pid,
    stop: async () => {
      stopping.abort()
      await restarting
      await running.stop()
      listening.remove()
    },
  }
}

/** Starts it; waits for the processes of a killed one to end, which still use its shared memory. */
async function startWithRetry(start: Start): Promise<Postmaster> {
  for (const began = Date.now(); ; await wait(100)) {
    try {
      return await startPostmaster(start)
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.message.includes('shared memory block')
      if (!isBusy || Date.now() - began > endOfProcesses) throw error
    }
  }
}

function requireSameMajor(folder: string, major: number): void {
  const found = Number(readFileSync(join(dataOf(folder), 'PG_VERSION'), 'utf8'))
  if (found !== major)
    throw new DatabaseError(
      `The database in ${folder} is of PostgreSQL ${found}, and this version of Permeate has PostgreSQL ${major}. ` +
        `Start a version of Permeate with PostgreSQL ${found}.`,
    )
}
