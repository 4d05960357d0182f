/** A server that carries out jobs on a few devices of a vendor, over a link that records what it sends. */
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { startSession } from '../../../../server/auth/sessions.ts'
import { openChanges } from '../../../../server/devices/changes.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { jobs, jobTasks } from '../../../../server/db/schema/jobs.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { alwaysThere } from '../../../../server/db/state.ts'
import { openJobRunner } from '../../../../server/resources/jobs/runner.ts'
import type { Method } from '../../../../src/api/contract/endpoint.ts'
import type { Job } from '../../../../src/api/contract/jobs.ts'
import type { Role } from '../../../../src/domain/roles.ts'
import { until } from '../../../support/until.ts'
import { startServer } from '../../support/harness.ts'
import { setStatus as showStatus } from '../../support/devices/deviceRows.ts'

export async function startJobs() {
  const server = await startServer()
  const { db, bus, alarms, clock, link, log, call } = server
  const sink = { info: (text: string) => log.push(text), error: (text: string) => log.push(text) }
  /** The disk of the database, as the runners see it; `looks` counts how often they did. */
  const disk = {
    ...alwaysThere,
    isFilled: false,
    looks: 0,
    get isFull(): boolean {
      this.looks++
      return this.isFilled
    },
  }
  /** Carries jobs out, as one of several servers on the database does. */
  const openRunner = () =>
    openJobRunner({
      db,
      database: disk,
      link,
      changes: openChanges({ serving: { db }, now: clock.now }),
      bus,
      alarms,
      log: sink,
      now: clock.now,
    })
  const runner = openRunner()
  afterAll(() => runner.close())
  const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor'))
  // All of one model, so that each can be flushed and locked.
  const [model] = await db
    .select()
    .from(deviceModels)
    .where(sql`${deviceModels.capabilities} @> array['lock', 'flush', 'uv']::text[]`)
  const some = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid)).limit(30)
  const bssids = some.map(({ bssid }) => bssid)
  await db
    .update(devices)
    .set({ vendor_id: vendor!.id, model_id: model!.id, filtration_system_id: null })
    .where(inArray(devices.bssid, bssids))

  /** Sets the status of devices, and says so like the ingest. */
  const setStatus = async (status: 0 | 3 | 6, ...which: readonly string[]) => {
    await showStatus(db, status, which)
    bus.publish({ kind: 'devices', bssids: which })
  }
  await setStatus(0, ...bssids)
  /** Gives devices a description, by which tests search. */
  const describe = (description: string, ...which: readonly string[]) =>
    db
      .update(devices)
      .set({ description })
      .where(inArray(devices.bssid, [...which]))
  /** Advances the clock, and wakes the server, whose timers do not follow it. */
  const advance = (milliseconds: number) => {
    clock.advance(milliseconds)
    bus.publish({ kind: 'resources', names: ['jobs'] })
  }
  /** Calls the API in a session of its own, because the tests advance the clock by hours. */
  const as = async (login: string, method: Method, path: string, body?: object) => {
    const [account] = await db.select().from(accounts).where(eq(accounts.login, login))
    const { access_token: token } = await startSession(db, account as typeof account & { role: Role }, clock.now())
    return call(method, `/api/v3/${path}`, { token, ...(body && { body }) })
  }
  const create = async (body: object, login = 'vendor'): Promise<string> => {
    const answer = await as(login, 'POST', 'jobs', body)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json<{ data: { _id: string } }>().data._id
  }
  const job = async (id: string, login = 'vendor'): Promise<Job> =>
    (await as(login, 'GET', `jobs/${id}`)).json<{ data: Job }>().data
  const act = (id: string, action: string, { login = 'vendor', body }: { login?: string; body?: object } = {}) =>
    as(login, 'POST', `jobs/${id}/${action}`, body)
  /** Waits until a job is in a state, and returns it. */
  const reaches = (id: string, state: Job['state'], login = 'vendor'): Promise<Job> =>
    until(async () => {
      const found = await job(id, login)
      if (found.state !== state) throw new Error(`The job is ${found.state}: ${JSON.stringify(found.counts)}`)
      return found
    })
  const tasks = (id: string) => db.select().from(jobTasks).where(eq(jobTasks.job_id, id)).orderBy(asc(jobTasks.bssid))
  const task = async (id: string, bssid: string) => (await tasks(id)).find(one => one.bssid === bssid)!
  const sentTo = (bssid: string) => link.sent.filter(one => one.bssid === bssid).map(({ command }) => command)
  const row = async (id: string) => (await db.select().from(jobs).where(eq(jobs.id, id)))[0]!
  return {
    ...server,
    disk,
    runner,
    openRunner,
    vendor: vendor!.id,
    bssids,
    setStatus,
    describe,
    advance,
    as,
    create,
    job,
    act,
    reaches,
    tasks,
    task,
    sentTo,
    row,
  }
}

/** The counts of a job without those that are zero. */
export const counted = ({ counts }: Job) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
