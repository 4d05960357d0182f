/** Runs the simulator as a child process of a demo server and restarts it when it exits. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readConfig } from '../server/core/config.ts'
import { fleetPath } from '../server/demo/fleetFile.ts'
import { root } from './programs.ts'

/** Restart delays in milliseconds; the delay doubles with every exit up to the maximum. */
const minRestartDelay = 1000
const maxRestartDelay = 60_000
/** Milliseconds of running after which the restart delay is reset. */
const stableRunTime = 60_000

export interface SupervisedSimulator {
  stop(): void
}

/**
 * Starts the simulator on the demo fleet and restarts it whenever it exits. Does nothing without the demo, without its
 * fleet file, or with SIMULATOR=off. The simulator ends with this process, even when this process is killed.
 */
export function superviseSimulator(env: Readonly<Record<string, string | undefined>>): SupervisedSimulator {
  const { demo, dataDir, mqttHost, mqttPort, mqttsPort, mqttUrl, tls } = readConfig(env)
  const fleet = fleetPath(dataDir)
  if (!demo || env.SIMULATOR === 'off' || !existsSync(fleet)) return { stop: () => undefined }
  const host = connectableHost(mqttHost)
  const own = mqttPort === undefined ? `mqtts://${host}:${mqttsPort}` : `mqtt://${host}:${mqttPort}`
  const url = mqttUrl === undefined ? own : withoutCredentials(mqttUrl)
  // The certificate may be self-signed, so the simulator trusts it for this broker.
  const trust = mqttUrl === undefined && tls ? ['--ca', tls.cert] : []

  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let restartDelay = minRestartDelay
  let stopped = false
  const start = () => {
    const startedAt = Date.now()
    child = spawn(process.execPath, ['simulator/main.ts', '--fleet', fleet, '--url', url, ...trust], {
      cwd: root,
      // The IPC channel closes when this process ends, which makes the simulator stop.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('error', error => console.error('Could not start the simulator:', error.message))
    child.on('exit', (code, signal) => {
      if (stopped) return
      const delay = Date.now() - startedAt > stableRunTime ? minRestartDelay : restartDelay
      restartDelay = Math.min(maxRestartDelay, delay * 2)
      console.error(`The simulator exited (${signal ?? code}) and restarts in ${delay / 1000} s`)
      timer = setTimeout(start, delay).unref()
    })
    // The server must be able to exit while the simulator runs.
    child.unref()
    child.channel?.unref()
  }
  start()
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
      child?.kill('SIGTERM')
    },
  }
}

/** Returns the host to connect to, as written in a URL, for an address that the broker listens on. */
const connectableHost = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host

/** Returns the URL without the server's own user and password: each device signs in with its own. */
function withoutCredentials(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}
