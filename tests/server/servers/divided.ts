/** One server of each role on one database, as processes that can be killed. */
import { connect } from 'node:net'
import { asc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { z } from 'zod/mini'
import type { Job } from '../../../src/api/contract/jobs.ts'
import type { Server } from '../../../src/api/contract/servers.ts'
import { serverRoles, type ServerRole } from '../../../src/domain/columns/servers.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { servers } from '../../../server/db/schema/servers.ts'
import { readings } from '../../../server/db/schema/telemetry.ts'
import { createCredentials, storeCredentials } from '../../../server/devices/gateway/credentials.ts'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { startProcess, type ServerProcess } from '../support/processes/serverProcess.ts'
import { deviceRow } from '../support/devices/deviceRows.ts'
import { connectDevice, reading } from '../support/devices/testDevice.ts'

/** Milliseconds within which the others go on when a server is killed. */
const soon = 10_000

/** Creates a database and the credentials of one of its devices. */
export async function prepare() {
  const server = await startServer()
  const [{ bssid }] = (await server.db.select({ bssid: devices.bssid }).from(devices).limit(1)) as [{ bssid: string }]
  const [credential] = (await createCredentials([bssid])) as [Awaited<ReturnType<typeof createCredentials>>[number]]
  await storeCredentials(server.db, [credential], new Date())
  return { ...server, credential }
}

type ServerRow = z.output<typeof Server>
type Prepared = Awaited<ReturnType<typeof prepare>>

/** An external broker: its address for servers and for devices. */
interface ExternalBroker {
  readonly serverUrl: string
  readonly deviceUrl: string
}

/** What servers share besides the database; by default nothing. */
interface Shared {
  readonly broker?: ExternalBroker
  readonly natsUrl?: string
}

async function startDivided({ db, databaseUrl }: Prepared, { broker, natsUrl }: Shared) {
  const settingsOf = async (role: ServerRole) => ({
    ROLES: role,
    PORT: String(await freePort()),
    MQTT_PORT: String(await freePort()),
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: databaseUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
    ...(broker && { MQTT_URL: broker.serverUrl }),
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
  })
  const settings = Object.fromEntries(
    await Promise.all(serverRoles.map(async role => [role, await settingsOf(role)] as const)),
  ) as Record<ServerRole, Awaited<ReturnType<typeof settingsOf>>>
  const running = {} as Record<ServerRole, ServerProcess>
  const start = async (role: ServerRole) => {
    running[role] = await startProcess(settings[role])
  }
  await Promise.all(serverRoles.map(start))
  const tokenOf = async (login: string, role: 'admin' | 'superadmin') => {
    const [account] = await db.select().from(accounts).where(eq(accounts.login, login))
    return (await startSession(db, { id: account!.id, role }, new Date())).access_token
  }
  return {
    settings,
    running,
    start,
    admin: await tokenOf('admin', 'admin'),
    superadmin: await tokenOf('superadmin', 'superadmin'),
  }
}

/**
 * Proves that three servers with a role each do what one server does, that the other two go on when one is killed, and that
 * the superadmin sees all three. Without a broker, the gateway is the broker of its devices.
 */
export async function proveDivision(prepared: Prepared, shared: Shared = {}): Promise<void> {
  const { broker } = shared
  const { db, credential } = prepared
  const { bssid, secret } = credential
  const { settings, running, start, admin, superadmin } = await startDivided(prepared, shared)
  const url = broker?.deviceUrl ?? `mqtt://127.0.0.1:${settings.gateway.MQTT_PORT}`
  const device = await connectDevice({ url, bssid, secret, reconnectPeriod: 100 })
  await device.publish('state', { at: new Date().toISOString(), status: 0, report_interval: 60 })

  const published: string[] = []
  const send = async () => {
    const next = reading(new Date(Date.now() - 3_600_000 + published.length * 1000))
    await device.publish('telemetry', { readings: [next] })
    published.push(next.at)
  }
  const expectStored = () =>
    until(async () => {
      const rows = await db
        .select({ at: readings.at })
        .from(readings)
        .where(eq(readings.bssid, bssid))
        .orderBy(asc(readings.at))
      expect(rows.map(({ at }) => at.toISOString())).toEqual(published)
    })
  const command = () => running.web.call<{ count: number }>('POST', '/api/v3/devices/reboot', admin, { ids: [bssid] })
  const startJob = async () => {
    const body = { command: 'reboot', ids: [bssid] }
    return (await running.web.call<{ _id: string }>('POST', '/api/v3/jobs', admin, body))._id
  }
  const jobIs = (id: string, state: Partial<Job>) =>
    until(async () => expect(await running.web.call<Job>('GET', `/api/v3/jobs/${id}`, admin)).toMatchObject(state))
  const isShown = (status: number) => until(async () => expect(await deviceRow(db, bssid)).toMatchObject({ status }))

  const listed = async () => {
    const path = '/api/v3/servers?sort=roles&direction=asc'
    return (await running.web.call<{ data: ServerRow[] }>('GET', path, superadmin)).data
  }

  const halfOpen = connect(Number(settings.gateway.PORT), '127.0.0.1')
  halfOpen
    .on('error', () => undefined)
    .resume()
    .write('GET /health HTTP/1.1\r\nHost: x\r\n')
  const checked = await fetch(`http://127.0.0.1:${settings.gateway.PORT}/health`)
  expect([checked.status, checked.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])

  // The gateway stores, the worker sends, and the web server shows it.
  await isShown(0)
  await send()
  expect(await command()).toMatchObject({ count: 1 })
  await jobIs(await startJob(), { state: 'ended', done: 1 })
  expect(device.executed).toHaveLength(2)
  await expectStored()
  await until(async () =>
    expect(await listed()).toMatchObject([
      { roles: ['gateway'], state: 'running', devices: broker ? null : 1, pending: 0 },
      { roles: ['web'], state: 'running', devices: null, pending: null },
      { roles: ['worker'], state: 'running', devices: null, pending: null },
    ]),
  )
  for (const { memory, name } of await listed()) {
    expect(memory).toBeGreaterThan(20)
    expect(name).toMatch(/.\/\d+$/)
  }

  // Without a worker: messages, commands and calls go on; jobs wait for the next one.
  await running.worker.kill()
  const killedAt = Date.now()
  await send()
  expect(await command()).toMatchObject({ count: 1 })
  const waiting = await startJob()
  await expectStored()
  expect(Date.now() - killedAt).toBeLessThan(soon)
  await jobIs(waiting, { done: 0 })
  await start('worker')
  await jobIs(waiting, { state: 'ended', done: 1 })
  expect(device.executed).toHaveLength(4)

  // Without a web server: what devices send is stored.
  await running.web.kill()
  await send()
  await expectStored()
  await start('web')

  // Ten seconds after it was opened.
  await until(() => expect(halfOpen.closed).toBe(true))

  // Without a gateway: calls are answered, and the device sends again what was not acknowledged.
  await running.gateway.kill()
  const sent = send()
  expect(await running.web.call('GET', '/api/v3/devices?limit=1', admin)).toMatchObject({ count: expect.any(Number) })
  await start('gateway')
  await sent
  await expectStored()
  expect(await command()).toMatchObject({ count: 1 })
  expect(new Set(device.executed.map(({ id }) => id)).size).toBe(5)
  await device.leave()
  // A killed server is still listed; a server that stops is not.
  const kept = (await listed()).filter(({ roles }) => roles.includes('worker')).map(({ _id }) => _id)
  expect(kept).toHaveLength(2)
  expect(await running.worker.stop()).toBe(0)
  expect(kept).toContain((await listed()).find(({ roles }) => roles.includes('worker'))?._id)
  expect(await running.gateway.stop()).toBe(0)
  expect(await running.web.stop()).toBe(0)
  expect(await db.$count(servers)).toBe(3)
}
