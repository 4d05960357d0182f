/** The history has one entry for each call about a job, and one for its end, which name no devices. */
import { eq, max, sql, type SQL } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { AuditEntry } from '../../../../src/api/contract/audit.ts'
import { jobEndAction } from '../../../../src/api/contract/jobs.ts'
import { verifyChain } from '../../../../server/audit/verify.ts'
import { audit } from '../../../../server/db/schema/audit.ts'
import { msPerDay, msPerHour } from '../../../../src/domain/time.ts'
import { pruneJobs } from '../../../../server/resources/jobs/taskStore.ts'
import { verifyTasks } from '../../../../server/resources/jobs/taskDigest.ts'
import { startJobs } from './support.ts'

const { db, bssids, link, clock, vendor, setStatus, advance, ...jobs } = await startJobs()
const { as, act, create, reaches } = jobs

let last = 0
const remember = async () => {
  last = (await db.select({ id: max(audit.id) }).from(audit))[0]!.id ?? 0
}
await remember()
afterEach(async () => {
  link.refusals.clear()
  link.silent.clear()
  await setStatus(0, ...bssids)
  await remember()
})

/** Returns the entries of the test as administrators see them, oldest first. */
async function entries(): Promise<AuditEntry[]> {
  const answer = await as('admin', 'GET', 'audit?sort=at&direction=asc&limit=1000')
  const { data } = answer.json<{ data: { data: AuditEntry[] } }>().data
  return data.filter(({ _id }) => Number(_id) > last)
}
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString()

test('a job is one entry with its policy and the number of its devices, and one with its end', async () => {
  const [refusing, offline] = bssids
  link.refusals.set(refusing!, 'In service mode')
  await setStatus(3, offline!)
  const policy = { retries: 1 }
  const id = await create({ command: 'lock', input: { locked: true }, ids: bssids, policy })
  await reaches(id, 'ended')
  const [created, ended, ...rest] = await entries()
  expect(rest).toEqual([])
  expect(created).toMatchObject({
    title: 'Created job',
    account: vendor,
    ids: [id],
    ids_count: 1,
    values: { command: 'lock', input: { locked: true }, policy },
    outcome: 'done',
    message: '30 devices',
  })
  expect(ended).toMatchObject({
    title: 'Job ended',
    action: jobEndAction,
    account: vendor,
    login: 'vendor',
    role: 'vendor',
    ids: [id],
    values: { command: 'lock', input: { locked: true }, policy },
    outcome: 'partly',
    status: 0,
    done: 28,
    failed: 1,
    message: '30 devices: done 28, refused 1, skipped 1',
  })
})

test('what a person does with a job says how far it was', async () => {
  const start = later(msPerDay)
  const id = await create({ command: 'flush', search: { column: 'bssid', search: bssids[0] }, policy: { start } })
  await act(id, 'pause')
  await act(id, 'resume')
  await act(id, 'reschedule', { body: { start: later(2 * msPerDay) } })
  await act(id, 'cancel')
  await reaches(id, 'ended')
  const found = (await entries()).map(({ title, ids, message, outcome }) => [title, ids, outcome, message])
  expect(found.slice(0, 4)).toEqual([
    ['Created job', [id], 'done', '1 device'],
    ['Paused job', [id], 'done', '1 device: queued 1'],
    ['Resumed job', [id], 'done', '1 device: queued 1'],
    ['Rescheduled job', [id], 'done', '1 device: queued 1'],
  ])
  // The job can end before the call that cancels it has its entry.
  expect(new Set(found.slice(4))).toEqual(
    new Set([
      ['Cancelled job', [id], 'done', '1 device: cancelled 1'],
      ['Job ended', [id], 'failed', '1 device: cancelled 1'],
    ]),
  )
})

test('retries, undos and repetitions name both jobs', async () => {
  link.refusals.set(bssids[0]!, 'No water')
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2) })
  await reaches(id, 'ended')
  link.refusals.clear()
  const again = (await act(id, 'retry', { body: { reason: null } })).json<{ data: { _id: string } }>().data._id
  await reaches(again, 'ended')
  const [, , retried, ended] = await entries()
  expect(retried).toMatchObject({ title: 'Retried job', ids: [id, again], message: '1 device' })
  expect(ended).toMatchObject({ title: 'Job ended', ids: [again], values: { parent: id, kind: 'retry' }, done: 1 })
})

test('a job that is repeated ends with its last time', async () => {
  const start = { rrule: 'FREQ=DAILY;COUNT=1', from: later(msPerHour), time_zone: 'UTC' }
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2), policy: { start } })
  advance(msPerHour)
  await reaches(id, 'ended')
  const [created, ended] = await entries()
  expect(created).toMatchObject({ title: 'Created job', ids: [id], message: '2 devices' })
  expect(ended).toMatchObject({ title: 'Job ended', ids: [id], values: { policy: { start } }, message: '' })
})

test('a refused call has no outcome of a job', async () => {
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2) })
  await reaches(id, 'ended')
  await act(id, 'pause')
  expect((await entries()).at(-1)).toMatchObject({
    title: 'Paused job',
    outcome: 'refused',
    message: 'The job is ended and cannot be paused',
  })
})

/** Returns what verification says of tasks after a statement, which is rolled back. */
async function verdictAfter(statement: SQL): Promise<string> {
  const verdictReached = new Error('Rolled back')
  let verdict = ''
  const changed = db.transaction(async tx => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(statement)
    verdict = await verifyTasks(tx, clock.now()).then(String, String)
    throw verdictReached
  })
  await expect(changed).rejects.toBe(verdictReached)
  return verdict
}

test('the history covers what each device of an ended job did', async () => {
  link.refusals.set(bssids[0]!, 'No water')
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2) })
  await reaches(id, 'ended')
  const entry = (await entries()).at(-1)!
  const job = sql`job_id = ${id} and bssid = ${bssids[0]!}`
  expect(await verifyTasks(db, clock.now())).toBeGreaterThan(0)
  const changed = `Error: The tasks of job ${id} were changed after its end, which is entry ${entry._id}.`
  expect(await verdictAfter(sql`update job_tasks set state = 'done', reason = null where ${job}`)).toBe(changed)
  expect(await verdictAfter(sql`delete from job_tasks where ${job}`)).toBe(changed)
  expect(await verdictAfter(sql`delete from jobs where id = ${id}`)).toBe(
    `Error: Job ${id}, whose end is entry ${entry._id}, was removed.`,
  )
})

test('jobs that were deleted because of their age are not missed', async () => {
  const id = await create({ command: 'flush', ids: bssids.slice(0, 2) })
  await reaches(id, 'ended')
  const before = await verifyTasks(db, clock.now())
  advance(401 * msPerDay)
  await pruneJobs(db, clock.now())
  expect(before).toBeGreaterThan(0)
  expect(await verifyTasks(db, clock.now())).toBe(0)
})

test('the ends of jobs are part of the chain', async () => {
  expect(await db.$count(audit, eq(audit.action, jobEndAction))).toBeGreaterThan(4)
  await expect(verifyChain(db)).resolves.toBeDefined()
})
