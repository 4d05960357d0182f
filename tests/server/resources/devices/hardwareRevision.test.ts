/** The column of hardware revisions: shown, searched in any case and sorted. */
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn } = await startServer()
const token = (await signIn('admin')).access_token

async function list(query: string) {
  const answer = await call('GET', `/api/v3/devices?${query}`, { token })
  return answer.json<{ data: { data: Device[] } }>().data.data
}

test('a stored revision is shown, found and sorted by', async () => {
  const { bssid, hardware_revision } = (await list('limit=5'))[4]!
  expect(hardware_revision).toBe('')
  await db.update(devices).set({ hardware_revision: 'Rev B2' }).where(eq(devices.bssid, bssid))
  const shown = expect.objectContaining({ bssid, hardware_revision: 'Rev B2' }) as Device
  expect(await list('column=hardware_revision&operator=sw&search=rev%20b')).toEqual([shown])
  expect((await list('sort=hardware_revision&direction=desc&limit=3'))[0]).toEqual(shown)
})
