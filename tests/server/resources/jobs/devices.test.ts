/** Jobs on simulated devices over MQTT, compared with what the devices say that they did. */
import { join } from 'node:path'
import { and, eq, isNotNull, sql, type SQLWrapper } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { jobTasks } from '../../../../server/db/schema/jobs.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { writeFleetFile } from '../../../../server/devices/fleetFile.ts'
import { contradictions } from '../../../support/jobTruth.ts'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { startServer, temporaryFolder } from '../../support/harness.ts'
import { startProcess } from '../../support/processes/serverProcess.ts'
import { admitDevices, simulateDevices } from '../../support/devices/simulatedDevices.ts'
import { endOfJob, patient } from './processes.ts'

const { db, clock, databaseUrl } = await startServer()
const timeout = 180_000

/** One server for all tests; the devices of each connect to it. */
const DATA_DIR = await temporaryFolder()
const [PORT, MQTT_PORT] = [String(await freePort()), String(await freePort())]
const settings = { DATABASE_URL: databaseUrl, DEMO: 'on', FLEET: '0', HISTORY: '0', DATA_DIR, PORT, MQTT_PORT }
const server = await startProcess(settings, afterAll)

/** Connects devices to the server, and signs in as an administrator. `args`: options of the simulator. */
async function startFleet(count: number, args: readonly string[]) {
  const secrets = await admitDevices(db, count, clock.now())
  const fleet = join(DATA_DIR, 'devices.jsonl')
  await writeFleetFile(db, fleet, secrets)
  const simulated = await simulateDevices(fleet, `mqtt://127.0.0.1:${MQTT_PORT}`, args)
  const [admin] = await db.select().from(accounts).where(eq(accounts.login, 'admin'))
  const { access_token } = await startSession(db, { id: admin!.id, role: 'admin' }, clock.now())
  const call = <Data>(method: string, path: string, body?: object) =>
    server.call<Data>(method, `/api/v3/${path}`, access_token, body)
  return {
    simulated,
    bssids: [...secrets.keys()],
    create: async (body: object) => (await call<{ readonly _id: string }>('POST', 'jobs', body))._id,
    job: (id: string) => call<Job>('GET', `jobs/${id}`),
    act: (id: string, action: 'resume' | 'cancel') => call('POST', `jobs/${id}/${action}`),
    end: (id: string) => endOfJob(server, access_token, id),
    /** Returns the BSSIDs of the devices that are offline. */
    offline: async () => {
      type Device = { readonly bssid: string; readonly status: number }
      const { data } = await call<{ readonly data: Device[] }>('GET', 'devices?limit=1000')
      return data.filter(({ status }) => status === 3).map(({ bssid }) => bssid)
    },
  }
}

test(
  'a firmware that one device in ten refuses stops in its first wave, and goes on by a person',
  { timeout },
  async () => {
    const version = '9.9.9'
    for (const platform of ['esp8266', 'esp32', 'esp32-s3'])
      await db.insert(firmwareVersions).values({ platform, version, released_at: clock.now() })
    const fleet = await startFleet(120, ['--failing-firmware', `${version}:0.1:refused`, '--speed', '20'])
    const policy = {
      waves: [{ size: '80%' }],
      stop: { failed: '2%', after: 20 },
      rate: 600,
      // A device refuses at once, and installs for minutes.
      success: 'acknowledged',
    }
    const id = await fleet.create({ command: 'update_firmware', input: { version }, ids: fleet.bssids, policy })
    const stopped = await until(async () => {
      const job = await fleet.job(id)
      expect(job).toMatchObject({ state: 'paused', counts: { sent: 0 } })
      return job
    }, patient)
    expect(stopped).toMatchObject({ reason: 'More than 2% of the devices of wave 1 failed', begun: 1 })
    // It stopped within the wave, of 96 devices.
    expect(stopped.counts.queued).toBeGreaterThan(24)
    expect(fleet.simulated.executed()).toBe(stopped.counts.done)

    await fleet.act(id, 'resume')
    await until(async () => expect((await fleet.job(id)).done).toBeGreaterThan(stopped.done), patient)
    await fleet.act(id, 'cancel')
    const { job, tasks } = await fleet.end(id)
    expect(contradictions(job, tasks, fleet.simulated.events)).toEqual([])
    expect(job.counts.cancelled).toBeGreaterThan(0)
    expect(job.counts.refused).toBeGreaterThanOrEqual(stopped.counts.refused)
  },
)

