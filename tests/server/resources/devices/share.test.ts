import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { shareCodes } from '../../../../server/db/schema/devices.ts'
import { hashOfCode } from '../../../../server/resources/devices/share.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn, clock } = await startServer()
const token = (await signIn('vendor')).access_token
const list = await call('GET', '/api/v3/devices?limit=1', { token })
const { bssid } = list.json<{ data: { data: { bssid: string }[] } }>().data.data[0]!

async function share() {
  const answer = await call('POST', `/api/v3/devices/${bssid}/share`, { token })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { code: string; expires_at: string } }>().data
}

test('a code has 8 characters of Crockford’s base 32, is valid for 10 minutes and is stored as a hash', async () => {
  const before = clock.now().getTime()
  const { code, expires_at } = await share()
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  expect(Math.abs(Date.parse(expires_at) - before - 600_000)).toBeLessThan(5_000)
  const [stored] = await db.select().from(shareCodes).where(eq(shareCodes.bssid, bssid))
  expect(stored).toMatchObject({ code_hash: hashOfCode(code) })
  expect(JSON.stringify(stored)).not.toContain(code)
})

test('a new code replaces the old one', async () => {
  const first = await share()
  const second = await share()
  expect(second.code).not.toBe(first.code)
  expect(await db.select().from(shareCodes)).toMatchObject([{ code_hash: hashOfCode(second.code) }])
})
