/** Servers that are killed while they carry out a job: it ends by itself, and no device does it twice. */
import { asc, eq, inArray } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobTasks } from '../../../../server/db/schema/jobs.ts'
import { createCredentials, storeCredentials } from '../../../../server/devices/gateway/credentials.ts'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { startServer, temporaryFolder } from '../../support/harness.ts'
import { startProcess } from '../../support/serverProcess.ts'
import { connectDevice } from '../../support/testDevice.ts'

const { db, clock, databaseUrl } = await startServer()
const count = 60

/** Returns settings of a server on the database of this file. */
const settings = async () => ({
  DATABASE_URL: databaseUrl,
  DEMO: 'on',
  FLEET: '0',
  HISTORY: '0',
  DATA_DIR: await temporaryFolder(),
  PORT: String(await freePort()),
  MQTT_PORT: String(await freePort()),
})

test('a job of two servers ends although one of them is killed again and again', { timeout: 180_000 }, async () => {
  const rows = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid)).limit(count)
  const bssids = rows.map(({ bssid }) => bssid)
  await db.update(devices).set({ status: 0 }).where(inArray(devices.bssid, bssids))
  const credentials = await createCredentials(bssids)
  await storeCredentials(db, credentials, clock.now())
  const [lasting, killed] = [await settings(), await settings()]
  const server = await startProcess(lasting)
  let other = await startProcess(killed)
  const connected = await Promise.all(
    credentials.map(async ({ bssid, secret }, index) => {
      const url = `mqtt://127.0.0.1:${(index % 2 ? lasting : killed).MQTT_PORT}`
      return connectDevice({ url, bssid, secret, reconnectPeriod: 20, will: undefined })
    }),
  )
  onTestFinished(() => Promise.all(connected.map(device => device.leave('cut off'))).then(() => undefined))

  const [admin] = await db.select().from(accounts).where(eq(accounts.login, 'admin'))
  const { access_token } = await startSession(db, { id: admin!.id, role: 'admin' }, clock.now())
  // Slowly, so that the server is killed in the middle.
  const body = { command: 'reboot', ids: bssids, policy: { rate: 600 } }
  const { _id } = await server.call<{ _id: string }>('POST', '/api/v3/jobs', access_token, body)
  const job = () => server.call<Job>('GET', `/api/v3/jobs/${_id}`, access_token)
  for (const done of [3, 9, 15]) {
    // What a killed server has claimed waits for the end of its lease.
    await until(async () => expect((await job()).done).toBeGreaterThanOrEqual(done), { timeout: 60_000 })
    await other.kill()
    other = await startProcess(killed)
  }
  const ended = await until(
    async () => {
      const now = await job()
      expect(now.state).toBe('ended')
      return now
    },
    { timeout: 120_000 },
  )
  const counts = Object.values(ended.counts).reduce((sum, each) => sum + each, 0)
  expect(counts).toBe(count)
  const tasks = await db.select().from(jobTasks).where(eq(jobTasks.job_id, _id))
  expect(tasks).toHaveLength(count)
  for (const { bssid, state, reason, command_id } of tasks) {
    const { executed } = connected.find(device => device.bssid === bssid)!
    expect(
      executed.filter(({ id }) => id !== command_id),
      bssid,
    ).toEqual([])
    if (state === 'done') expect(executed, bssid).toHaveLength(1)
    else expect([state, reason], bssid).toEqual(['unanswered', expect.any(String)])
  }
  expect(ended.done).toBeGreaterThan(15)
})
