/** The list of notifications, compared with filtering and sorting all of them. */
import { asc, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Notification } from '../../../../src/api/contract/notifications.ts'
import { notificationTypes } from '../../../../src/domain/notifications/types.ts'
import { messages } from '../../../../src/domain/messages.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceAlarms, notifications } from '../../../../server/db/schema/notifications.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { marking } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const { alarms, call, clock, db, signIn } = await startServer()
const tokens = { admin: (await signIn('admin')).access_token, vendor: (await signIn('vendor')).access_token }
type By = keyof typeof tokens
const vendor = demoId('account vendor')

const fleet = await db
  .select({ bssid: devices.bssid, vendor: devices.vendor_id })
  .from(devices)
  .orderBy(asc(devices.bssid))
const [own, foreign] = [true, false].map(its => fleet.filter(one => (one.vendor === vendor) === its)) as [
  typeof fleet,
  typeof fleet,
]
/** A few devices have many notifications and most have some, several at the same time. The last types are rare or absent. */
const times = Array.from({ length: 60 }, (_, at) => new Date(Date.UTC(2026, 0, 1) + at * 3_600_000))
await insertMany(
  db,
  notifications,
  Array.from({ length: 600 }, (_, at) => {
    const device = fleet[at % 3 === 0 ? at % 2 : (at * 7) % fleet.length]!
    const type = notificationTypes[at < 590 ? (at * 5) % 20 : 20 + (at % 3)]!
    return {
      id: newId(),
      bssid: device.bssid,
      vendor_id: device.vendor,
      type,
      created_at: times[(at * 13) % times.length]!,
      values: { at },
    }
  }),
)

async function list(by: By, query: string) {
  const answer = await call('GET', `/api/v3/notifications?${query}`, { token: tokens[by] })
  const { data, message } = answer.json<{ data?: { count: number; data: Notification[] }; message?: string }>()
  return { status: answer.statusCode, message, count: data?.count, data: data?.data }
}

interface Row {
  readonly vendor_id: string
  readonly notification: Notification
}
const devicesById = new Map(
  (
    await db
      .select({ bssid: devices.bssid, description: devices.description, company_name: accounts.company_name })
      .from(devices)
      .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
  ).map(device => [device.bssid, device]),
)
const all = async (): Promise<Row[]> =>
  (await db.select().from(notifications))
    .map(({ id, bssid, created_at, vendor_id, type, values }) => ({
      vendor_id,
      notification: {
        _id: id,
        type,
        device: devicesById.get(bssid)!,
        created_at: created_at.toISOString(),
        values: { ...values },
      },
    }))
    .toSorted((a, b) => (order(a) < order(b) ? 1 : -1))
const order = ({ notification: { created_at, _id } }: Row) => `${created_at} ${_id}`

