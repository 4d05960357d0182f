/** Messages that a broker with persistent sessions delivers again. */
import { expect, test } from 'vitest'
import { startGateways } from '../../support/devices/gatewayHarness.ts'

const tests = await startGateways('mosquitto')

test('a command that is delivered twice is executed once', async () => {
  const { link } = await tests.open()
  const [bssid] = tests.bssids
  const session = { clean: false }
  const first = await tests.device(bssid!, { ...session, answer: () => undefined })
  // The connection breaks before the broker receives the acknowledgement.
  const died = new Promise<void>(resolve => {
    first.client.handleMessage = () => {
      first.client.stream.destroy()
      resolve()
    }
  })
  const answer = link.send(bssid!, { type: 'flush' })
  await died
  expect(first.received).toHaveLength(1)
  const done = first.executed.map(({ id }) => id)
  const second = await tests.device(bssid!, { ...session, answer: ({ id }) => ({ ok: done.includes(id) }) })
  expect(await answer).toEqual({ ok: true })
  expect(second.received.map(({ id }) => id)).toEqual(done)
})
