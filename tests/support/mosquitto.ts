/** A Mosquitto for tests and benches, configured as documented in docs/device-protocol.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'
import { executable } from '../../scripts/testPrograms.ts'
import { createCredentials, passwordLine, type NewCredential } from '../../server/devices/gateway/credentials.ts'
import { freePort } from './ports.ts'

export interface Mosquitto {
  /** The id of its process, another one after a restart. */
  readonly process: number
  /** The URL for servers, with user and password. */
  readonly serverUrl: string
  /** The URL for devices. */
  readonly deviceUrl: string
  /** Stops it, runs `meanwhile`, and starts it again with its stored messages. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  /** Stops it and removes its folder. */
  stop(): Promise<void>
}

const readyWithin = 20_000
const serverName = 'permeate-server'

/** Returns the page's first code block in a language. */
function documented(language: string): string {
  const page = readFileSync(join(root, 'docs', 'device-protocol.md'), 'utf8')
  const block = page.match(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's'))?.[1]
  if (block === undefined) throw new Error(`docs/device-protocol.md has no block of ${language}`)
  return block
}

/** Starts a Mosquitto that accepts these devices. */
export async function launchMosquitto(devices: readonly NewCredential[]): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-mosquitto-'))
  const [devicePort, serverPort] = [await freePort(), await freePort()]
  const passwords = join(folder, 'permeate.passwords')
  const config = join(folder, 'mosquitto.conf')
  const settings = documented('conf')
    .replace('/etc/mosquitto/permeate.passwords', passwords)
    .replace('/etc/mosquitto/permeate.acl', join(folder, 'permeate.acl'))
    .replace('/var/lib/mosquitto/', `${folder}/`)
    // Whole lines: the free port can itself start with 1884.
    .replace(/^listener 1883$/m, `listener ${devicePort} 127.0.0.1`)
    .replace(/^listener 1884 127/m, `listener ${serverPort} 127`)
  // Started by root, it would otherwise switch to a user without access to the folder.
  await writeFile(config, `${settings}\nuser ${userInfo().username}\n`)
  await writeFile(join(folder, 'permeate.acl'), documented('acl'), { mode: 0o600 })

  const [server] = await createCredentials([serverName])
  await writeFile(passwords, [server!, ...devices].map(passwordLine).join(''), { mode: 0o600 })

  const start = async () => {
    const broker = spawn(executable('mosquitto')!, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errorOutput = ''
    broker.stderr.on('data', (text: Buffer) => (errorOutput += String(text)))
    const exited = once(broker, 'exit')
    for (
      const started = Date.now();
      !((await listensOn(devicePort)) && (await listensOn(serverPort)));
      await wait(10)
    ) {
      if (broker.exitCode !== null) throw new Error(`Mosquitto does not start: ${errorOutput}`)
      if (Date.now() - started > readyWithin) throw new Error(`Mosquitto does not answer: ${errorOutput}`)
    }
    return { broker, exited }
  }
  let running = await start()
  const stop = async () => {
    running.broker.kill('SIGTERM')
    await running.exited
  }
  // A test file that skips all of its tests ends without stopping it.
  process.once('exit', () => running.broker.kill())

  return {
    get process() {
      return running.broker.pid!
    },
    serverUrl: `mqtt://${serverName}:${server!.secret}@127.0.0.1:${serverPort}`,
    deviceUrl: `mqtt://127.0.0.1:${devicePort}`,
    restart: async meanwhile => {
      await stop()
      await meanwhile?.()
      running = await start()
    },
    stop: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listensOn(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
