import { verify } from '@node-rs/argon2'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import { hashToken } from '../../../server/auth/tokens.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { accessTokens, loginFailures, refreshTokens, sessions } from '../../../server/db/schema/sessions.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { startServer } from '../support/harness.ts'

// The files of a worker share loaded modules: this one loads those that use the replaced module anew.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())

/** The real module, with a spy on `verify`. */
vi.mock('@node-rs/argon2', async original => {
  const real = await original<{ verify: typeof verify }>()
  return { ...real, verify: vi.fn<typeof verify>(real.verify) }
})

const { db, clock, call } = await startServer()

const logIn = (login: string, password = demoPassword) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password } })
const tokensOf = async (login: string): Promise<Tokens> => (await logIn(login)).json<{ data: Tokens }>().data
const refresh = (token: string) => call('POST', '/api/v3/auth/refresh', { headers: { 'refresh-token': token } })
const refreshedTokens = async (token: string): Promise<Tokens> => (await refresh(token)).json<{ data: Tokens }>().data
const profile = (token: string) => call('GET', '/api/v3/vendors/me/profile', { token })
/** Returns algorithm and cost parameters of a hash, without salt and hash. */
const costOf = (hash: string) => hash.split('$').slice(0, 4).join('$')
const setBlocked = (login: string, blocked: boolean) =>
  db.update(accounts).set({ blocked }).where(eq(accounts.login, login))

beforeEach(async () => {
  await db.delete(loginFailures)
  await db.delete(sessions)
})

describe('login', () => {
  test('returns tokens, account and role, and ignores the case of the login', async () => {
    const answer = await logIn('VENDOR')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      data: {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user_id: expect.any(String),
        user_role: 'vendor',
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('stores only hashes of tokens', async () => {
    const tokens = await tokensOf('vendor')
    const stored = JSON.stringify([await db.select().from(accessTokens), await db.select().from(refreshTokens)])
    expect(stored).not.toContain(tokens.access_token)
    expect(stored).not.toContain(tokens.refresh_token)
    expect(stored).toContain(hashToken(tokens.access_token))
  })

  test('treats a wrong password and an unknown login alike in body, headers and hashing work', async () => {
    const wrong = await logIn('vendor', 'not the password')
    const unknown = await logIn('nobody', 'not the password')
    expect(wrong.statusCode).toBe(401)
    expect(wrong.json()).toEqual({ message: 'Wrong login or password' })
    expect(unknown.statusCode).toBe(401)
    expect(unknown.body).toBe(wrong.body)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers))

    // Hashing is nearly all of the work, so a caller could measure only that.
    await db.delete(loginFailures)
    const checkedFor = async (login: string) => {
      vi.mocked(verify).mockClear()
      await logIn(login, 'not the password')
      return vi.mocked(verify).mock.calls.map(([hash, password]) => ({ cost: costOf(String(hash)), password }))
    }
    const known = await checkedFor('vendor')
    expect(known).toEqual([{ cost: '$argon2id$v=19$m=19456,t=2,p=1', password: 'not the password' }])
    expect(await checkedFor('nobody')).toEqual(known)
  })

  test('refuses a user, who has no dashboard, and a blocked account, but only with the right password', async () => {
    expect((await logIn('user@example.com', 'not the password')).statusCode).toBe(401)
    const user = await logIn('user@example.com')
    expect(user.statusCode).toBe(403)
    expect(user.json()).toEqual({ message: 'This account has no access to the dashboard' })

    await setBlocked('vendor2', true)
    expect((await logIn('vendor2', 'not the password')).statusCode).toBe(401)
    const blocked = await logIn('vendor2')
    expect(blocked.statusCode).toBe(403)
    expect(blocked.json()).toEqual({ message: 'This account is blocked' })
    await setBlocked('vendor2', false)
  })

  test('lists missing fields', async () => {
    const answer = await call('POST', '/api/v3/auth/login/dashboard', { body: {} })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message: ['Login is required', 'Password is required'] })
  })
})

