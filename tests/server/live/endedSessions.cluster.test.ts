/** Streams end with their session at once, also at another server: without the ping, which also checks sessions. */
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Tokens } from '../../../src/api/contract/auth.ts'
import type { OwnSession } from '../../../src/api/contract/ownSessions.ts'
import { issueMailToken } from '../../../server/auth/mailTokens.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { hashPassword } from '../../../server/auth/passwords.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { secondFactors } from '../../../server/db/schema/secondFactors.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { authenticatorsAt } from '../support/accounts/authenticators.ts'
import { startServer, type TestServer } from '../support/harness.ts'
import { runScript } from '../support/processes/runScript.ts'
import { listen } from '../support/calls/streamReader.ts'
import { newAccount } from '../support/subjects.ts'

const neverPings = { pingInterval: 3_600_000 }
const server = await startServer({ intervals: neverPings })
const other = await startServer({ intervals: neverPings, beside: server })
const { db, clock, call, signIn } = server
const { setUp } = authenticatorsAt(server)
const urls: string[] = []
beforeAll(async () => {
  for (const { app } of [server, other] satisfies TestServer[]) {
    await app.listen({ port: 0, host: '127.0.0.1' })
    urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  }
})

const hash = await hashPassword(demoPassword)
const tokenOf = async (login: string) => (await signIn(login)).access_token
const sessionOf = (id: string): Promise<Tokens> => startSession(db, { id, role: 'vendor' }, clock.now())

/** A call that ends sessions of a vendor; it is made in another session of its own, where it needs one. */
interface Ending {
  readonly id: string
  /** The session whose streams are open. */
  readonly watched: Tokens
}
const endings: readonly (readonly [string, (ending: Ending) => Promise<unknown>])[] = [
  [
    'is blocked',
    async ({ id }) =>
      call('PATCH', `/api/v3/vendors/${id}/change-status`, { token: await tokenOf('admin'), body: { status: true } }),
  ],
  [
    'is blocked with others',
    async ({ id }) =>
      call('PUT', '/api/v3/vendors/change-status', {
        token: await tokenOf('admin'),
        body: { ids: [id], status: true },
      }),
  ],
  [
    'is deleted',
    async ({ id }) => call('DELETE', '/api/v3/vendors', { token: await tokenOf('admin'), body: { ids: [id] } }),
  ],
  [
    'gets another password from an administrator',
    async ({ id }) =>
      call('PATCH', `/api/v3/vendors/${id}/change-password`, {
        token: await tokenOf('admin'),
        body: { password: 'chosen by another' },
      }),
  ],
  [
    'changes its password in another session',
    async ({ id }) =>
      call('PATCH', '/api/v3/vendors/me/profile/password', {
        token: (await sessionOf(id)).access_token,
        body: { current_password: demoPassword, password: 'chosen by the owner' },
      }),
  ],
  [
    'ends the session in the list of its sessions',
    async ({ id }) => {
      const token = (await sessionOf(id)).access_token
      const { sessions } = (await call('GET', '/api/v3/auth/sessions', { token })).json<{
        data: { sessions: readonly OwnSession[] }
      }>().data
      const watchedOne = sessions.find(({ current }) => !current)!
      expect((await call('DELETE', `/api/v3/auth/sessions/${watchedOne._id}`, { token })).statusCode).toBe(200)
    },
  ],
  [
    'ends its other sessions',
    async ({ id }) => call('DELETE', '/api/v3/auth/sessions', { token: (await sessionOf(id)).access_token }),
  ],
  [
    'restores its password by mail',
    async ({ id }) =>
      call('POST', '/api/v3/auth/password/restore', {
        headers: { 'password-recovery-token': await issueMailToken(db, id, 'recovery', clock.now()) },
        body: { password: 'chosen after the mail' },
      }),
  ],
  ['turns on its first second factor', async ({ id }) => setUp((await sessionOf(id)).access_token)],
  [
    'loses its second factor to an administrator',
    async ({ id }) => {
      await db.insert(secondFactors).values({ account_id: id, key: 'x', key_id: 'x', confirmed_at: clock.now() })
      const token = await tokenOf('admin')
      expect((await call('DELETE', `/api/v3/vendors/${id}/second-factor`, { token })).statusCode).toBe(200)
    },
  ],
  [
    'loses its second factor to an operator on the server’s machine',
    async ({ id }) => {
      await db.insert(secondFactors).values({ account_id: id, key: 'x', key_id: 'x', confirmed_at: clock.now() })
      const [account] = await db.select().from(accounts).where(eq(accounts.id, id))
      const settings = { DATABASE_URL: server.databaseUrl }
      expect(await runScript('second-factor', ['reset', account!.login], settings)).toMatchObject({ code: 0 })
    },
  ],
  ['signs out', ({ watched }) => call('POST', '/api/v3/auth/logout', { token: watched.access_token })],
  [
    'uses a refresh token a second time',
    async ({ watched }) => {
      const refresh = () =>
        call('POST', '/api/v3/auth/refresh', { headers: { 'refresh-token': watched.refresh_token } })
      await refresh()
      clock.advance(11_000)
      expect((await refresh()).statusCode).toBe(401)
    },
  ],
]

test.each(endings)('when an account %s, at both servers, while others go on', async (_, end) => {
  const id = await newAccount(db, 'vendor', { password_hash: hash })
  const watched = await sessionOf(id)
  const streams = await Promise.all(urls.map(url => listen(url, watched.access_token)))
  const bystanders = await Promise.all(urls.map(async url => listen(url, await tokenOf('vendor2'))))
  for (const { response } of [...streams, ...bystanders]) expect(response.status).toBe(200)
  await end({ id, watched })
  await Promise.all(streams.map(({ ended }) => ended))
  expect(await Promise.race([...bystanders.map(({ ended }) => ended), Promise.resolve('open')])).toBe('open')
})

test('after the bus was interrupted', async () => {
  const id = await newAccount(db, 'vendor')
  const watched = await sessionOf(id)
  const { ended } = await listen(urls[1]!, watched.access_token)
  await db.execute(`delete from sessions where account_id = '${id}'`)
  other.bus.publish({ kind: 'missed' })
  await ended
})
