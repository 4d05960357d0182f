/** A NATS server for tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../../scripts/programs.ts'
import { executable } from '../../scripts/testPrograms.ts'
import { freePort } from './ports.ts'

export interface Nats {
  /** The URL for servers. */
  readonly url: string
  readonly port: number
  /** Kills it at once, like a failing machine. */
  kill(): Promise<void>
  /** Stops its process without closing its connections, and lets it go on. */
  freeze(): void
  thaw(): void
  /** Starts it again, at the same port. */
  start(): Promise<void>
}

/** Starts a NATS server. `options`: more arguments to nats-server. */
export async function launchNats(options: readonly string[] = []): Promise<Nats> {
  const port = await freePort()
  const start = async () => {
    const server = spawn(executable('nats')!, ['--addr', '127.0.0.1', '--port', String(port), ...options], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(server, 'exit')
    let printed = ''
    const ready = new Promise<void>((resolve, reject) => {
      server.stderr.on('data', (text: Buffer) => {
        printed += String(text)
        if (printed.includes('Server is ready')) resolve()
      })
      void exited.then(() => reject(new Error(`NATS does not start: ${printed}`)))
    })
    await ready
    return { server, exited }
  }
  let running = await start()
  // A test file that skips all of its tests ends without stopping it.
  process.once('exit', () => running.server.kill('SIGKILL'))
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    kill: async () => {
      running.server.kill('SIGKILL')
      await running.exited
    },
    freeze: () => void running.server.kill('SIGSTOP'),
    thaw: () => void running.server.kill('SIGCONT'),
    start: async () => {
      running = await start()
    },
  }
}
