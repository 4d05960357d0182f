/** The numbers of devices by status. */
import { expect, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { startServer } from '../../support/harness.ts'

const { call, signIn } = await startServer()

test.each(['admin', 'vendor'])('%s gets the numbers of its devices', async login => {
  const token = (await signIn(login)).access_token
  const get = async <Data>(path: string) =>
    (await call('GET', `/api/v3/devices${path}`, { token })).json<{ data: Data }>().data
  const listed = (await get<{ data: Device[] }>('?limit=1000')).data
  const expected = [...Map.groupBy(listed, ({ status }) => status)]
    .map(([status, { length: count }]) => ({ status, count }))
    .toSorted((left, right) => left.status - right.status)
  expect(expected.length).toBeGreaterThan(3)
  expect(await get('/counts')).toEqual(expected)
})
