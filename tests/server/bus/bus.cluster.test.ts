/** The bus over PostgreSQL. */
import { expect, test, vi } from 'vitest'
import { postgresChannel } from '../../../server/bus/postgresChannel.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'
import { proveBus } from './proveBus.ts'

const server = await startServer()

proveBus({ kind: 'postgres', server })

test('a connection that only listens counts as lost once the database does not answer', async () => {
  const url = new URL(server.databaseUrl)
  const proxy = await startProxy(Number(url.port))
  url.port = String(proxy.port)
  const channel = postgresChannel({ connectionString: url.href }, { pingInterval: 50, answerTimeout: 1_000 })
  const onLost = vi.fn<(error: unknown) => void>()
  const connection = await channel.connect({ onPayload: () => undefined, onLost })
  const wasAsked = proxy.hold()
  await until(() => expect(wasAsked()).toBe(true))
  await until(() => expect(onLost).toHaveBeenCalledOnce())
  await connection.close()
  expect(onLost).toHaveBeenCalledOnce()
})
