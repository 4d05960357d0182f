/** The available firmware of the platforms of the caller's devices. */
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { firmware } from '../../../../server/demo/catalogue.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn, clock } = await startServer()
const versionsFor = async (login: string) => {
  const answer = await call('GET', '/api/v3/devices/firmware', { token: (await signIn(login)).access_token })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { platform: string; versions: string[] }[] }>().data
}
const newestFirst = Object.fromEntries(Object.entries(firmware).map(([platform, all]) => [platform, all.toReversed()]))
const byPlatform = (data: Awaited<ReturnType<typeof versionsFor>>) =>
  Object.fromEntries(data.map(({ platform, versions }) => [platform, versions]))

test('an administrator gets all platforms with devices, versions newest first', async () => {
  await db.insert(firmwareVersions).values({ platform: 'nowhere', version: '9.9', released_at: clock.now() })
  expect(byPlatform(await versionsFor('admin'))).toEqual(newestFirst)
})

test('a vendor gets the platforms of its own devices only', async () => {
  const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor'))
  const own = eq(devices.vendor_id, vendor!.id)
  await db.delete(devices).where(and(own, eq(devices.platform, 'esp8266')))
  const left = await db.selectDistinct({ platform: devices.platform }).from(devices).where(own)
  const seen = byPlatform(await versionsFor('vendor'))
  expect(Object.keys(seen).toSorted()).toEqual(left.map(({ platform }) => platform).toSorted())
  expect(seen).not.toHaveProperty('esp8266')
  expect(await db.$count(devices, eq(devices.platform, 'esp8266'))).toBeGreaterThan(0)
})
