/** Events whose devices are deleted in concurrent transactions. */
import { eq } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { events } from '../../../../server/db/schema/events.ts'
import { until } from '../../../support/until.ts'
import { startServer } from '../../support/harness.ts'
import { newDevice } from '../../support/devices/readingSamples.ts'
import { newEvent } from '../../support/subjects.ts'

const server = await startServer()
const { db } = server

test('an event is deleted when concurrent transactions delete its last two devices', async () => {
  const [one, other] = [await newDevice(db), await newDevice(db)]
  const event = await newEvent(db, [one, other])
  const [first, second] = [0, 1].map(() => new Client({ connectionString: server.databaseUrl }))
  await Promise.all([first!.connect(), second!.connect()])
  const { rows } = await second!.query<{ pid: number }>('select pg_backend_pid() as pid')
  const remove = 'delete from devices where bssid = $1'

  await first!.query('begin')
  await first!.query(remove, [one])
  let isDone = false
  const removed = second!.query(remove, [other]).finally(() => {
    isDone = true
  })
  // Waits until the second transaction is blocked by the first, or done.
  const waits = 'select from pg_stat_activity where pid = $1 and wait_event_type = $2'
  await until(async () => {
    if (!isDone) expect((await first!.query(waits, [rows[0]!.pid, 'Lock'])).rowCount).toBe(1)
  })
  await first!.query('commit')
  await removed
  await Promise.all([first!.end(), second!.end()])
  expect(await db.$count(events, eq(events.id, event))).toBe(0)
})
