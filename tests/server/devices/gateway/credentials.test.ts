/** Device credentials: returned once by the upload, and stored as hashes that Mosquitto supports too. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { audit } from '../../../../server/db/schema/audit.ts'
import { deviceCredentials } from '../../../../server/db/schema/wire.ts'
import {
  createCredentials,
  passwordLine,
  storeCredentials,
  verifySecret,
} from '../../../../server/devices/gateway/credentials.ts'
import { startServer } from '../../support/harness.ts'
import { sendFile } from '../../support/calls/sendFile.ts'

const { call, db, signIn, log, clock } = await startServer()
const token = (await signIn('admin')).access_token

const bssids = ['02:00:00:00:01:01', '02:00:00:00:01:02']
const rows = bssids.map(bssid => `${bssid},esp32,RO-400 Home,vendor`)
const file = ['bssid,platform,model,vendor', ...rows].join('\n')
const hashOf = async (bssid: string) =>
  (await db.select().from(deviceCredentials).where(eq(deviceCredentials.bssid, bssid)))[0]!.hash

test('an upload returns each device’s secret, which is stored nowhere', async () => {
  const { data } = await sendFile(call, '/api/v3/devices/file', token, file)
  expect(data?.created).toBe(2)
  const { credentials = [] } = data ?? {}
  expect(credentials.map(({ bssid }) => bssid)).toEqual(bssids)
  for (const { bssid, secret } of credentials) {
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await verifySecret(secret, await hashOf(bssid))).toBe(true)
  }
  const [one, other] = credentials
  expect(await verifySecret(one!.secret, await hashOf(other!.bssid))).toBe(false)

  const kept = JSON.stringify([await db.select().from(audit), await db.select().from(deviceCredentials), log])
  for (const { secret } of credentials) expect(kept).not.toContain(secret)
})

test('a refused file creates no credentials', async () => {
  const before = await db.$count(deviceCredentials)
  expect(await sendFile(call, '/api/v3/devices/file', token, file)).toMatchObject({ status: 400 })
  expect(await db.$count(deviceCredentials)).toBe(before)
})

test('a new secret replaces the old one, and is deleted with its device', async () => {
  const [bssid] = bssids
  const [first] = await createCredentials([bssid!])
  const [second] = await createCredentials([bssid!])
  await storeCredentials(db, [first!], clock.now())
  await storeCredentials(db, [second!], clock.now())
  expect(await verifySecret(first!.secret, await hashOf(bssid!))).toBe(false)
  expect(await verifySecret(second!.secret, await hashOf(bssid!))).toBe(true)
  await call('DELETE', '/api/v3/devices', { token, body: { ids: [bssid] } })
  expect(await db.$count(deviceCredentials, eq(deviceCredentials.bssid, bssid!))).toBe(0)
})

test('hashes have the format of Mosquitto’s password files', async () => {
  // Created by mosquitto_passwd 2.0.11.
  const theirs =
    '$7$101$5r8axATnr7V8G2Lp$NAM4sKxkHAJpz0lJ4bqPG6WaFry7p+UKwukk2p03k5piHiW1ArfF2gjACKoQtY1hiFfITnf6rixkXCyCejobcA=='
  expect(await verifySecret('secret', theirs)).toBe(true)
  expect(await verifySecret('Secret', theirs)).toBe(false)
  const [made] = await createCredentials(['A4:1C:09:7E:33:0B'])
  const shape = (hash: string) => hash.split('$').map(part => part.length)
  expect(shape(made!.hash)).toEqual(shape(theirs))
  expect(passwordLine(made!)).toBe(`A41C097E330B:${made!.hash}\n`)
})

test('a damaged hash matches no secret', async () => {
  for (const hash of ['', '$7$101$$', 'plain', '$6$abc$def']) expect(await verifySecret('', hash)).toBe(false)
})
