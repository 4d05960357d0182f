/** The limit of notifications of a device and type holds for all servers together, also if they store at the same time. */
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '../../../../server/db/schema/devices.ts'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import { storeTransitions } from '../../../../server/devices/alarms/store.ts'
import { maxPerDay } from '../../../../server/devices/alarms/storeNotifications.ts'
import { until } from '../../../support/until.ts'
import { alarmDevices } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const other = await startServer({ beside: server })
const { db } = server
const { newDevice } = alarmDevices(server)

async function expectOneTooMany(bssid: string): Promise<void> {
  const rows = await db.select().from(notifications).where(eq(notifications.bssid, bssid))
  expect(rows).toHaveLength(maxPerDay)
  expect(rows.flatMap(({ repeats }) => (repeats > 0 ? [repeats] : []))).toEqual([1])
}
const waitingCount = async () => {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::integer as count from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )
  return rows[0]!.count
}

/** Does both while a device may not be used, so that neither has stored anything before the other has begun. */
async function atTheSameTime(bssid: string, one: () => Promise<unknown>, two: () => Promise<unknown>): Promise<void> {
  let both: Promise<unknown> = Promise.resolve()
  await db.transaction(async tx => {
    await tx.select().from(devices).where(eq(devices.bssid, bssid)).for('update')
    both = Promise.all([one(), two()])
    await until(async () => expect(await waitingCount()).toBe(2))
  })
  await both
}

test('events that two servers store at the same time', async () => {
  const bssid = await newDevice()
  const update = (at: typeof server) => at.alarms.recordEvent(at.db, 'firmware_updated', [bssid], { version: '2' })
  for (let each = 1; each < maxPerDay; each++) await update(server)
  await atTheSameTime(
    bssid,
    () => update(server),
    () => update(other),
  )
  await expectOneTooMany(bssid)
})

test('conditions that two servers begin at the same time', async () => {
  const bssid = await newDevice()
  const begin = (at: typeof server, place: number) =>
    storeTransitions(at.db, [
      { bssid, type: 'cartridge_expired', subject: String(place), begins: true, at: server.clock.now(), values: {} },
    ])
  for (let place = 1; place < maxPerDay; place++) await begin(server, place)
  await atTheSameTime(
    bssid,
    () => begin(server, maxPerDay),
    () => begin(other, maxPerDay + 1),
  )
  await expectOneTooMany(bssid)
})
