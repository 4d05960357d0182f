/** The queue of mails: each is sent, by one of several servers, also after failures and after a server has died. */
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { openAccountMails } from '../../../server/auth/accountMails.ts'
import { mailTokens } from '../../../server/db/schema/mailTokens.ts'
import { queuedMails } from '../../../server/db/schema/queuedMails.ts'
import { alwaysThere } from '../../../server/db/state.ts'
import { openMailQueue, pruneQueuedMails, queueMail } from '../../../server/mail/mailQueue.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { newAccount } from '../support/subjects.ts'

const { db, clock, call, mails, signIn } = await startServer()
// Only the tests' own queues send mails.
await mails.close()
const second = 1_000
const hour = 3_600 * second

/** A server's queue with a mail server: what it accepted, and how it treats the next mails. */
function openQueue(database = alwaysThere) {
  const accepted: string[] = []
  const log: string[] = []
  const mailServer = { answer: async () => {} }
  const queue = openMailQueue({
    db,
    database,
    mail: {
      send: async to => {
        await mailServer.answer()
        accepted.push(to)
      },
    },
    compose: openAccountMails({ publicUrl: 'http://127.0.0.1' }, clock.now),
    log: { info: () => undefined, error: text => log.push(text) },
    now: clock.now,
    interval: hour,
  })
  return { ...queue, accepted, log, mailServer }
}
/** Opens a queue that has looked for mails, so that the next look is the test's. */
async function openIdleQueue() {
  const opened = openQueue()
  await opened.sendDue()
  return opened
}
const unavailable = () => Promise.reject(new Error('421 try again later'))
const queued = () => db.select().from(queuedMails)

beforeEach(() => db.delete(queuedMails))

/** Queues a mail to a new account, and returns its address. */
async function queueOne(): Promise<string> {
  const login = `user-${await db.$count(mailTokens)}-${Math.random()}@example.com`
  await queueMail(db, { kind: 'recovery', account_id: await newAccount(db, 'vendor', { login }) }, clock.now())
  return login
}

test('several servers send each mail once', async () => {
  const logins = await Promise.all(Array.from({ length: 23 }, queueOne))
  const servers = [openQueue(), openQueue(), openQueue()]
  await Promise.all(servers.map(server => server.sendDue()))
  expect(servers.flatMap(({ accepted }) => accepted).toSorted()).toEqual(logins.toSorted())
  expect(await queued()).toEqual([])
  await Promise.all(servers.map(server => server.close()))
})

test('a mail that the mail server refuses is tried again with growing pauses, and given up after 24 hours', async () => {
  const { sendDue, close, log, accepted, mailServer } = await openIdleQueue()
  mailServer.answer = unavailable
  await queueOne()
  const start = clock.now().getTime()
  const pauses: number[] = []
  for (let attempt = 1; attempt < 100; attempt++) {
    await sendDue()
    const [mail] = await queued()
    expect(mail).toMatchObject({ attempts: attempt, error: '421 try again later' })
    if (mail!.gave_up_at) break
    const wait = mail!.due_at.getTime() - clock.now().getTime()
    pauses.push(Math.round(wait / second))
    // Nothing is tried before its time.
    clock.advance(wait - second)
    await sendDue()
    expect((await queued())[0]!.attempts).toBe(attempt)
    clock.advance(second)
  }
  expect(pauses.slice(0, 7)).toEqual([10, 30, 90, 270, 810, 2430, 3600])
  expect(new Set(pauses.slice(7))).toEqual(new Set([3600]))
  expect(clock.now().getTime() - start).toBeGreaterThan(24 * hour)
  expect(log.at(-1)).toBe('Gave up on a recovery mail after 24 hours')
  mailServer.answer = async () => {}
  clock.advance(48 * hour)
  await sendDue()
  expect(accepted).toEqual([])

  // It is kept with its error for 30 days.
  await pruneQueuedMails(db, clock.now())
  expect(await queued()).toHaveLength(1)
  clock.advance(29 * 24 * hour)
  await pruneQueuedMails(db, clock.now())
  expect(await queued()).toEqual([])
  await close()
})

