import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test, onTestFinished, vi } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import { hashPassword } from '../../../server/auth/passwords.ts'
import { hashToken } from '../../../server/auth/tokens.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { mailTokens } from '../../../server/db/schema/mailTokens.ts'
import { loginFailures } from '../../../server/db/schema/sessions.ts'
import { queuedMails } from '../../../server/db/schema/queuedMails.ts'
import { queueMail } from '../../../server/mail/mailQueue.ts'
import { readOutbox } from '../../support/outbox.ts'
import { startServer } from '../support/harness.ts'
import { newAccount } from '../support/subjects.ts'

const { call, db, clock, mails: queue, dataDir, signIn } = await startServer()

const oldPassword = 'an old long one'
const password = 'a new long one'
const password_hash = await hashPassword(oldPassword)
const logIn = (login: string, given: string) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: given } })

let vendorCount = 0
const newVendor = async (values: Partial<typeof accounts.$inferInsert> = {}) => {
  const login = `inviting-${++vendorCount}@example.com`
  return { id: await newAccount(db, 'vendor', { login, password_hash, ...values }), login }
}
const forgot = (login: string) => call('POST', '/api/v3/auth/forgot-password/dashboard', { body: { login } })
const restore = (token: string, given = password) =>
  call('POST', '/api/v3/auth/password/restore', {
    headers: { 'password-recovery-token': token },
    body: { password: given },
  })
const confirm = (token: string) =>
  call('POST', '/api/v3/auth/email/confirm', { headers: { 'email-confirmation-token': token } })
const mails = async () => {
  await queue.sendDue()
  return readOutbox(dataDir)
}
const tokenIn = (link: string) => new URL(link).searchParams.get('token')!
/** Requests a recovery mail, and returns its token. */
async function tokenFor(login: string) {
  expect((await forgot(login)).json()).toEqual({ data: {} })
  return tokenIn((await mails()).findLast(mail => mail.to === login.toLowerCase())!.link)
}

beforeEach(() => db.delete(loginFailures))

describe('a forgotten password', () => {
  test('sends a mail whose link sets a new password, once', async () => {
    const { login } = await newVendor()
    const session = (await logIn(login, oldPassword)).json<{ data: Tokens }>().data
    const token = await tokenFor(login.toUpperCase())
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await restore(token)).json()).toEqual({ data: {} })
    expect((await logIn(login, oldPassword)).statusCode).toBe(401)
    expect((await logIn(login, password)).statusCode).toBe(200)
    expect((await call('GET', '/api/v3/vendors/me/profile', { token: session.access_token })).statusCode).toBe(401)

    const again = await restore(token, 'yet another one')
    // Not 401, on which a console would refresh its session.
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({ message: 'This link is no longer valid, please request a new one' })
    expect((await logIn(login, password)).statusCode).toBe(200)
  })

  test('stores only hashes of tokens', async () => {
    const { login } = await newVendor()
    const token = await tokenFor(login)
    const stored = JSON.stringify(await db.select().from(mailTokens))
    expect(stored).not.toContain(token)
    expect(stored).toContain(hashToken(token))
  })

  test('has a link that is valid for an hour', async () => {
    const { login } = await newVendor()
    const [one, other] = [await tokenFor(login), await tokenFor(login)]
    clock.advance(3_600_000 - 5000)
    expect((await restore(one)).statusCode).toBe(200)
    const late = await tokenFor(login)
    clock.advance(3_600_001)
    expect((await restore(late)).statusCode).toBe(400)
    expect((await restore(other)).statusCode).toBe(400)
  })

  test('invalidates its other links once a new password is set', async () => {
    const { login } = await newVendor()
    const [one, other] = [await tokenFor(login), await tokenFor(login)]
    expect((await restore(other)).statusCode).toBe(200)
    expect((await restore(one, 'somebody else’s')).statusCode).toBe(400)
  })

  test('has a link that only one of two concurrent calls can use', async () => {
    const { login } = await newVendor()
    const token = await tokenFor(login)
    const answers = await Promise.all([restore(token), restore(token, 'somebody else’s')])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('keeps its link valid after a refused password', async () => {
    const { login } = await newVendor()
    const token = await tokenFor(login)
    expect((await restore(token, 'password1')).json()).toEqual({
      message: 'Password is too common, please choose another',
    })
    expect((await restore(token, 'short')).json()).toEqual({ message: 'Password must be at least 8 characters' })
    expect((await restore(token)).statusCode).toBe(200)
  })

  test('invalidates its links when the account is blocked or its login or password changes', async () => {
    const token = (await signIn('admin')).access_token
    const changes = [
      ['change-status', { status: true }],
      ['', { login: 'moved@example.com' }],
      ['change-password', { password: 'given by an admin' }],
    ] as const
    for (const [path, body] of changes) {
      const { id, login } = await newVendor()
      const link = await tokenFor(login)
      const url = ['/api/v3/vendors', id, path].filter(Boolean).join('/')
      expect((await call('PATCH', url, { token, body })).statusCode).toBe(200)
      expect((await restore(link)).statusCode).toBe(400)
    }
  })
})

