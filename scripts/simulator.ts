/** Keeps the simulator running beside a demo server, as a program of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readConfig } from '../server/core/config.ts'
import { fleetPath } from '../server/demo/fleetFile.ts'
import { root } from './programs.ts'

/** Milliseconds until it is started again: twice as long each time, up to the longest. */
const minRestartDelay = 1000
const maxRestartDelay = 60_000
/** Milliseconds after which it is taken to run well. */
const stableAfter = 60_000

export interface SupervisedSimulator {
  stop(): void
}

/**
 * Starts the simulator on the demo's fleet, and again whenever it ends by itself. It is neither started with
 * SIMULATOR=off nor where there is no demo. It ends with this process, however that ends.
 */
export function superviseSimulator(env: Readonly<Record<string, string | undefined>>): SupervisedSimulator {
  const { demo, dataDir, mqttHost, mqttPort, mqttUrl } = readConfig(env)
  const fleet = fleetPath(dataDir)
  if (!demo || env.SIMULATOR === 'off' || !existsSync(fleet)) return { stop: () => undefined }
  const url = mqttUrl === undefined ? `mqtt://${connectableHost(mqttHost)}:${mqttPort}` : withoutCredentials(mqttUrl)

  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let restartDelay = minRestartDelay
  let stopped = false
  const start = () => {
    const began = Date.now()
    child = spawn(process.execPath, ['simulator/main.ts', '--fleet', fleet, '--url', url], {
      cwd: root,
      // By the channel it learns that this process has ended.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('error', error => console.error('The simulator could not be started:', error.message))
    child.on('exit', (code, signal) => {
      if (stopped) return
      restartDelay = Date.now() - began > stableAfter ? minRestartDelay : Math.min(maxRestartDelay, restartDelay * 2)
      console.error(`The simulator ended (${signal ?? code}); it starts again in ${restartDelay / 1000} s`)
      timer = setTimeout(start, restartDelay).unref()
    })
    // The server's end is not to wait for it.
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

/** An address to connect to, of one to listen on. */
const connectableHost = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host

/** Devices sign in by themselves, not as the server does. */
function withoutCredentials(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}
