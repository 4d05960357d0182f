/** The metric that says whether telemetry can be stored. */
import type { TelemetryStore } from '../telemetry/store.ts'
import { gaugesOf } from './gauge.ts'
import type { Metrics } from './metrics.ts'

/** Registers `permeate_telemetry_connected`, which is computed at each scrape. */
export function measureTelemetry({ registry }: Metrics, telemetry: Pick<TelemetryStore, 'canStore'>): void {
  gaugesOf(registry)(
    'permeate_telemetry_connected',
    '1 if ClickHouse accepts readings, 0 if not; always 1 without ClickHouse',
    () => (telemetry.canStore() ? 1 : 0),
  )
}
