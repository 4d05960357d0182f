/** Firmware updates are sent only to devices for which the version is available. */
import { eq, inArray } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { firmware as catalogue } from '../../../../server/demo/catalogue.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { startServer } from '../../support/harness.ts'
import { deviceRow, setStatus } from '../../support/devices/deviceRows.ts'

const { call, db, link, signIn } = await startServer()
const token = (await signIn('vendor')).access_token
const [vendor] = await db.select().from(accounts).where(eq(accounts.login, 'vendor'))

// A device of each platform, and a foreign one.
const all = await db.select().from(devices)
const own = all.filter(device => device.vendor_id === vendor!.id)
const [first, second, third] = ['esp32', 'esp8266', 'esp32-s3'].map(name => own.find(each => each.platform === name)!)
const fellow = own.find(({ platform, bssid }) => platform === 'esp32' && bssid !== first!.bssid)!
const foreign = all.find(device => device.vendor_id !== vendor!.id)!
const [old, , newest] = catalogue.esp32!
const chosen = [first!, second!, third!, fellow].map(({ bssid }) => bssid)

beforeEach(async () => {
  link.sent.length = 0
  link.refusals.clear()
  await setStatus(db, 0, chosen)
  await db.update(devices).set({ firmware: old! }).where(inArray(devices.bssid, chosen))
})
const one = async (bssid: string, version: string) => {
  const answer = await call('POST', `/api/v3/devices/${bssid}/firmware/update`, { token, body: { version } })
  return { status: answer.statusCode, ...answer.json<{ data?: unknown; message?: string }>() }
}
const many = async (ids: readonly string[], version: string) => {
  const answer = await call('POST', '/api/v3/devices/firmware/update', { token, body: { ids, version } })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: unknown }>().data
}

test('an update is sent once, and the row is unchanged until the device reports its state', async () => {
  expect(await one(first!.bssid, newest!)).toEqual({ status: 200, data: {} })
  expect(link.sent).toEqual([{ bssid: first!.bssid, command: { type: 'update_firmware', version: newest } }])
  expect(await deviceRow(db, first!.bssid)).toMatchObject({ firmware: old, status: 0 })
})

test('an update accepts any spelling of the id', async () => {
  expect(await one(first!.bssid.replaceAll(':', '').toLowerCase(), newest!)).toEqual({ status: 200, data: {} })
})

test('a bulk update is sent to suitable devices, and gives a reason for each other one', async () => {
  await db.update(devices).set({ firmware: newest! }).where(eq(devices.bssid, fellow.bssid))
  const ids = [...chosen, foreign.bssid, '00:00:00:00:00:00']
  expect(await many(ids, newest!)).toEqual({
    count: 1,
    total: 6,
    before: [{ ids: [first!.bssid], values: { version: old } }],
    failed: [
      { id: second!.bssid, message: `There is no firmware ${newest} for esp8266` },
      { id: third!.bssid, message: `There is no firmware ${newest} for esp32-s3` },
      { id: fellow.bssid, message: `Firmware ${newest} is already installed` },
      { id: foreign.bssid, message: 'Device not found' },
      { id: '00:00:00:00:00:00', message: 'Device not found' },
    ],
  })
  expect(link.sent.map(({ bssid }) => bssid)).toEqual([first!.bssid])
})

test.each([
  ['is already installed', 0, newest!, 409, `Firmware ${newest} is already installed`],
  ['is being updated', 6, old!, 409, 'Device is updating its firmware'],
  ['is offline', 3, old!, 409, 'Device is offline'],
] as const)('no command is sent to a device that %s', async (_, shown, firmware, status, message) => {
  await setStatus(db, shown, [first!.bssid])
  await db.update(devices).set({ firmware }).where(eq(devices.bssid, first!.bssid))
  expect(await one(first!.bssid, newest!)).toEqual({ status, message })
  expect(link.sent).toEqual([])
})

test('an unavailable version returns 400, and a foreign device 404', async () => {
  const other = catalogue.esp8266![2]!
  expect(await one(first!.bssid, other)).toEqual({ status: 400, message: `There is no firmware ${other} for esp32` })
  expect(await one(first!.bssid, '9.9')).toEqual({ status: 400, message: 'There is no firmware 9.9 for esp32' })
  expect(await one(foreign.bssid, newest!)).toEqual({ status: 404, message: 'Device not found' })
  expect(link.sent).toEqual([])
})

test('a device’s refusal is returned with its reason', async () => {
  link.refusals.set(first!.bssid, 'Refused: the battery is low')
  expect(await one(first!.bssid, newest!)).toEqual({ status: 409, message: 'Refused: the battery is low' })
})
