import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/api/contract/audit.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { startServer, type TestServer } from '../support/harness.ts'

const direct = await startServer()
const behind = await startServer({ environment: { TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' } })
const elsewhere = await startServer({ environment: { TRUST_PROXY: '10.0.0.0/8' } })

/** Signs in with a forwarded address; tests connect from 127.0.0.1. */
const logIn = ({ call }: TestServer, forwarded: string, password: string) =>
  call('POST', '/api/v3/auth/login/dashboard', {
    body: { login: 'vendor', password },
    headers: { 'x-forwarded-for': forwarded },
  })

async function lastAddress({ call, signIn }: TestServer): Promise<string> {
  const token = (await signIn('admin')).access_token
  const query = new URLSearchParams({ limit: '1', column: 'login', operator: 'eq', search: 'vendor' })
  const answer = await call('GET', `/api/v3/audit?${query}`, { token })
  return answer.json<{ data: { data: AuditEntry[] } }>().data.data[0]!.address
}

describe('behind a trusted proxy', () => {
  test('failed logins are counted by the forwarded address', async () => {
    for (let i = 0; i < 5; i++) expect((await logIn(behind, '203.0.113.1', 'wrong')).statusCode).toBe(401)
    expect((await logIn(behind, '203.0.113.1', demoPassword)).statusCode).toBe(429)
    expect(await lastAddress(behind)).toBe('203.0.113.1')
    expect((await logIn(behind, '203.0.113.2', demoPassword)).statusCode).toBe(200)
    expect(await lastAddress(behind)).toBe('203.0.113.2')
  })

  test('addresses forwarded by the client itself are ignored', async () => {
    for (let i = 0; i < 5; i++)
      expect((await logIn(behind, `198.51.100.${i}, 203.0.113.3, 10.1.2.3`, 'wrong')).statusCode).toBe(401)
    expect((await logIn(behind, '198.51.100.9, 203.0.113.3, 10.1.2.3', demoPassword)).statusCode).toBe(429)
    expect(await lastAddress(behind)).toBe('203.0.113.3')
  })
})

test.each([
  ['no proxy is trusted', direct],
  ['another proxy is trusted', elsewhere],
])('if %s, a forged header is ignored', async (_, server) => {
  for (let i = 0; i < 5; i++) expect((await logIn(server, `203.0.113.${i}`, 'wrong')).statusCode).toBe(401)
  expect((await logIn(server, '203.0.113.9', demoPassword)).statusCode).toBe(429)
  expect(await lastAddress(server)).toBe('127.0.0.1')
})