test('one that fails does not delay others, and is sent once the mail server works again', async () => {
  const { sendDue, close, accepted, mailServer } = await openIdleQueue()
  const [failing, other] = [await queueOne(), await queueOne()]
  let first = true
  mailServer.answer = () => {
    const answer = first ? unavailable() : Promise.resolve()
    first = false
    return answer
  }
  await sendDue()
  expect(accepted).toHaveLength(1)
  clock.advance(11 * second)
  await sendDue()
  expect(accepted.toSorted()).toEqual([failing, other].toSorted())
  await close()
})

test('a mail whose server dies while sending it is sent by another, after two minutes', async () => {
  const dying = await openIdleQueue()
  const { promise: sending, resolve: takenUp } = Promise.withResolvers<void>()
  dying.mailServer.answer = () => {
    takenUp()
    return new Promise(() => {})
  }
  const login = await queueOne()
  void dying.sendDue()
  await sending
  const other = await openIdleQueue()
  clock.advance(119 * second)
  await other.sendDue()
  expect(other.accepted).toEqual([])
  clock.advance(2 * second)
  await other.sendDue()
  expect(other.accepted).toEqual([login])
  expect(await queued()).toEqual([])
  await other.close()
})

test('no mail is sent while the disk is full', async () => {
  const login = await queueOne()
  const disk = { ...alwaysThere, isFull: true }
  const server = openQueue(disk)
  await server.sendDue()
  expect(server.accepted).toEqual([])
  disk.isFull = false
  await server.sendDue()
  expect(server.accepted).toEqual([login])
})

test('blocking an account whose mail is just being composed waits for it, and its link does not work', async () => {
  const account_id = await newAccount(db, 'vendor', { login: 'blocked-meanwhile@example.com' })
  await queueMail(db, { kind: 'recovery', account_id }, clock.now())
  const { access_token: token } = await signIn('admin')
  let blocked: ReturnType<typeof call> | undefined
  const compose = openAccountMails({ publicUrl: 'http://127.0.0.1' }, clock.now)
  const log: string[] = []
  const queue = openMailQueue({
    db,
    database: alwaysThere,
    mail: { send: async () => {} },
    compose: async (tx, mail) => {
      blocked = call('PATCH', `/api/v3/vendors/${account_id}/change-status`, { token, body: { status: true } })
      const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(async () => expect((await db.execute(waits)).rows).toHaveLength(1))
      return compose(tx, mail)
    },
    log: { info: () => undefined, error: text => log.push(text) },
    now: clock.now,
    interval: hour,
  })
  await queue.sendDue()
  expect((await blocked)?.statusCode).toBe(200)
  expect(log).toEqual([])
  expect(await db.$count(mailTokens, eq(mailTokens.account_id, account_id))).toBe(0)
  await queue.close()
})

test('closing waits for the mail that is being sent, and leaves the others to the next server', async () => {
  const closing = await openIdleQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: sending, resolve: takenUp } = Promise.withResolvers<void>()
  closing.mailServer.answer = () => {
    takenUp()
    return promise
  }
  const logins = await Promise.all(Array.from({ length: 8 }, queueOne))
  void closing.sendDue()
  await sending
  let isClosed = false
  const closed = closing.close().then(() => (isClosed = true))
  expect(await queued()).toHaveLength(8)
  expect(isClosed).toBe(false)
  resolve()
  await closed
  expect(closing.accepted).toHaveLength(5)
  const next = openQueue()
  await next.sendDue()
  expect([...closing.accepted, ...next.accepted].toSorted()).toEqual(logins.toSorted())
  await next.close()
})

test('a mail is queued with what it tells, or not at all', async () => {
  const account_id = await newAccount(db, 'vendor', { login: 'all-or-nothing@example.com' })
  const failed = db.transaction(async tx => {
    await queueMail(tx, { kind: 'recovery', account_id }, clock.now())
    throw new Error('the rest failed')
  })
  await expect(failed).rejects.toThrow('the rest failed')
  expect(await queued()).toEqual([])
  // The mail of a call is stored when its response is sent: killed then, the server's next start sends it.
  await call('POST', '/api/v3/auth/forgot-password/dashboard', { body: { login: 'all-or-nothing@example.com' } })
  expect(await db.$count(queuedMails, eq(queuedMails.account_id, account_id))).toBe(1)
})
