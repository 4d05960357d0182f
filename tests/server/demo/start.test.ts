/** `npm start` starts a server with a demo and connected devices. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ConfigError } from '../../../server/core/config.ts'
import { newId } from '../../../server/db/id.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { memoryPath } from '../../../simulator/files.ts'
import { freePort } from '../../support/ports.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { environmentOfServers } from '../../support/serverPrograms.ts'
import { startProgram, type Program } from '../../support/programs.ts'
import { until } from '../../support/until.ts'

/** Milliseconds for a demo to start, execute commands and stop. */
const timeout = 240_000
const waiting = { timeout: 60_000, interval: 200 }

let dataDir: string
let started: Program | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'permeate-demo-'))
})
afterEach(async () => {
  await started?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts the demo as `npm start` does, once its package is set up. */
async function startDemo(settings: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const ports = { PORT: String(port), MQTT_PORT: String(await freePort()) }
  const demo = startProgram(['scripts/start.ts', 'demo'], {
    ...environmentOfServers(),
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

/** Signs in as an administrator, and returns a function that calls the API and returns `data`. */
async function administrator(url: string) {
  const send = async (method: string, path: string, token: string | undefined, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { 'access-token': token }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return (JSON.parse(text) as { data: unknown }).data
  }
  const signedIn = await send('POST', '/api/v3/auth/login/dashboard', undefined, {
    login: 'admin',
    password: demoPassword,
  })
  const { access_token } = signedIn as { access_token: string }
  return (method: string, path: string, body?: unknown) => send(method, path, access_token, body)
}

test(
  'the demo has devices that answer commands, readings and a history, and all of it stops together',
  { timeout },
  async () => {
    const { demo, url } = await startDemo()
    const call = await administrator(url)
    const devices = async () => ((await call('GET', '/api/v3/devices?limit=1000')) as { data: Row[] }).data
    const ids = (await devices()).filter(({ status }) => status < 2).map(({ bssid }) => bssid)
    await vi.waitFor(async () => {
      const answer = (await call('POST', '/api/v3/devices/reset', { ids, scope: 'settings' })) as { count: number }
      // Some devices refuse commands, and one may be without power.
      expect(answer.count).toBeGreaterThan(ids.length * 0.8)
    }, waiting)

    await vi.waitFor(async () => {
      const detail = (await call('GET', `/api/v3/devices/${ids[0]}?range=month`)) as {
        statistics: { points: { temperature: number | null }[] }
      }
      const read = detail.statistics.points.filter(({ temperature }) => temperature !== null)
      expect(read.length).toBeGreaterThan(60)
    }, waiting)

    await demo.stop()
    // The simulator has stored its devices' memory before it stopped.
    await until(() => expect(existsSync(memoryPath(fleetPath(dataDir)))).toBe(true))
  },
)

test('SIMULATOR=off starts the demo without simulated devices', { timeout }, async () => {
  const { demo } = await startDemo({ SIMULATOR: 'off', HISTORY: '0' })
  await demo.stop()
  expect(demo.log()).not.toContain('simulated')
  expect(existsSync(fleetPath(dataDir))).toBe(true)
  expect(existsSync(memoryPath(fleetPath(dataDir)))).toBe(false)
})

test('the demo refuses a database with accounts of its own, and writes nothing', async () => {
  const { server } = inject('template')
  const name = `permeate_real_${newId().replaceAll('-', '')}`
  const { db, close } = await openPostgres(addressOf(await createDatabase(server, name)))
  onTestFinished(async () => {
    await close()
    await dropDatabase(server, name)
  })
  const account = { id: newId(), role: 'superadmin', login: 'root', password_hash: 'x' } as const
  await db.insert(accounts).values({ ...account, created_at: new Date(), updated_at: new Date() })
  await expect(seedDemo(db, { fleet: 3 })).rejects.toThrow(ConfigError)
  expect(await db.select({ login: accounts.login }).from(accounts)).toEqual([{ login: 'root' }])
  expect(await db.$count(devices)).toBe(0)

  // An installation that has only the demo, of which a person has deleted an account, goes on.
  await db.delete(accounts)
  expect(await seedDemo(db, { fleet: 3 })).toBe(true)
  await db.delete(accounts).where(eq(accounts.login, 'admin'))
  expect(await seedDemo(db, { fleet: 3 })).toBe(false)
})