test('devices that sleep get the command once they are back, and only then', { timeout }, async () => {
  const fleet = await startFleet(20, ['--sleep', '1:5s:8s'])
  const ids = await until(async () => {
    const offline = await fleet.offline()
    // Others may be offline because they have not connected yet.
    const slept = new Set(fleet.simulated.events.filter(({ did }) => did === 'slept').map(({ bssid }) => bssid))
    const asleep = offline.filter(bssid => slept.has(bssid))
    expect(asleep).not.toEqual([])
    return asleep
  })
  const id = await fleet.create({ command: 'reboot', ids, policy: { offline: 1 } })
  await until(async () => expect((await fleet.job(id)).counts.waiting).toBeGreaterThan(0))
  const { job, tasks } = await fleet.end(id)
  expect(contradictions(job, tasks, fleet.simulated.events)).toEqual([])
  expect(job.counts.done).toBeGreaterThan(0)
  // It was not sent while they slept.
  expect(tasks.map(({ attempts }) => attempts)).toEqual(ids.map(() => 1))
  for (const bssid of ids) {
    const did = fleet.simulated.events.filter(event => event.bssid === bssid).map(event => event.did)
    expect(did.slice(0, 4), bssid).toEqual([
      'connected',
      'slept',
      'connected',
      expect.stringMatching(/executed|refused/),
    ])
  }
})

test(
  'an update has succeeded once its device runs the version, and failed if it keeps its own',
  { timeout },
  async () => {
    const version = '9.9.8'
    for (const platform of ['esp8266', 'esp32', 'esp32-s3'])
      await db.insert(firmwareVersions).values({ platform, version, released_at: clock.now() })
    const fleet = await startFleet(30, ['--failing-firmware', `${version}:0.3`, '--speed', '20'])
    // A device that happens to install another version at the start is skipped, as it may do so for long.
    const policy = { stop: { failed: '100%', after: 1 }, success: { minutes: 1 }, offline: 'skip' }
    const id = await fleet.create({ command: 'update_firmware', input: { version }, ids: fleet.bssids, policy })
    // Once the devices are online with their versions, the minute passes.
    const followed = and(eq(jobTasks.job_id, id), eq(jobTasks.state, 'sent'))
    await until(async () => {
      const { counts } = await fleet.job(id)
      expect(counts).toMatchObject({ queued: 0, waiting: 0 })
      expect(await db.$count(jobTasks, and(followed, isNotNull(jobTasks.online_since)))).toBe(counts.sent)
    }, patient)
    const earlier = (time: SQLWrapper) => sql`${time} - interval '1 minute'`
    await db
      .update(jobTasks)
      .set({ online_since: earlier(jobTasks.online_since), due_at: earlier(jobTasks.due_at) })
      .where(followed)
    const { tasks } = await fleet.end(id)
    const taskOf = new Map(tasks.map(task => [task.bssid, task]))
    const which = (did: string) => fleet.simulated.events.filter(event => event.did === did).map(({ bssid }) => bssid)
    const [installed, failed] = [which('installed'), which('failed')]
    for (const some of [installed, failed]) expect(some).not.toEqual([])
    for (const bssid of installed) expect(taskOf.get(bssid), bssid).toMatchObject({ state: 'done', attempts: 1 })
    for (const bssid of failed) {
      const { state, reason } = taskOf.get(bssid)!
      const text: unknown = expect.stringMatching(/^The device reports firmware .* after its update$/)
      expect([state, reason], bssid).toEqual(['refused', text])
    }
  },
)