describe('throttle', () => {
  test.each(['vendor', 'nobody'])(
    'refuses %s after five failures in five minutes, with the remaining time',
    async login => {
      for (let i = 0; i < 5; i++) expect((await logIn(login, 'wrong')).statusCode).toBe(401)
      const refused = await logIn(login.toUpperCase())
      expect(refused.statusCode).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(290)
      expect(refused.json<{ message: string }>().message).toContain('please try again in 5 minutes')
      // Other accounts are not affected.
      expect((await logIn('admin')).statusCode).toBe(200)
      clock.advance(5 * 60_000 + 1000)
      expect((await logIn(login, 'wrong')).statusCode).toBe(401)
    },
  )

  test.each(['admin', 'nobodi'])('counts %s in all spellings of one login together', async login => {
    for (let i = 0; i < 5; i++)
      expect((await logIn(login.replace('i', i % 2 ? 'i' : 'İ'), 'wrong')).statusCode).toBe(401)
    expect((await logIn(login, 'wrong')).statusCode).toBe(429)
  })

  test('counts concurrent attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => logIn('vendor', 'wrong')))
    expect(answers.filter(answer => answer.statusCode === 401)).toHaveLength(5)
    expect(answers.filter(answer => answer.statusCode === 429)).toHaveLength(7)
  })

  test('resets the count after a success', async () => {
    for (let i = 0; i < 4; i++) await logIn('vendor', 'wrong')
    expect((await logIn('vendor')).statusCode).toBe(200)
    for (let i = 0; i < 4; i++) expect((await logIn('vendor', 'wrong')).statusCode).toBe(401)
    expect((await logIn('vendor')).statusCode).toBe(200)
  })
})

describe('access token', () => {
  test('is required, must be valid, and lasts 15 minutes', async () => {
    const { access_token } = await tokensOf('vendor')
    expect((await call('GET', '/api/v3/vendors/me/profile')).statusCode).toBe(401)
    expect((await profile('made up')).statusCode).toBe(401)
    expect((await profile(access_token)).statusCode).toBe(200)
    clock.advance(15 * 60_000 - 5000)
    expect((await profile(access_token)).statusCode).toBe(200)
    clock.advance(5001)
    const expired = await profile(access_token)
    expect(expired.statusCode).toBe(401)
    expect(expired.json()).toEqual({ message: 'Please sign in' })
  })

  test('cannot be used as a refresh token, nor the other way round', async () => {
    const { access_token, refresh_token } = await tokensOf('vendor')
    expect((await profile(refresh_token)).statusCode).toBe(401)
    expect((await refresh(access_token)).statusCode).toBe(401)
  })

  test('has a changed role from the next call on', async () => {
    const { access_token } = await tokensOf('vendor')
    await db.update(accounts).set({ role: 'admin' }).where(eq(accounts.login, 'vendor'))
    expect((await profile(access_token)).statusCode).toBe(403)
    await db.update(accounts).set({ role: 'vendor' }).where(eq(accounts.login, 'vendor'))
    expect((await profile(access_token)).statusCode).toBe(200)
  })

  test('is invalid after a logout, which ends only its own session', async () => {
    const [one, other] = [await tokensOf('vendor'), await tokensOf('vendor')]
    expect((await call('POST', '/api/v3/auth/logout', { token: one.access_token })).json()).toEqual({ data: {} })
    expect((await profile(one.access_token)).statusCode).toBe(401)
    expect((await refresh(one.refresh_token)).statusCode).toBe(401)
    expect((await profile(other.access_token)).statusCode).toBe(200)
  })
})

