/** Measures the event bus. */
import { Counter } from 'prom-client'
import type { Bus } from '../bus/bus.ts'
import type { Announced } from '../servers/announce.ts'
import { gaugesOf } from './gauge.ts'
import type { Metrics } from './metrics.ts'

/** Adds the measurements of the bus, and of the servers that are unreachable on it; they are read when they are asked for. */
export function measureBus({ registry }: Metrics, bus: Pick<Bus, 'state'>, announced: Announced): void {
  const registers = [registry]
  const gauge = gaugesOf(registry)
  gauge('permeate_bus_connected', 'Whether events reach other servers, and theirs this one', () =>
    bus.state().isConnected ? 1 : 0,
  )
  gauge(
    'permeate_bus_unheard_servers',
    'Servers that run and whose events do not arrive: they have another event bus',
    () => announced.unreachableServers,
  )
  new Counter({
    name: 'permeate_bus_messages_total',
    help: 'Messages to and from other servers over the event bus, by direction: sent or received',
    labelNames: ['direction'] as const,
    registers,
    collect() {
      const { sent, received } = bus.state()
      this.reset()
      this.inc({ direction: 'sent' }, sent)
      this.inc({ direction: 'received' }, received)
    },
  })
  new Counter({
    name: 'permeate_bus_disconnects_total',
    help: 'Connections of the event bus that broke',
    registers,
    collect() {
      this.reset()
      this.inc(bus.state().disconnects)
    },
  })
}
