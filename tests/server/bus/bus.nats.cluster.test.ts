/** The bus over NATS. */
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { changed, openRecordedBus } from '../support/buses/buses.ts'
import { startServer } from '../support/harness.ts'
import { startNats } from '../support/buses/nats.ts'
import { proveBus } from './proveBus.ts'

const server = await startServer()
const nats = await startNats()

proveBus({ kind: 'nats', server, natsUrl: nats.url })

test('a NATS that hangs counts as away, and what it did not take is made up for', async () => {
  const open = () => openRecordedBus(server.databaseUrl, nats.url)
  const [one, two] = [await open(), await open()]
  nats.freeze()
  one.bus.publish(changed('A'))
  for (const { log } of [one, two])
    await until(() => expect(log.join()).toContain('lost its NATS connection'), { timeout: 50_000, interval: 100 })
  nats.thaw()
  for (const { received } of [one, two]) await until(() => expect(received).toContainEqual({ kind: 'missed' }))
  await until(() => expect(one.bus.state().isConnected && two.bus.state().isConnected).toBe(true))
  one.bus.publish(changed('B'))
  await until(() => expect(two.received).toContainEqual(changed('B')))
})
