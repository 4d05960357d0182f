/** Measures the connections of the MQTT broker. */
import type { BrokerState } from '../devices/gateway/gateway.ts'
import { gaugesOf } from './gauge.ts'
import type { Metrics } from './metrics.ts'

/** Adds gauges of the embedded broker, or of the connection to an external one; they are read when they are asked for. */
export function measureBroker({ registry }: Metrics, state: BrokerState): void {
  const gauge = gaugesOf(registry)
  if (state.kind === 'external') {
    gauge('permeate_mqtt_connected', 'Whether this server is connected to the MQTT broker', () =>
      state.isConnected() ? 1 : 0,
    )
    return
  }
  gauge(
    'permeate_mqtt_connections',
    'Open connections to the embedded broker, with or without a signed-in device',
    state.countConnections,
  )
  gauge('permeate_mqtt_devices', 'Devices that are signed in at the embedded broker', state.countDevices)
}
