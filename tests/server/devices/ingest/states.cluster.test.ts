/** States of devices whose rows another process has locked. */
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import type { State } from '../../../../server/protocol/messages.ts'
import { until } from '../../../support/until.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import { newDevice, testParts } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const states = openStates(testParts(server))
afterAll(() => states.close())

const state = (values: Omit<State, 'at'>): State => ({ at: clock.now().toISOString(), ...values })
const rowOf = (bssid: string) => deviceRow(db, bssid)

test('a state waits for a locked row without delaying other devices', async () => {
  const [locked, free] = [await newDevice(db), await newDevice(db)]
  const other = new Client({ connectionString: server.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query('select from devices where bssid = $1 for update', [locked])
  const reports = Promise.all([locked, free].map(bssid => states.report(bssid, state({ status: 2 }))))
  await until(async () => expect(await rowOf(free)).toMatchObject({ status: 2 }))
  // The waiting state is stored before a later one.
  const later = states.report(locked, state({ status: 1, uv: 1 }))
  await other.query('update devices set description = $2 where bssid = $1', [locked, 'Being moved'])
  await other.query('commit')
  await other.end()
  await Promise.all([reports, later])
  expect(await rowOf(locked)).toMatchObject({ status: 1, uv: 1, description: 'Being moved' })
})
