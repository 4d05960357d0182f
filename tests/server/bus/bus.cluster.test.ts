/** Telling between processes: each bus here is one of them. */
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { BusEvent } from '../../../server/bus/bus.ts'
import { openBus } from '../../../server/bus/openBus.ts'
import { until } from '../../support/until.ts'
import { changed, openHeard } from '../support/buses.ts'
import { startServer } from '../support/harness.ts'

const { databaseUrl } = await startServer()

const open = () => openHeard(databaseUrl)

test('others hear it, whatever it is', async () => {
  const [one, two] = [await open(), await open()]
  const told: BusEvent[] = [
    changed('A4:1C:09:7E:33:0B'),
    { kind: 'notifications', ids: ['n1'] },
    { kind: 'resources', names: ['vendors'] },
    { kind: 'commands', ended: [{ id: 'c1', reason: 'Gerät “ist” weg' }] },
    { kind: 'progress', account: 'a', id: 'p', done: 1, failed: 2, total: 3 },
  ]
  for (const each of told) one.bus.publish(each)
  await until(() => expect(two.heard).toHaveLength(told.length))
  expect(two.heard).toEqual(expect.arrayContaining(told))
  expect(one.heard).toEqual(told)
})

test('10,000 devices arrive in messages that fit, each device once', async () => {
  const [one, two] = [await open(), await open()]
  const bssids = Array.from({ length: 10_000 }, (_, at) => `A4:1C:09:7E:${String(at).padStart(5, '0')}`)
  for (const bssid of bssids) one.bus.publish(changed(bssid, bssid))
  const arrived = () => two.heard.flatMap(told => (told.kind === 'devices' ? told.bssids : []))
  await until(() => expect(arrived()).toHaveLength(bssids.length))
  expect(arrived().toSorted()).toEqual(bssids)
  // A message holds some 400 of them: they were joined.
  expect(two.heard.length).toBeLessThan(100)
})

test('a connection that breaks is made again, and both sides learn that they may have missed something', async () => {
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
  two.bus.publish(changed('Told to nobody'))
  await until(() => expect(two.heard).toContainEqual({ kind: 'missed' }))
  await until(() => expect(one.heard).toContainEqual({ kind: 'missed' }))
  expect(one.log).toEqual([])

  two.bus.publish(changed('B'))
  await until(() => expect(one.heard).toContainEqual(changed('B')))
  one.bus.publish(changed('A'))
  await until(() => expect(two.heard).toContainEqual(changed('A')))
  expect(one.heard).not.toContainEqual(changed('Told to nobody'))
})

test('what was told last is still sent when it closes', async () => {
  const [one, two] = [await open(), await open()]
  one.bus.publish(changed('A'))
  await one.bus.close()
  await until(() => expect(two.heard).toEqual([changed('A')]))
})

test('a database that does not answer is told at once', async () => {
  const gone = new URL(databaseUrl!)
  gone.port = '1'
  await expect(openBus({ databaseUrl: gone.href }, { info: () => undefined, error: () => undefined })).rejects.toThrow(
    /ECONNREFUSED/,
  )
})
