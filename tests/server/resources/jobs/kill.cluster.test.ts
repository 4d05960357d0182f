/** Servers that are killed while they carry out a job: it ends by itself, and no device does it twice, by its own log. */
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobTasks } from '../../../../server/db/schema/jobs.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { fleetPath } from '../../../../server/demo/fleetFile.ts'
import { writeFleetFile } from '../../../../server/devices/fleetFile.ts'
import { random } from '../../../../simulator/model/random.ts'
import { contradictions } from '../../../support/jobTruth.ts'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { dataFolder } from '../../support/processes/dataFolder.ts'
import { startServer, temporaryFolder } from '../../support/harness.ts'
import { startProcess } from '../../support/processes/serverProcess.ts'
import { admitDevices, simulateDevices } from '../../support/devices/simulatedDevices.ts'
import { endOfJob, patient } from './processes.ts'

/** Milliseconds: what a killed server has claimed waits for the end of its lease. */
const timeout = 180_000

const ports = async () => ({ PORT: String(await freePort()), MQTT_PORT: String(await freePort()) })
const mqttUrl = ({ MQTT_PORT }: { readonly MQTT_PORT: string }) => `mqtt://127.0.0.1:${MQTT_PORT}`

test('a job of two servers ends although one of them is killed again and again', { timeout }, async () => {
  const count = 60
  const { db, clock, databaseUrl } = await startServer()
  const secrets = await admitDevices(db, count, clock.now())
  const settings = async () => ({
    ...(await ports()),
    DATABASE_URL: databaseUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
    DATA_DIR: await temporaryFolder(),
  })
  const [lasting, killed] = [await settings(), await settings()]
  const server = await startProcess(lasting)
  let other = await startProcess(killed)
  const connected = await Promise.all(
    [lasting, killed].map(async (one, index) => {
      const fleet = join(one.DATA_DIR, 'half.jsonl')
      await writeFleetFile(db, fleet, new Map([...secrets].filter((_, place) => place % 2 === index)))
      return simulateDevices(fleet, mqttUrl(one))
    }),
  )

  const [admin] = await db.select().from(accounts).where(eq(accounts.login, 'admin'))
  const { access_token } = await startSession(db, { id: admin!.id, role: 'admin' }, clock.now())
  // Slowly, so that the server is killed in the middle.
  const body = { command: 'reboot', ids: [...secrets.keys()], policy: { rate: 600 } }
  const { _id } = await server.call<{ _id: string }>('POST', '/api/v3/jobs', access_token, body)
  for (const done of [3, 12]) {
    const job = () => server.call<Job>('GET', `/api/v3/jobs/${_id}`, access_token)
    await until(async () => expect((await job()).done).toBeGreaterThanOrEqual(done), patient)
    await other.kill()
    other = await startProcess(killed)
  }
  const { job, tasks } = await endOfJob(server, access_token, _id)
  expect(job.total).toBe(count)
  expect(
    contradictions(
      job,
      tasks,
      connected.flatMap(({ events }) => events),
    ),
  ).toEqual([])
  expect(job.done).toBeGreaterThan(12)
})

test('a server with its own database is killed during a job, and the next one ends it', { timeout }, async () => {
  // Enough to be killed in the middle; the bench has thousands, which would take the processor from other tests here.
  const fleet = 100
  const settings = {
    ...(await ports()),
    DATABASE_URL: '',
    DEMO: 'on',
    FLEET: String(fleet),
    HISTORY: '0',
    DATA_DIR: await dataFolder(),
  }
  let server = await startProcess(settings)
  const devicesOfFleet = await simulateDevices(fleetPath(settings.DATA_DIR), mqttUrl(settings))
  const login = { login: 'admin', password: demoPassword }
  const path = '/api/v3/auth/login/dashboard'
  const { access_token } = await server.call<{ access_token: string }>('POST', path, undefined, login)
  const body = { command: 'reboot', search: {}, policy: { rate: 500 } }
  const { _id } = await server.call<{ _id: string }>('POST', '/api/v3/jobs', access_token, body)

  // Once: on a slow machine, the rest is due before the devices are back. The bench kills it twenty times.
  const executed = random(16).integer(5, 15)
  await until(() => expect(devicesOfFleet.executed()).toBeGreaterThanOrEqual(executed), patient)
  await server.kill()
  server = await startProcess(settings)
  const { job, tasks } = await endOfJob(server, access_token, _id)
  expect(job.total).toBe(fleet)
  expect(contradictions(job, tasks, devicesOfFleet.events)).toEqual([])
  expect(job.done).toBeGreaterThan(0)
})

test('a job that changes records ends whole although its server is killed again and again', { timeout }, async () => {
  const { db, clock, databaseUrl } = await startServer()
  const settings = {
    ...(await ports()),
    DATABASE_URL: databaseUrl,
    DEMO: 'on',
    FLEET: '0',
    HISTORY: '0',
    DATA_DIR: await temporaryFolder(),
  }
  const before = new Map(
    (await db.select({ bssid: devices.bssid, zone: devices.time_zone }).from(devices)).map(({ bssid, zone }) => [
      bssid,
      zone,
    ]),
  )
  const [admin] = await db.select().from(accounts).where(eq(accounts.login, 'admin'))
  const { access_token } = await startSession(db, { id: admin!.id, role: 'admin' }, clock.now())
  let server = await startProcess(settings)
  const body = { command: 'set_time_zone', input: { time_zone: 'Asia/Kathmandu' }, search: {}, policy: { rate: 240 } }
  const { _id } = await server.call<{ _id: string }>('POST', '/api/v3/jobs', access_token, body)
  // On a slow machine, the rest is due before the server is back.
  for (const done of [5, 30]) {
    await until(async () => {
      const job = await server.call<Job>('GET', `/api/v3/jobs/${_id}`, access_token)
      expect(job.done).toBeGreaterThanOrEqual(done)
    }, patient)
    await server.kill()
    // A device has its new zone if and only if its task is done, with the zone that it had.
    const rows = await db
      .select({ bssid: devices.bssid, zone: devices.time_zone, state: jobTasks.state, before: jobTasks.before })
      .from(jobTasks)
      .innerJoin(devices, eq(devices.bssid, jobTasks.bssid))
      .where(eq(jobTasks.job_id, _id))
    for (const { bssid, zone, state, before: replaced } of rows) {
      const isDone = state === 'done'
      expect(zone).toBe(isDone ? 'Asia/Kathmandu' : before.get(bssid))
      expect(replaced).toEqual(isDone ? { time_zone: before.get(bssid) } : null)
    }
    server = await startProcess(settings)
  }
  const { job } = await endOfJob(server, access_token, _id)
  expect(job).toMatchObject({ total: before.size, done: before.size })
})
