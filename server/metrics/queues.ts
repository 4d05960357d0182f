/** Measures the queues of calls. */
import { Gauge } from 'prom-client'
import type { Queues } from '../http/queues.ts'
import type { Metrics } from './metrics.ts'

/** Adds gauges of the calls that run and wait, by kind; they are read when they are asked for. */
export function measureQueues({ registry }: Metrics, queues: Queues): void {
  const gauge = (name: string, help: string, state: 'running' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'] as const,
      registers: [registry],
      collect() {
        for (const [kind, queue] of Object.entries(queues)) this.set({ kind }, queue[state])
      },
    })
  gauge('permeate_calls_running', 'Calls that are being handled, by kind', 'running')
  gauge('permeate_calls_waiting', 'Calls that wait for their turn, by kind', 'waiting')
}
