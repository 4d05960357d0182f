/** The real server in its own process, which can be killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { root } from '../../../../scripts/programs.ts'

/** Milliseconds for a server to start on a busy machine. */
const readyWithin = 90_000

export interface ServerProcess {
  readonly url: string
  /** Returns the output so far. */
  printed(): string
  /** Kills it at once, like a failing machine. */
  kill(): Promise<void>
  /** Stops it as Ctrl+C does; resolves with its exit code. */
  stop(): Promise<number | null>
  /** Calls the API with a session's token, and returns `data` of the response. */
  call<Data>(method: string, path: string, token: string | undefined, body?: object): Promise<Data>
}

/**
 * Starts a server and resolves once it answers. `environment`: its settings, including `PORT`. It ends with the test, or
 * with the file if `atEnd` is `afterAll`.
 */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  atEnd: (work: () => Promise<void>) => void = onTestFinished,
): Promise<ServerProcess> {
  const url = `${environment.TLS_CERT ? 'https' : 'http'}://127.0.0.1:${environment.PORT}`
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'silent', HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text: Buffer) => (printed += String(text)))
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit')
      server.kill(signal)
      await exited
    }
    return server.exitCode
  }
  atEnd(async () => void (await end('SIGKILL')))
  const answers = async () =>
    // `fetch` would have to trust the certificate.
    url.startsWith('https:')
      ? printed.includes(url)
      : fetch(`${url}/health`).then(
          answer => answer.ok,
          () => false,
        )
  for (const started = Date.now(); !(await answers()); await wait(50))
    if (server.exitCode !== null || Date.now() - started > readyWithin)
      throw new Error(`The server does not start: ${printed}`)
  return {
    url,
    printed: () => printed,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    call: async <Data>(method: string, path: string, token: string | undefined, body?: object) => {
      const answer = await fetch(url + path, {
        method,
        headers: { ...(token && { 'access-token': token }), ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const content = (await answer.json()) as { data: Data }
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`)
      return content.data
    },
  }
}
