/** Two server processes on one PostgreSQL, one Mosquitto and one NATS, over which they hand on messages. */
import { expect, test } from 'vitest'
import { freePort } from '../../../support/ports.ts'
import { until } from '../../../support/until.ts'
import { startNats } from '../../support/buses/nats.ts'
import { prepareTwo, proveKill, startBoth } from './twoGateways.ts'

const nats = await startNats()

test('when a server that stores the messages of others is killed, no reading is lost or counts twice', async () => {
  const prepared = await prepareTwo({ NATS_URL: nats.url })
  const metricsPort = String(await freePort())
  const [first, other] = prepared.settings
  const handedOn = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^permeate_mqtt_handed_on_total\{outcome="handled"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
  const settings = [first, { ...other, METRICS_PORT: metricsPort }] as const
  await proveKill({ ...prepared, settings }, await startBoth({ settings }), () =>
    until(async () => expect(await handedOn()).toBeGreaterThan(100), { interval: 200 }),
  )
}, 180_000)
