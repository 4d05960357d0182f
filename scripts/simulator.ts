/** Keeps the simulator running beside a demo server, as a program of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readConfig } from '../server/core/config.ts'
import { fleetPath } from '../server/demo/fleetFile.ts'
import { root } from './programs.ts'

/** Milliseconds until it is started again: twice as long each time, up to the longest. */
const firstPause = 1000
const maxPause = 60_000
/** Milliseconds after which it is taken to run well. */
const settled = 60_000

export interface KeptSimulator {
  stop(): void
}

/**
 * Starts the simulator on the demo's fleet, and again whenever it ends by itself. It is neither started with
 * SIMULATOR=off nor where there is no demo. It ends with this process, however that ends.
 */
export function keepSimulator(env: Readonly<Record<string, string | undefined>>): KeptSimulator {
  const { demo, dataDir, mqttHost, mqttPort, mqttUrl } = readConfig(env)
  const fleet = fleetPath(dataDir)
  if (!demo || env.SIMULATOR === 'off' || !existsSync(fleet)) return { stop: () => undefined }
  const url = mqttUrl === undefined ? `mqtt://${reachable(mqttHost)}:${mqttPort}` : withoutUser(mqttUrl)

  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let pause = firstPause
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
      pause = Date.now() - began > settled ? firstPause : Math.min(maxPause, pause * 2)
      console.error(`The simulator ended (${signal ?? code}); it starts again in ${pause / 1000} s`)
      timer = setTimeout(start, pause).unref()
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
const reachable = (host: string) =>
  host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host

/** Devices sign in by themselves, not as the server does. */
function withoutUser(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}
