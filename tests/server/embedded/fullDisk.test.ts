/** A full disk, which is a small file system in memory: only root can mount one. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { freePort } from '../../support/ports.ts'
import { fillDisk } from '../../support/fillDisk.ts'
import { until } from '../../support/until.ts'
import { emptyFolder } from '../support/processes/dataFolder.ts'
import { readingAt } from '../support/devices/readingSamples.ts'
import { startProcess } from '../support/processes/serverProcess.ts'
import { connectDevice } from '../support/devices/testDevice.ts'

const megabyte = 1024 * 1024

/** Mounts a file system of this size on a new folder; `undefined` where that is not permitted. */
async function smallDisk(megabytes: number): Promise<string | undefined> {
  const folder = await emptyFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'permeate-test', folder], {
      stdio: 'ignore',
    })
  } catch (error) {
    // Required where everything has to run.
    if (process.env.CI && process.getuid?.() === 0) throw error
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

test(
  'reads go on, changes are a 507, readings are not acknowledged, and all recovers',
  { timeout: 180_000 },
  async ({ skip }) => {
    const disk = await smallDisk(400)
    if (disk === undefined) return skip('Mounting a file system is not permitted')
    const [port, mqttPort] = [await freePort(), await freePort()]
    const server = await startProcess({
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      DATA_DIR: disk,
      DATABASE_URL: '',
      DEMO: 'on',
      FLEET: '3',
      HISTORY: '0',
    })
    const credential = JSON.parse(readFileSync(fleetPath(disk), 'utf8').split('\n')[0]!) as {
      bssid: string
      secret: string
    }
    const body = { login: 'admin', password: demoPassword }
    const session = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const signedIn = await fetch(`${server.url}/api/v3/auth/login/dashboard`, session)
    const { data } = (await signedIn.json()) as { data: { access_token: string } }
    const headers = { 'access-token': data.access_token, 'content-type': 'application/json' }
    const list = () => fetch(`${server.url}/api/v3/devices`, { headers })
    const at = new Date().toISOString()
    const event = JSON.stringify({ title: 'Visit', start: at, end: at, devices: [credential.bssid], description: '' })
    const change = () => fetch(`${server.url}/api/v3/events`, { method: 'POST', headers, body: event })
    const health = async () => {
      const answer = await fetch(`${server.url}/health`)
      return { status: answer.status, ...((await answer.json()) as { data?: { status: string } }) }
    }
    const device = await connectDevice({ url: `mqtt://127.0.0.1:${mqttPort}`, ...credential, reconnectPeriod: 50 })
    onTestFinished(() => void device.client.end(true))
    device.client.on('error', () => undefined)

    fillDisk(join(disk, 'most'), disk, 40 * megabyte)
    await until(async () =>
      expect(await health()).toMatchObject({ status: 200, data: { status: 'disk full: read only' } }),
    )
    expect((await list()).status).toBe(200)
    const refused = await change()
    expect(refused.status).toBe(507)
    expect(await refused.json()).toEqual({
      message: 'The disk of the server is full: nothing can be changed until there is space',
    })
    let isAcknowledged = false
    const sent = device.publish('telemetry', { readings: [readingAt(Date.now())] }).then(() => {
      isAcknowledged = true
    })
    // The connection of a message that was not stored is closed.
    await until(() => expect(device.client.connected).toBe(false))
    expect(isAcknowledged).toBe(false)
    // People can still sign in, to read.
    expect((await fetch(`${server.url}/api/v3/auth/login/dashboard`, session)).status).toBe(200)
    rmSync(join(disk, 'most'))
    await until(async () => expect((await change()).status).toBe(200))
    await sent

    // Another program takes the last byte.
    fillDisk(join(disk, 'all'), disk, 0)
    await until(async () => {
      const { status, data } = await health()
      expect(status === 507 || data?.status === 'disk full: read only').toBe(true)
    })
    expect((await change()).status).toBe(507)
    rmSync(join(disk, 'all'))
    await until(async () => expect((await change()).status).toBe(200))
    expect((await list()).status).toBe(200)
  },
)
