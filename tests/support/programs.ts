import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { freePort } from './ports.ts'
import { answers, environmentOfServers } from './serverPrograms.ts'

export interface RunningServer {
  readonly url: string
  /** The port for devices. */
  readonly mqttPort: number
  /** Stops it as Ctrl+C does; resolves once its database is closed. */
  stop(): Promise<void>
}

/** The number of demo devices: more than the badge of the selection shows in full. */
export const fleet = 1200

const readyWithin = 300_000

interface ServerOptions {
  /** How many devices of its fleet file connect, the first ones by id; by default all. They only execute commands. */
  readonly devices?: number
  /** By default the embedded database. */
  readonly databaseUrl?: string
  /** By default the address at which it listens. */
  readonly publicUrl?: string
}

/** Starts the real server with its demo fleet on `dataDir`, and resolves once it answers and its devices are connected. */
export async function startServer(
  dataDir: string,
  port: number,
  { devices = fleet, databaseUrl, publicUrl }: ServerOptions = {},
): Promise<RunningServer> {
  const url = `http://127.0.0.1:${port}`
  const mqttPort = await freePort()
  const own = { PORT: port, MQTT_PORT: mqttPort, FLEET: fleet, HISTORY: 0 }
  const settings = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  const server = startProgram(['server/main.ts'], {
    ...environmentOfServers(),
    ...settings,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: publicUrl,
    // With a database of its own it would have a key file.
    SECRETS_KEY: 'the key of every server in tests',
    DEMO: 'on',
  })
  await server.until(() => answers(url))
  if (devices === 0) return { url, mqttPort, stop: server.stop }

  const simulator = startProgram(
    `simulator/main.ts --url mqtt://127.0.0.1:${mqttPort} --draws off --interval 1h --connects 1000 --fleet`
      .split(' ')
      .concat(await firstOf(fleetPath(dataDir), devices)),
    environmentOfServers(),
  )
  try {
    await simulator.until(() => /(\d+) of \1 simulated devices are connected/.test(simulator.log()))
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    url,
    mqttPort,
    async stop() {
      // Stopped first, so that their disconnecting does not count as a failure.
      await simulator.stop()
      await server.stop()
    },
  }
}

/** Writes a fleet file with the first devices of another one beside it, and returns its path. */
async function firstOf(path: string, count: number): Promise<string> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const bssidOf = (line: string) => (JSON.parse(line) as { bssid: string }).bssid
  const first = lines.toSorted((a, b) => (bssidOf(a) < bssidOf(b) ? -1 : 1)).slice(0, count)
  const some = join(dirname(path), 'first.jsonl')
  await writeFile(some, `${first.join('\n')}\n`, { mode: 0o600 })
  return some
}

export interface Program {
  /** Returns the end of its output. */
  readonly log: () => string
  /** Resolves once it is ready. Rejects with its output if it ends before that or takes too long. */
  until(ready: () => boolean | Promise<boolean>): Promise<void>
  /** Stops it as Ctrl+C does, if it still runs. */
  stop(): Promise<void>
}

/** Starts a program of this project. */
export function startProgram(args: readonly string[], env: NodeJS.ProcessEnv): Program {
  const running = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(running, 'exit')
  let log = ''
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)))
  }
  return {
    log: () => log,
    async until(ready) {
      for (const started = Date.now(); !(await ready()); await wait(50)) {
        if (running.exitCode !== null) throw new Error(`${args[0]} ended at start:\n${log}`)
        if (Date.now() - started > readyWithin) {
          running.kill('SIGKILL')
          throw new Error(`${args[0]} was not ready within ${readyWithin / 1000} s:\n${log}`)
        }
      }
    },
    async stop() {
      running.kill('SIGTERM')
      await exited
    },
  }
}