describe('a mail that is not sent yet', () => {
  const hold = async (login: string) => {
    await queue.sendDue()
    const woken = vi.spyOn(queue, 'wake').mockReturnValue(undefined)
    onTestFinished(() => woken.mockRestore())
    await forgot(login)
    expect(await db.$count(queuedMails)).toBe(1)
  }

  test.each([
    ['is blocked', 'change-status', { status: true }],
    ['gets another login', '', { login: 'moved-on@example.com' }],
    ['gets another password', 'change-password', { password: 'given by an admin' }],
  ])('is not sent any more once the account %s', async (_, path, body) => {
    const { id, login } = await newVendor()
    const before = (await mails()).length
    await hold(login)
    const url = ['/api/v3/vendors', id, path].filter(Boolean).join('/')
    const { access_token: token } = await signIn('admin')
    expect((await call('PATCH', url, { token, body })).statusCode).toBe(200)
    expect(await mails()).toHaveLength(before)
    expect(await db.$count(mailTokens, eq(mailTokens.account_id, id))).toBe(0)
  })

  test('has a link that is valid for an hour from when it is sent', async () => {
    const { login } = await newVendor()
    await hold(login)
    clock.advance(3_000_000)
    const token = tokenIn((await mails()).findLast(mail => mail.to === login)!.link)
    clock.advance(3_000_000)
    expect((await restore(token)).statusCode).toBe(200)
  })
})

describe('asking for a new password', () => {
  test('does not reveal whether a login exists, by the response or the work before it', async () => {
    const { login } = await newVendor()
    const [known, unknown] = [await forgot(login), await forgot('nobody@example.com')]
    expect(unknown.statusCode).toBe(200)
    expect(unknown.body).toBe(known.body)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers))

    // Both queue a mail that does not say for whom; account, token and text are read and made after the response.
    await queue.sendDue()
    const woken = vi.spyOn(queue, 'wake').mockReturnValue(undefined)
    onTestFinished(() => woken.mockRestore())
    const before = { tokens: await db.$count(mailTokens), mails: (await readOutbox(dataDir)).length }
    await forgot(login)
    await forgot('nobody@example.com')
    expect(woken).toHaveBeenCalledTimes(2)
    expect(await db.$count(queuedMails)).toBe(2)
    expect(JSON.stringify(await db.select().from(queuedMails))).not.toContain('example.com')
    expect({ tokens: await db.$count(mailTokens), mails: (await readOutbox(dataDir)).length }).toEqual(before)
    expect(await mails()).toHaveLength(before.mails + 1)
    expect(await db.$count(mailTokens)).toBe(before.tokens + 1)
    expect(await db.$count(queuedMails)).toBe(0)
  })

  test('sends no mail to accounts that may not sign in, or to a login that is not an email address', async () => {
    const before = (await mails()).length
    const { login } = await newVendor({ blocked: true })
    for (const given of [login, 'user@example.com', 'vendor', 'nobody@example.com'])
      expect((await forgot(given)).json()).toEqual({ data: {} })
    expect(await mails()).toHaveLength(before)
    expect(await db.$count(mailTokens, eq(mailTokens.account_id, (await signIn('vendor')).user_id))).toBe(0)
  })

  test.each(['known', 'unknown'])('is throttled by login, if it is %s', async kind => {
    const login = kind === 'known' ? (await newVendor()).login : 'nobodi@example.com'
    // The database finds the account by either letter.
    for (let i = 0; i < 5; i++) expect((await forgot(login.replace('i', i % 2 ? 'i' : 'İ'))).statusCode).toBe(200)
    const refused = await forgot(login.toUpperCase())
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(290)
    // Signing in is counted separately.
    expect((await logIn(login, oldPassword)).statusCode).toBe(kind === 'known' ? 200 : 401)
    expect((await forgot('other@example.com')).statusCode).toBe(200)
    await queue.sendDue()
  })

  test('is throttled by IP address', async () => {
    const answers = []
    for (let i = 0; i < 21; i++) answers.push((await forgot(`nobody-${i}@example.com`)).statusCode)
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})

test('at most twenty tokens can be guessed', async () => {
  for (let i = 0; i < 20; i++) expect((await restore(`guess ${i}`)).statusCode).toBe(400)
  expect((await restore('guess')).statusCode).toBe(429)
  expect((await confirm('guess')).statusCode).toBe(429)
})

describe('an email address', () => {
  const newUser = async () => {
    const id = await newAccount(db, 'user')
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
    await queueMail(db, { kind: 'confirmation', account_id: id }, clock.now())
    return { id, token: tokenIn((await mails()).findLast(one => one.to === row!.login)!.link) }
  }
  const isConfirmed = async (id: string) => {
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id))
    return row!.email_confirmed
  }

  test('is confirmed once by the link in its mail', async () => {
    const { id, token } = await newUser()
    expect((await confirm(token)).json()).toEqual({ data: {} })
    expect(await isConfirmed(id)).toBe(true)
    const again = await confirm(token)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({ message: 'This link is no longer valid' })
  })

  test('is not confirmed after 24 hours, by a recovery token, or without a token', async () => {
    const { id, token } = await newUser()
    expect((await confirm(await tokenFor((await newVendor()).login))).statusCode).toBe(400)
    expect((await restore(token)).statusCode).toBe(400)
    expect((await call('POST', '/api/v3/auth/email/confirm')).statusCode).toBe(400)
    clock.advance(24 * 3_600_000 + 1)
    expect((await confirm(token)).statusCode).toBe(400)
    expect(await isConfirmed(id)).toBe(false)
  })
})
