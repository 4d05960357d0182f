/** The real server with a demo fleet without history, on a given database. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { compileCache, root } from '../../scripts/programs.ts'
import { freePort } from '../support/ports.ts'
import { answers, environmentOfServers, heapLimit } from '../support/serverPrograms.ts'

export interface RealServer {
  readonly url: string
  readonly mqttUrl: string
  /** The id of its process, another one after a restart. */
  readonly process: number
  readonly dataDir: string
  /** Returns its output so far. */
  log(): string
  stop(): Promise<void>
  /** Kills it at once, like a failing machine; also while it starts. */
  kill(): Promise<void>
  /** Starts it again as it was, and resolves once it answers. */
  start(): Promise<void>
  /** Stops it and removes its data folder. */
  remove(): Promise<void>
}

const readyWithin = 600_000

/** Starts it in a new data folder, which `prepare` may change before, and with `more` settings. */
export async function startRealServer(
  databaseUrl: string | undefined,
  fleet: number,
  prepare: (dataDir: string) => void | Promise<void> = () => undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<RealServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  await prepare(dataDir)
  const [port, mqttPort] = [await freePort(), await freePort()]
  const own = {
    PORT: port,
    MQTT_PORT: mqttPort,
    FLEET: fleet,
    HISTORY: 0,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    DEMO: 'on',
  }
  const settings = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  const url = `http://127.0.0.1:${port}`
  let log = ''
  const launch = () => {
    const child = spawn(process.execPath, [heapLimit, 'server/main.ts'], {
      cwd: root,
      // As `npm start` does.
      env: {
        NODE_COMPILE_CACHE: compileCache,
        ...environmentOfServers(),
        ...settings,
        ...more,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)))
    return { child, exited }
  }
  const ready = async (child: ChildProcess) => {
    for (const started = Date.now(); !(await answers(url)); await wait(50)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended at start:\n${log}`)
      if (Date.now() - started > readyWithin) {
        child.kill('SIGKILL')
        throw new Error(`The server did not answer within ${readyWithin / 1000} s:\n${log}`)
      }
    }
  }
  let running = launch()
  await ready(running.child)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    running.child.kill(signal)
    await running.exited
  }
  return {
    url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    get process() {
      return running.child.pid!
    },
    dataDir,
    log: () => log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start: async () => {
      running = launch()
      await ready(running.child)
    },
    remove: async () => {
      await end('SIGTERM')
      // A file system that is mounted there stays until it is unmounted.
      await rm(dataDir, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}
