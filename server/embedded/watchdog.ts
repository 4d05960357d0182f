/**
 * Stops PostgreSQL when the server is gone, however it ended. The watchdog reads from a pipe whose other end the server
 * holds: the system closes it with the server's process.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import type { OsUser } from './osUser.ts'

/**
 * `$1` is the process of PostgreSQL, `$2` the folder of its socket. It is asked to stop, and after ten seconds to stop
 * without a checkpoint. The folder is empty once it has ended.
 */
const shellScript = `trap '' INT TERM HUP
while read -r line; do :; done
for signal in INT QUIT; do
  kill -$signal "$1" 2>/dev/null
  for second in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$1" 2>/dev/null || break 2
    sleep 1
  done
done
rmdir "$2" 2>/dev/null`

/** Windows has no shell for it, and a process is asked to stop by pg_ctl. */
const nodeScript = `process.stdin.resume().on('end', () =>
  require('node:child_process').spawnSync(process.argv[1], ['kill', 'INT', process.argv[2]]))`

export interface Watched {
  readonly pid: number
  /** Removed after it; empty where there is none. */
  readonly socketFolder: string
  readonly pgCtl: string
  readonly user: OsUser | undefined
}

export interface Watchdog {
  stop(): void
}

/** Starts a watchdog for a PostgreSQL, as the user who may signal it. Where it is killed, another one takes over. */
export function watch({ pid, socketFolder, pgCtl, user }: Watched): Watchdog {
  let stopped = false
  let running: ChildProcess
  const start = () => {
    const [program, args] =
      process.platform === 'win32'
        ? [process.execPath, ['-e', nodeScript, pgCtl, String(pid)]]
        : ['/bin/sh', ['-c', shellScript, 'permeate-watchdog', String(pid), socketFolder]]
    // Detached: Ctrl+C in a terminal ends all processes of its group at once.
    running = spawn(program, args, { ...user, cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    running.stdin?.on('error', () => undefined)
    running.on('error', () => undefined)
    running.on('exit', () => {
      if (!stopped) setTimeout(() => !stopped && start(), 1000).unref()
    })
    running.unref()
  }
  start()
  return {
    stop: () => {
      stopped = true
      running.kill('SIGKILL')
    },
  }
}
