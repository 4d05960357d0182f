/** Creating and deleting events, and the devices that each caller sees. */
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { messages } from '../../../../src/domain/messages.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { eventDevices, events } from '../../../../server/db/schema/events.ts'
import { openCalendar } from '../../support/calls/eventCalls.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const { call, db, signIn } = server
const { usual, token, own, mine, theirs, create, list, remove, seen, manyDevices } = await openCalendar(server)

describe('a new event', () => {
  test('has the given values, with times in UTC and normalized ids', async () => {
    const spelled = [own[1]!.toLowerCase().replaceAll(':', ''), mine, mine.toLowerCase()]
    const { id } = await create('vendor', {
      title: '  Site visit ',
      start: '2031-05-05T10:00:00+02:00',
      end: '2031-05-05T08:00:00Z',
      devices: spelled,
    })
    expect(await seen('vendor', id)).toEqual({
      _id: id,
      title: 'Site visit',
      description: usual.description,
      start: '2031-05-05T08:00:00.000Z',
      end: '2031-05-05T08:00:00.000Z',
      devices: [mine, own[1]!],
      device_count: 2,
      created_by: (await signIn('vendor')).user_id,
    })
  })

  test.each([
    ['a blank title', { title: ' ' }, 'Title is required'],
    ['a long title', { title: 'x'.repeat(201) }, messages.max('Title', 200)],
    ['a long description', { description: 'x'.repeat(2001) }, messages.max('Description', 2000)],
    [
      'a time without a zone',
      { start: '2031-05-05T08:00' },
      'Start must be an ISO 8601 time, such as 2026-01-31T12:00:00Z',
    ],
    ['its end before its start', { end: '2031-05-05T07:59:59.999Z' }, 'End must not be before start'],
    ['the year 0', { start: '0000-05-05T08:00:00Z' }, 'Start must be in the years 1 to 9999'],
    ['the year 10000', { end: '9999-12-31T23:59:59-01:00' }, 'End must be in the years 1 to 9999'],
    ['no device', { devices: [] }, messages.someDevices],
    ['1,001 devices', { devices: Array.from({ length: 1001 }, () => mine) }, 'Devices must have at most 1000'],
  ])('with %s is refused', async (_, values, message) => {
    const before = await db.$count(events)
    expect(await create('admin', values)).toMatchObject({ status: 400, message })
    expect(await db.$count(events)).toBe(before)
  })

  test('with the longest allowed texts is created', async () => {
    const values = { title: '💧'.repeat(100), description: 'x'.repeat(2000), end: usual.start }
    expect((await create('admin', values)).status).toBe(200)
  })

  test('can have a thousand devices', async () => {
    const made = await manyDevices('FE:E2:00:00', 1000)
    const { id } = await create('vendor', { devices: made })
    expect(await seen('vendor', id)).toMatchObject({ devices: made.slice(0, 100), device_count: 1000 })
    await db.delete(devices).where(inArray(devices.bssid, made))
    expect(await seen('admin', id)).toBeUndefined()
  })

  test('with an absent or foreign device is refused with its id', async () => {
    const before = await db.$count(events)
    const absent = '00:00:00:00:00:00'
    expect(await create('vendor', { devices: [mine, theirs] })).toMatchObject({
      status: 404,
      message: `Device ${theirs} not found`,
    })
    expect(await create('vendor', { devices: [mine, absent] })).toMatchObject({
      status: 404,
      message: `Device ${absent} not found`,
    })
    expect(await create('admin', { devices: ['nonsense', mine, absent, theirs] })).toMatchObject({
      status: 404,
      message: 'Device nonsense and 1 more not found',
    })
    expect(await db.$count(events)).toBe(before)
  })
})

describe('an event with devices of two vendors', () => {
  const shared = async () => (await create('admin', { devices: [mine, own[1], theirs] })).id

  test('has only a vendor’s own devices for each of them', async () => {
    const id = await shared()
    expect((await seen('admin', id))?.devices.toSorted()).toEqual([mine, own[1]!, theirs].toSorted())
    expect((await seen('vendor', id))?.devices).toEqual([mine, own[1]])
    expect((await seen('vendor2', id))?.devices).toEqual([theirs])
    const byTheirs = await list('vendor', '2031-05-05T00:00:00Z', '2031-05-06T00:00:00Z', [theirs])
    expect(byTheirs.data).toEqual([])
  })

  test('loses only a vendor’s own devices when that vendor deletes it, and is deleted with its last device', async () => {
    const id = await shared()
    expect(await remove('vendor', id)).toBe(200)
    expect(await seen('vendor', id)).toBeUndefined()
    expect(await remove('vendor', id)).toBe(404)
    expect((await seen('admin', id))?.devices).toEqual([theirs])
    expect(await remove('vendor2', id)).toBe(200)
    expect(await db.$count(events, eq(events.id, id))).toBe(0)
  })

  test('is deleted completely by an administrator', async () => {
    const id = await shared()
    expect(await remove('admin', id)).toBe(200)
    expect(await db.$count(events, eq(events.id, id))).toBe(0)
    expect(await db.$count(eventDevices, eq(eventDevices.event_id, id))).toBe(0)
    expect(await remove('admin', id)).toBe(404)
  })

  test('is visible to the new vendor of a device', async () => {
    const id = (await create('vendor', { devices: [own[2]] })).id
    const [to] = await db.select().from(accounts).where(eq(accounts.login, 'vendor2'))
    await db.update(devices).set({ vendor_id: to!.id }).where(eq(devices.bssid, own[2]!))
    expect(await seen('vendor', id)).toBeUndefined()
    expect((await seen('vendor2', id))?.devices).toEqual([own[2]])
  })
})

test('deleted devices are removed from their events, and an event is deleted with its last device', async () => {
  const [one, two] = own.slice(-2)
  const both = (await create('vendor', { devices: [one, two] })).id
  const single = (await create('vendor', { devices: [one] })).id
  const deleteDevices = (ids: unknown[]) => call('DELETE', '/api/v3/devices', { token: token.vendor, body: { ids } })
  expect((await deleteDevices([one])).statusCode).toBe(200)
  expect((await seen('vendor', both))?.devices).toEqual([two])
  expect(await seen('vendor', single)).toBeUndefined()
  expect((await deleteDevices([two])).statusCode).toBe(200)
  expect(await db.$count(events, inArray(events.id, [both, single]))).toBe(0)
})
