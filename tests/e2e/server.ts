import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'

export interface RunningServer {
  readonly url: string
  /** Where devices connect. */
  readonly mqttPort: number
  /** Ends it as Ctrl+C does, so that its database is closed when this resolves. */
  stop(): Promise<void>
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Devices of the demo: more than what the badge of the selection shows in full. */
export const fleet = 1200

const readyWithin = 60_000

/** Starts the real server with its demo fleet on `dataDir` and resolves once it answers. */
export async function startServer(dataDir: string, port: number): Promise<RunningServer> {
  const url = `http://127.0.0.1:${port}`
  const mqttPort = await freePort()
  const { DATABASE_URL: _database, SMTP_URL: _smtp, PUBLIC_URL: _public, MQTT_URL: _mqtt, ...env } = process.env
  const own = { PORT: port, MQTT_PORT: mqttPort, FLEET: fleet }
  const given = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...env, ...given, HOST: '127.0.0.1', DATA_DIR: dataDir, DEMO: 'on' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(server, 'exit')
  let log = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)))
  }

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

  return {
    url,
    mqttPort,
    async stop() {
      server.kill('SIGTERM')
      await exited
    },
  }
}
