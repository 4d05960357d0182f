/** A Mosquitto for a test file, configured as documented in docs/device-protocol.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { executable } from '../../../scripts/testPrograms.ts'
import { createCredentials, passwordLine, type NewCredential } from '../../../server/devices/gateway/credentials.ts'
import { freePort } from '../../support/ports.ts'
import { temporaryFolder } from './harness.ts'
import { until } from '../../support/until.ts'

export interface Mosquitto {
  /** The URL for servers, with user and password. */
  readonly serverUrl: string
  /** The URL for devices. */
  readonly deviceUrl: string
  /** Stops it, runs `meanwhile`, and starts it again with its stored messages. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
}

const root = join(import.meta.dirname, '..', '..', '..')
const serverName = 'permeate-server'

/** Returns the page's first code block in a language. */
function documented(language: string): string {
  const page = readFileSync(join(root, 'docs', 'device-protocol.md'), 'utf8')
  const block = page.match(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's'))?.[1]
  if (block === undefined) throw new Error(`docs/device-protocol.md has no block of ${language}`)
  return block
}

/** Starts a Mosquitto that accepts these devices; it is stopped after the file's last test. */
export async function startMosquitto(devices: readonly NewCredential[]): Promise<Mosquitto> {
  const folder = await temporaryFolder()
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
    await until(async () => {
      if (broker.exitCode !== null) throw new Error(`Mosquitto does not start: ${errorOutput}`)
      await connectTo(devicePort)
      await connectTo(serverPort)
    })
    return broker
  }
  let broker = await start()
  const stop = () => {
    broker.kill('SIGTERM')
    return until(() => {
      if (broker.exitCode === null && broker.signalCode === null) throw new Error('Mosquitto does not stop')
    })
  }
  afterAll(stop)
  // afterAll does not run if all tests of a suite are skipped.
  process.once('exit', () => broker.kill())

  return {
    serverUrl: `mqtt://${serverName}:${server!.secret}@127.0.0.1:${serverPort}`,
    deviceUrl: `mqtt://127.0.0.1:${devicePort}`,
    restart: async meanwhile => {
      await stop()
      await meanwhile?.()
      broker = await start()
    },
  }
}

/** Rejects if nothing listens on the port. */
async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
