/** Two server processes on one PostgreSQL and one Mosquitto. */
import { afterAll, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { ServerProcess } from '../../support/processes/serverProcess.ts'
import { listen } from '../../support/calls/streamReader.ts'
import { until } from '../../../support/until.ts'
import { leave, prepareTwo, proveKill, signIn, startBoth } from './twoGateways.ts'

const prepared = await prepareTwo()
const { bssids, connectFleet } = prepared
const servers = await startBoth(prepared, afterAll)

test('a command sent by one server can be answered through the other, and consoles on both show the result', async () => {
  const [a, b] = servers
  const fleetOf = await connectFleet()
  const token = await signIn(a)
  const consoles = [await listen(a.url, token), await listen(b.url, token)]
  await until(() => consoles.forEach(console => expect(console.of('ping')).toHaveLength(1)))

  const ask = (server: ServerProcess) =>
    server.call<BulkResponse>('POST', '/api/v3/devices/reboot', token, { ids: bssids })
  // The broker sends answers to the servers in turn, so half of them reach the one that did not send the command.
  const all = { count: bssids.length, total: bssids.length, failed: [] }
  expect(await Promise.all([ask(a), ask(b)])).toEqual([all, all])
  for (const { received, executed } of fleetOf) {
    expect(executed).toHaveLength(2)
    expect(received).toHaveLength(2)
  }

  const [{ publish, bssid } = fleetOf[0]!] = fleetOf
  await publish('state', { at: new Date().toISOString(), status: 2 })
  for (const { of } of consoles)
    await until(() => {
      const rows = of('devices').flatMap(event => event.devices)
      expect(rows.filter(row => row.bssid === bssid).at(-1)).toMatchObject({ status: 2 })
    })
  await leave(fleetOf)
}, 120_000)

test('when a server is killed, no acknowledged reading is lost, and no command is executed twice', async () => {
  await proveKill(prepared, servers)
}, 180_000)