describe('refresh', () => {
  test('returns new tokens of the same session, and keeps the old access token valid', async () => {
    const first = await tokensOf('vendor')
    const second = await refreshedTokens(first.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second).toMatchObject({ user_id: first.user_id, user_role: 'vendor' })
    expect((await profile(first.access_token)).statusCode).toBe(200)
    expect((await profile(second.access_token)).statusCode).toBe(200)
    expect(await db.$count(sessions)).toBe(1)
  })

  test('accepts a JSON content type with an empty body', async () => {
    const { refresh_token } = await tokensOf('vendor')
    const headers = { 'refresh-token': refresh_token, 'content-type': 'application/json' }
    expect((await call('POST', '/api/v3/auth/refresh', { headers })).statusCode).toBe(200)
  })

  test('is refused without a token or with an unknown one', async () => {
    expect((await call('POST', '/api/v3/auth/refresh')).statusCode).toBe(401)
    expect((await refresh('made up')).statusCode).toBe(401)
  })

  test('returns the same successor for the old token within ten seconds', async () => {
    const first = await tokensOf('vendor')
    const second = await refreshedTokens(first.refresh_token)
    clock.advance(9000)
    expect(await refreshedTokens(first.refresh_token)).toEqual(second)
    expect((await refresh(second.refresh_token)).statusCode).toBe(200)
  })

  test('with the old token after that ends the whole session', async () => {
    const first = await tokensOf('vendor')
    const bystander = await tokensOf('vendor')
    const second = await refreshedTokens(first.refresh_token)
    const third = await refreshedTokens(second.refresh_token)
    clock.advance(11_000)
    expect((await refresh(first.refresh_token)).statusCode).toBe(401)
    expect((await profile(third.access_token)).statusCode).toBe(401)
    expect((await refresh(third.refresh_token)).statusCode).toBe(401)
    expect((await profile(bystander.access_token)).statusCode).toBe(200)
  })

  test('detects reuse also after the successor was erased', async () => {
    const first = await tokensOf('vendor')
    const second = await refreshedTokens(first.refresh_token)
    clock.advance(11_000)
    await tokensOf('admin')
    const sealed = sql`${refreshTokens.successor} is not null`
    expect(await db.$count(refreshTokens, sealed)).toBe(0)
    expect((await refresh(first.refresh_token)).statusCode).toBe(401)
    expect((await refresh(second.refresh_token)).statusCode).toBe(401)
  })

  test('returns the same successor to concurrent calls', async () => {
    const first = await tokensOf('vendor')
    const all = await Promise.all(Array.from({ length: 8 }, () => refreshedTokens(first.refresh_token)))
    expect(new Set(all.map(tokens => tokens.refresh_token)).size).toBe(1)
    expect(new Set(all.map(tokens => tokens.access_token)).size).toBe(1)
    expect((await profile(all[0]!.access_token)).statusCode).toBe(200)
    expect(await db.$count(refreshTokens)).toBe(2)
  })

  test('is possible for 30 days after the last one, and removes expired sessions', async () => {
    const first = await tokensOf('vendor')
    clock.advance(29 * 24 * 60 * 60_000)
    const second = await refreshedTokens(first.refresh_token)
    clock.advance(29 * 24 * 60 * 60_000)
    const third = await refreshedTokens(second.refresh_token)
    clock.advance(30 * 24 * 60 * 60_000 + 1000)
    expect((await refresh(third.refresh_token)).statusCode).toBe(401)
    await tokensOf('admin')
    expect(await db.$count(sessions)).toBe(1)
    expect(await db.$count(accessTokens)).toBe(1)
    expect(await db.$count(refreshTokens)).toBe(1)
  })
})

describe('a blocked account', () => {
  test('is refused on its next call, at refresh and at login', async () => {
    const tokens = await tokensOf('vendor2')
    await setBlocked('vendor2', true)
    expect((await profile(tokens.access_token)).statusCode).toBe(401)
    expect((await refresh(tokens.refresh_token)).statusCode).toBe(401)
    expect((await logIn('vendor2')).statusCode).toBe(403)
    await setBlocked('vendor2', false)
    // Unblocking does not restore old sessions.
    expect((await profile(tokens.access_token)).statusCode).toBe(401)
  })
})
