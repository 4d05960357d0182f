/**
 * What API keys may call, generated from the contract: every endpoint × every role × both scopes. An administrator's key that
 * is limited to a vendor may call what a vendor may, but for marking what the administrator has seen.
 */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiKeys, keyAccess, type KeyScope } from '../../../src/api/contract/apiKeys.ts'
import { PreviewQuery, UploadQuery, type Endpoint } from '../../../src/api/contract/endpoint.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { notifications } from '../../../src/api/contract/notifications.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { startServer } from '../support/harness.ts'
import { checksum } from '../support/database/rows.ts'
import { answerOf, sampleRequest } from '../support/contract/sample.ts'
import { dataOf, password } from '../support/accounts/signIns.ts'
import { subjectOf } from '../support/contract/kinds.ts'

const { app, db, call, signIn } = await startServer()

const holders = [
  ...roles.map(role => ({ name: `of a role ${role}`, holder: role, role, isLimited: false })),
  { name: 'of an administrator for a vendor', holder: 'admin', role: 'vendor', isLimited: true } as const,
]

const idOf = async (login: Role) => (await db.select().from(accounts).where(eq(accounts.login, login)))[0]!.id
/** Creates a key of each scope, before the calls give the accounts second factors. */
const keysOf = async ({ holder, isLimited }: (typeof holders)[number]) => {
  const token = (await signIn(holder)).access_token
  const limit = isLimited && { vendor: await idOf('vendor') }
  const keys: Partial<Record<KeyScope, string>> = {}
  for (const scope of ['read', 'write'] as const) {
    const body = { name: scope, scope, days: 7, ...limit, ...password }
    keys[scope] = dataOf<{ key: string }>(await call('POST', apiKeys.create.path, { token, body })).key
  }
  return keys
}
const keysOfHolders = new Map<string, Partial<Record<KeyScope, string>>>()
beforeAll(async () => {
  for (const holder of holders) keysOfHolders.set(holder.name, await keysOf(holder))
})

describe.each(holders)('with a key $name', ({ name, role, isLimited }) => {
  const callable = endpoints.filter(endpoint => endpoint.roles !== 'public' && endpoint.roles.includes(role))
  const named = (access: KeyScope | undefined) =>
    callable
      .filter(endpoint => keyAccess(endpoint) === access)
      .map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

  /** Sends a call for an own subject, with the key of a scope. */
  async function send(endpoint: Endpoint, scope: KeyScope, query?: Record<string, string>) {
    const vendor = await idOf('vendor')
    const id = await subjectOf(db, endpoint, vendor, await idOf(role))
    const before = await checksum(db)
    const request = sampleRequest(endpoint, { id, body: { ids: [id] }, query })
    const answer = await answerOf(app, endpoint, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${keysOfHolders.get(name)![scope]!}` },
    })
    return { ...answer, isUnchanged: withoutUse(await checksum(db)) === withoutUse(before) }
  }
  /** When the key was last used is not a change. */
  const withoutUse = (sums: string) =>
    JSON.stringify((JSON.parse(sums) as { name: string }[]).filter(({ name }) => name !== 'api_keys'))

  test.each(named(undefined))('%s is refused', async (_, endpoint) => {
    const { statusCode, body, isUnchanged } = await send(endpoint, 'write')
    expect([statusCode, JSON.parse(body)]).toEqual([
      403,
      { message: 'API keys cannot be used for accounts and for signing in: use the console for that' },
    ])
    expect(isUnchanged).toBe(true)
  })

  test.each(named('write'))('%s needs one that can write, except for a preview', async (_, endpoint) => {
    const refused = await send(endpoint, 'read')
    expect([refused.statusCode, JSON.parse(refused.body)]).toEqual([
      403,
      { message: 'This API key can only read: this call needs one that can read and write' },
    ])
    expect(refused.isUnchanged).toBe(true)
    const isPreviewable = endpoint.query === PreviewQuery || endpoint.query === UploadQuery
    const previewed = await send(endpoint, 'read', { preview: 'true' })
    expect(previewed.statusCode === 403).toBe(!isPreviewable)
    expect(previewed.isUnchanged).toBe(true)
    const isRefused = isLimited && endpoint === notifications.markSeen
    expect([401, 403].includes((await send(endpoint, 'write')).statusCode)).toBe(isRefused)
  })

  test.each(named('read'))('%s can be read', async (_, endpoint) => {
    const { statusCode } = await send(endpoint, 'read')
    expect([401, 403, 404]).not.toContain(statusCode)
    expect(statusCode).toBeLessThan(500)
  })
})
