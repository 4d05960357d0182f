/** Measures whether telemetry can be stored. */
import type { TelemetryStore } from '../telemetry/store.ts'
import { gaugesOf } from './gauge.ts'
import type { Metrics } from './metrics.ts'

/** Adds the gauge, which is read when it is asked for. */
export function measureTelemetry({ registry }: Metrics, telemetry: Pick<TelemetryStore, 'canStore'>): void {
  gaugesOf(registry)('permeate_telemetry_connected', 'Whether ClickHouse takes readings; 1 without ClickHouse', () =>
    telemetry.canStore() ? 1 : 0,
  )
}
