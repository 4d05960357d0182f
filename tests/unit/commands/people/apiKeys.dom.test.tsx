/** The question before an API key is revoked. */
import { afterEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const id = '0123456789abcdef01234567'
afterEach(() => {
  clearCache()
  clearSession()
  vi.unstubAllGlobals()
})

test('it names the key, as the palette has listed it', async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  const at = '2026-11-20T08:00:00.000Z'
  const key = { _id: id, name: 'Nightly export', scope: 'read', created_at: at, expires_at: at }
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify({ data: { keys: [{ ...key, vendor: null, used_at: null }] } }))),
  )
  const revoke = commandOf('apiKeys.revoke')
  const title = () => revoke.prepare(currentContext(), { key: id }).question?.title
  expect(title()).toBe('Revoke this API key?')
  await revoke.fields[0]!.choices!(currentContext(), '', new AbortController().signal)
  expect(title()).toBe('Revoke Nightly export?')
})