describe('the list', () => {
  test('law: any filter and page equals filtering and sorting all notifications', async () => {
    const stored = await all()
    const bssids = fc.subarray([...fleet.map(one => one.bssid), '00:00:00:00:00:00'], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<By>('admin', 'vendor'),
        fc.option(fc.subarray([...notificationTypes], { minLength: 1 }), { nil: undefined }),
        fc.option(bssids, { nil: undefined }),
        fc.nat(700),
        fc.integer({ min: 1, max: 1000 }),
        async (by, types, bssidFilter, offset, limit) => {
          const expected = stored.filter(
            ({ vendor_id, notification: { type, device } }) =>
              (by === 'admin' || vendor_id === vendor) &&
              (types?.includes(type) ?? true) &&
              (bssidFilter?.includes(device.bssid) ?? true),
          )
          const query = [`offset=${offset}`, `limit=${limit}`]
          if (types) query.push(`types=${types.join(',')}`)
          if (bssidFilter) query.push(`devices=${bssidFilter.join(',')}`)
          const { count, data } = await list(by, query.join('&'))
          expect(count).toBe(expected.length)
          expect(data).toEqual(expected.slice(offset, offset + limit).map(row => row.notification))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('has the newest twelve by default', async () => {
    const stored = await all()
    const { count, data } = await list('admin', '')
    expect(count).toBe(stored.length)
    expect(data).toEqual(stored.slice(0, 12).map(row => row.notification))
  })

  test('refuses an unknown type with the valid ones', async () => {
    expect(await list('admin', 'types=leak,flood')).toMatchObject({
      status: 400,
      message: messages.oneOf('Types 2', notificationTypes),
    })
  })

  test('is empty for an empty list of types or devices, and accepts any spelling of ids', async () => {
    expect(await list('admin', 'types=')).toMatchObject({ count: 0, data: [] })
    expect(await list('admin', 'devices=')).toMatchObject({ count: 0, data: [] })
    const { bssid } = fleet[0]!
    const spelled = await list('admin', `devices=${bssid.toLowerCase().replaceAll(':', '-')},${bssid}`)
    expect(spelled.count).toBeGreaterThan(50)
    expect(spelled).toEqual(await list('admin', `devices=${bssid}`))
  })

  test('for a vendor answers foreign devices like absent ones', async () => {
    const others = foreign.map(one => one.bssid)
    expect((await list('admin', `devices=${others.join(',')}`)).count).toBeGreaterThan(100)
    const hidden = await list('vendor', `devices=${others.join(',')}`)
    expect(hidden).toEqual(await list('vendor', 'devices=00:00:00:00:00:00'))
    expect(hidden).toMatchObject({ status: 200, count: 0, data: [] })
  })
})

/** Returns counts of the rows, and the stored counts. */
async function counts() {
  const tables = [
    sql`select vendor_id, type, count(*)::integer as n from notifications group by 1, 2 order by 1, 2`,
    sql`select vendor_id, type, sum(count)::integer as n from notification_counts group by 1, 2
        having sum(count) <> 0 order by 1, 2`,
  ]
  const [counted, stored] = [(await db.execute(tables[0]!)).rows, (await db.execute(tables[1]!)).rows]
  return { counted, stored }
}

describe('the stored counts are right', () => {
  test('when devices are deleted with their notifications', async () => {
    const [{ bssid }, other] = [own[0]!, own[1]!]
    expect((await list('vendor', `devices=${bssid}`)).count).toBeGreaterThan(0)
    await alarms.offline(marking(bssid, other.bssid), clock.now())
    const before = (await list('vendor', '')).count!
    const deleted = (await all()).filter(row => row.notification.device.bssid === bssid).length
    const answer = await call('DELETE', '/api/v3/devices', { token: tokens.vendor, body: { ids: [bssid] } })
    expect(answer.statusCode).toBe(200)
    expect((await list('vendor', '')).count).toBe(before - deleted)
    expect((await list('admin', `devices=${bssid}`)).count).toBe(0)
    expect(await db.$count(deviceAlarms, eq(deviceAlarms.bssid, bssid))).toBe(0)
    const { counted, stored } = await counts()
    expect(stored).toEqual(counted)
  })

  test('when a device gets another vendor, who then sees its notifications', async () => {
    const [{ bssid }] = foreign as [(typeof foreign)[0]]
    const notificationCount = (await list('admin', `devices=${bssid}`)).count!
    expect(notificationCount).toBeGreaterThan(0)
    expect((await list('vendor', `devices=${bssid}`)).count).toBe(0)
    const before = (await list('vendor', '')).count!
    await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, bssid))
    expect((await list('vendor', `devices=${bssid}`)).count).toBe(notificationCount)
    expect((await list('vendor', '')).count).toBe(before + notificationCount)
    const { counted, stored } = await counts()
    expect(stored).toEqual(counted)
  })

  test('when notifications older than 400 days are removed', async () => {
    const [{ bssid }] = fleet.slice(-1) as [(typeof fleet)[0]]
    const day = 86_400_000
    const ages = [399, 401, 500]
    const made = ages.map(age => ({ id: newId(), age }))
    const at = clock.now().getTime()
    await insertMany(
      db,
      notifications,
      made.map(({ id, age }) => ({
        id,
        bssid,
        vendor_id: fleet.at(-1)!.vendor,
        type: 'leak',
        created_at: new Date(at - age * day),
        values: {},
      })),
    )
    await alarms.prune(clock.now())
    const left = await db
      .select({ id: notifications.id })
      .from(notifications)
      .where(
        inArray(
          notifications.id,
          made.map(one => one.id),
        ),
      )
    expect(left).toEqual([{ id: made[0]!.id }])
    const { counted, stored } = await counts()
    expect(stored).toEqual(counted)
  })
})
