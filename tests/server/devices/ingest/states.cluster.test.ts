/** States of devices whose rows another process has locked. */
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import type { State } from '../../../../server/protocol/messages.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import { newDevice, testParts } from '../../support/devices/readingSamples.ts'

const server = await startServer()
const { db, clock } = server
const states = openStates(testParts(server))
afterAll(() => states.close())

const state = (values: Omit<State, 'at'>): State => ({ at: clock.now().toISOString(), ...values })
const rowOf = (bssid: string) => deviceRow(db, bssid)

/** Locks the row of a device, as a bulk update does, and returns the function that changes and unlocks it. */
async function lockRow(bssid: string) {
  const other = new Client({ connectionString: server.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query('select from devices where bssid = $1 for update', [bssid])
  return async (description: string) => {
    await other.query('update devices set description = $2 where bssid = $1', [bssid, description])
    await other.query('commit')
    await other.end()
  }
}

test('a state waits for a locked row without delaying other devices', async () => {
  const [locked, free] = [await newDevice(db), await newDevice(db)]
  const unlock = await lockRow(locked)
  const waiting = states.report(locked, state({ status: 2, firmware: '1.2.0' }))
  // One of the same batch, and one of the next.
  for (const status of [2, 1] as const) {
    await states.report(free, state({ status }))
    expect(await rowOf(free)).toMatchObject({ status })
  }
  // The waiting state is stored before a later one.
  const later = states.report(locked, state({ status: 1, uv: 1 }))
  await unlock('Being moved')
  await Promise.all([waiting, later])
  expect(await rowOf(locked)).toMatchObject({ status: 1, uv: 1, firmware: '1.2.0', description: 'Being moved' })
})

test('a row that stays locked rejects the states of its device only', async () => {
  const states = openStates({ ...testParts(server), busyTimeout: 0 })
  const [locked, free] = [await newDevice(db), await newDevice(db)]
  const unlock = await lockRow(locked)
  const reports = [locked, free, locked].map(bssid => states.report(bssid, state({ status: 2 })))
  const outcomes = await Promise.allSettled(reports)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  await unlock('Moved')
  // They are delivered again.
  await states.report(locked, state({ status: 2 }))
  expect(await rowOf(locked)).toMatchObject({ status: 2, description: 'Moved' })
})
