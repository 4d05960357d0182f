/** The real server with a demo fleet without history, on a given database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'
import { freePort } from '../support/ports.ts'

export interface RealServer {
  readonly url: string
  readonly mqttUrl: string
  readonly process: number
  readonly dataDir: string
  /** Returns its output so far. */
  log(): string
  stop(): Promise<void>
  /** Stops it and removes its data folder. */
  remove(): Promise<void>
}

const readyWithin = 120_000

export async function startRealServer(databaseUrl: string | undefined, fleet: number): Promise<RealServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  const [port, mqttPort] = [await freePort(), await freePort()]
  const { DATABASE_URL: _database, SMTP_URL: _smtp, PUBLIC_URL: _public, MQTT_URL: _mqtt, ...env } = process.env
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
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...env, ...settings, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(server, 'exit')
  let log = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)))
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/health`).then(
      answer => answer.ok,
      () => false,
    )
  for (const started = Date.now(); !(await answers()); await wait(50)) {
    if (server.exitCode !== null) throw new Error(`The server ended at start:\n${log}`)
    if (Date.now() - started > readyWithin) {
      server.kill('SIGKILL')
      throw new Error(`The server did not answer within ${readyWithin / 1000} s:\n${log}`)
    }
  }
  const stop = async () => {
    server.kill('SIGTERM')
    await exited
  }
  return {
    url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    process: server.pid!,
    dataDir,
    log: () => log,
    stop,
    remove: async () => {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
