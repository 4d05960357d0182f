/** The bus between processes: each bus here acts as one process. */
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { BusEvent } from '../../../server/bus/bus.ts'
import { openBus } from '../../../server/bus/openBus.ts'
import { until } from '../../support/until.ts'
import { changed, openRecordedBus } from '../support/buses.ts'
import { startServer } from '../support/harness.ts'

const { databaseUrl } = await startServer()

const open = () => openRecordedBus(databaseUrl)

test('events of all kinds reach other processes', async () => {
  const [one, two] = [await open(), await open()]
  const events: BusEvent[] = [
    changed('A4:1C:09:7E:33:0B'),
    { kind: 'notifications', ids: ['n1'] },
    { kind: 'resources', names: ['vendors'] },
    { kind: 'commands', ended: [{ id: 'c1', reason: 'Gerät “ist” weg', isUnanswered: true }] },
    { kind: 'progress', account: 'a', id: 'p', done: 1, failed: 2, total: 3 },
  ]
  for (const each of events) one.bus.publish(each)
  await until(() => expect(two.received).toHaveLength(events.length))
  expect(two.received).toEqual(expect.arrayContaining(events))
  expect(one.received).toEqual(events)
})

test('events of 10,000 devices arrive in messages of the allowed size, each device once', async () => {
  const [one, two] = [await open(), await open()]
  const bssids = Array.from({ length: 10_000 }, (_, at) => `A4:1C:09:7E:${String(at).padStart(5, '0')}`)
  for (const bssid of bssids) one.bus.publish(changed(bssid, bssid))
  const arrived = () => two.received.flatMap(event => (event.kind === 'devices' ? event.bssids : []))
  await until(() => expect(arrived()).toHaveLength(bssids.length))
  expect(arrived().toSorted()).toEqual(bssids)
  // A message holds about 400 devices.
  expect(two.received.length).toBeLessThan(100)
})

test('a bus reconnects after its connection broke, and all processes receive a missed event', async () => {
  const [one, two] = [await open(), await open()]
  const killer = new Client({ connectionString: databaseUrl })
  await killer.connect()
  onTestFinished(() => killer.end())
  const { rowCount } = await killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'listen permeate' and backend_start =
       (select max(backend_start) from pg_stat_activity
        where datname = current_database() and query = 'listen permeate')`,
  )
  expect(rowCount).toBe(1)
  await until(() => expect(two.log.join()).toContain('lost its database connection'))
  two.bus.publish(changed('Lost'))
  await until(() => expect(two.received).toContainEqual({ kind: 'missed' }))
  await until(() => expect(one.received).toContainEqual({ kind: 'missed' }))
  expect(one.log).toEqual([])

  two.bus.publish(changed('B'))
  await until(() => expect(one.received).toContainEqual(changed('B')))
  one.bus.publish(changed('A'))
  await until(() => expect(two.received).toContainEqual(changed('A')))
  expect(one.received).not.toContainEqual(changed('Lost'))
})

test('closing a bus still sends its last events', async () => {
  const [one, two] = [await open(), await open()]
  one.bus.publish(changed('A'))
  await one.bus.close()
  await until(() => expect(two.received).toEqual([changed('A')]))
})

test('opening a bus rejects at once if the database does not answer', async () => {
  const unreachable = new URL(databaseUrl)
  unreachable.port = '1'
  await expect(
    openBus({ databaseUrl: unreachable.href }, { info: () => undefined, error: () => undefined }),
  ).rejects.toThrow(/ECONNREFUSED/)
})
