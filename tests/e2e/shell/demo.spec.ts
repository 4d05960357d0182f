/** What `npm start` starts: a server with a demo, and devices that are on the wire. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { memoryPath } from '../../../simulator/files.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { callerFor } from '../support/api.ts'
import { freePort, startProgram, type Program } from '../support/server.ts'

let dataDir: string
let started: Program | undefined
test.describe.configure({ timeout: 240_000 })
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'permeate-demo-'))
})
test.afterEach(async () => {
  await started?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts the demo as `npm start` does, once its package is set up. */
async function startDemo(settings: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const { DATABASE_URL: _database, SMTP_URL: _smtp, PUBLIC_URL: _public, MQTT_URL: _mqtt, ...env } = process.env
  const ports = { PORT: String(port), MQTT_PORT: String(await freePort()) }
  const demo = startProgram(['scripts/start.ts', 'demo'], {
    ...env,
    ...ports,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    FLEET: '60',
    HISTORY: '40',
    ...settings,
  })
  started = demo
  await demo.until(() => demo.log().includes('Sign in as'))
  return { demo, url: `http://127.0.0.1:${port}` }
}

interface Row {
  readonly bssid: string
  readonly status: number
}

test('devices answer commands, readings come in, and there is a past; all of it ends together', async () => {
  const { demo, url } = await startDemo()
  const admin = await callerFor(url, 'admin')
  const devices = async () => ((await admin.call('GET', '/api/v3/devices?limit=1000')) as { data: Row[] }).data
  const ids = (await devices()).filter(({ status }) => status < 2).map(({ bssid }) => bssid)
  await expect(async () => {
    const answer = (await admin.call('POST', '/api/v3/devices/reset', { ids, scope: 'settings' })) as { count: number }
    // Some refuse, and one may be without power.
    expect(answer.count).toBeGreaterThan(ids.length * 0.8)
  }).toPass({ timeout: 60_000 })

  await expect(async () => {
    const detail = (await admin.call('GET', `/api/v3/devices/${ids[0]}?range=month`)) as {
      statistics: { points: { temperature: number | null }[] }
    }
    const read = detail.statistics.points.filter(({ temperature }) => temperature !== null)
    expect(read.length).toBeGreaterThan(60)
  }).toPass({ timeout: 60_000 })

  await demo.stop()
  // It wrote down what its devices remember before it went.
  await expect(async () => expect(existsSync(memoryPath(fleetPath(dataDir)))).toBe(true)).toPass({ timeout: 10_000 })
})

test('SIMULATOR=off leaves the devices to others', async () => {
  const { demo } = await startDemo({ SIMULATOR: 'off', HISTORY: '0' })
  await demo.stop()
  expect(demo.log()).not.toContain('simulated')
  expect(existsSync(fleetPath(dataDir))).toBe(true)
  expect(existsSync(memoryPath(fleetPath(dataDir)))).toBe(false)
})
