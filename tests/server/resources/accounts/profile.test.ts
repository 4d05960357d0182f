import { describe, expect, test } from 'vitest'
import type { Tokens } from '../../../../src/api/contract/auth.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { startServer } from '../../support/harness.ts'

const { call, signIn, clock } = await startServer()

const logIn = (login: string, password: string) =>
  call('POST', '/api/v3/auth/login/dashboard', { body: { login, password } })

describe.each([
  ['admin', '/api/v3/admins/me/profile'],
  ['vendor', '/api/v3/vendors/me/profile'],
])('the profile of %s', (login, url) => {
  test('shows the account', async () => {
    const { access_token: token, user_id } = await signIn(login)
    const answer = await call('GET', url, { token })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ data: { _id: user_id, login, status: false } })
    expect(answer.body).not.toContain('argon2')
  })

  test('changes only the given fields', async () => {
    const { access_token: token } = await signIn(login)
    const before = (await call('GET', url, { token })).json<{ data: Record<string, unknown> }>().data
    clock.advance(1000)
    const answer = await call('PATCH', url, { token, body: { first_name: ' Ada ' } })
    expect(answer.statusCode).toBe(200)
    const after = answer.json<{ data: Record<string, unknown> }>().data
    expect(after).toEqual({ ...before, first_name: 'Ada', updated_at: after.updated_at })
    expect(after.updated_at).not.toBe(before.updated_at)
    expect((await call('GET', url, { token })).json()).toEqual({ data: after })
  })

  test('refuses a login that is taken, ignoring case, and accepts a free one', async () => {
    const { access_token: token } = await signIn(login)
    const proof = { current_password: demoPassword }
    const taken = await call('PATCH', url, { token, body: { login: 'Vendor2', ...proof } })
    expect(taken.statusCode).toBe(409)
    expect(taken.json()).toEqual({ message: 'This login is already taken' })
    expect((await call('PATCH', url, { token, body: { login: login.toUpperCase(), ...proof } })).statusCode).toBe(200)
    expect((await call('PATCH', url, { token, body: { login, ...proof } })).statusCode).toBe(200)
  })

  test('asks for the current password before the login is changed, and only then', async () => {
    const { access_token: token } = await signIn(login)
    const change = (body: object) => call('PATCH', url, { token, body })
    const without = await change({ login: 'elsewhere@example.com', first_name: 'Mallory' })
    expect(without.statusCode).toBe(400)
    expect(without.json()).toEqual({ message: 'Current password is required' })
    const wrong = await change({ login: 'elsewhere@example.com', current_password: 'a guess' })
    expect(wrong.json()).toEqual({ message: 'Current password is wrong' })
    expect((await call('GET', url, { token })).json()).toMatchObject({ data: { login } })
    expect((await change({ login, first_name: 'Ada' })).statusCode).toBe(200)
    expect((await change({ current_password: demoPassword })).json()).toEqual({ message: 'Nothing to save' })
  })

  test.each([
    [{ role: 'superadmin' }, 'Unknown field: role'],
    [{ first_name: 5 }, 'First name must be a string'],
    [{ first_name: 'x'.repeat(101) }, 'First name must be at most 100 characters'],
    [{ login: '' }, 'Login is required'],
    [{ first_name: 'a\u0000b' }, 'Text must not contain NUL characters'],
  ])('refuses %j', async (body, message) => {
    const { access_token: token } = await signIn(login)
    const answer = await call('PATCH', url, { token, body })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message })
  })

  test('ends the other sessions when the password is changed, and keeps its own', async () => {
    const one = (await logIn(login, demoPassword)).json<{ data: Tokens }>().data
    const other = (await logIn(login, demoPassword)).json<{ data: Tokens }>().data
    const change = (body: object) => call('PATCH', `${url}/password`, { token: one.access_token, body })

    const wrong = await change({ current_password: 'wrong', password: 'a better one' })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json()).toEqual({ message: 'Current password is wrong' })
    const short = await change({ current_password: demoPassword, password: 'short' })
    expect(short.json()).toEqual({ message: 'Password must be at least 8 characters' })
    const common = await change({ current_password: demoPassword, password: 'Password1' })
    expect(common.statusCode).toBe(400)
    expect(common.json()).toEqual({ message: 'Password is too common, please choose another' })

    const done = await change({ current_password: demoPassword, password: 'a better one' })
    expect(done.json()).toEqual({ data: {} })
    expect((await call('GET', url, { token: one.access_token })).statusCode).toBe(200)
    expect((await call('GET', url, { token: other.access_token })).statusCode).toBe(401)
    expect((await logIn(login, demoPassword)).statusCode).toBe(401)
    expect((await logIn(login, 'a better one')).statusCode).toBe(200)
  })
})

test('a superadmin cannot read the profiles of other roles', async () => {
  const { access_token: token } = await signIn('superadmin')
  for (const url of ['/api/v3/admins/me/profile', '/api/v3/vendors/me/profile'])
    expect((await call('GET', url, { token })).statusCode).toBe(403)
})
