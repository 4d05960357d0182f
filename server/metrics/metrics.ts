/** What the server measures about itself, in Prometheus' form. Every name begins with `permeate_` or is prom-client's own. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../core/version.ts'

/** Seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const storeBuckets = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]

/** The measurements of one server. */
export type Metrics = ReturnType<typeof openMetrics>

/** Opens the measurements; those of Node itself are added where they are served (serve.ts). */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'permeate_build_info',
    help: 'The version of the server; always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  return {
    registry,
    requests: new Histogram({
      name: 'permeate_http_request_duration_seconds',
      help: 'Duration of requests by route, without streams',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: requestBuckets,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'permeate_http_requests_in_flight',
      help: 'Requests that are being answered, without streams',
      registers,
    }),
    streams: new Gauge({
      name: 'permeate_streams_open',
      help: 'Live streams of consoles that are open at this server',
      registers,
    }),
    signInsRefused: new Counter({
      name: 'permeate_sign_ins_refused_total',
      help: 'Sign-ins to the console that were refused, by reason: wrong, forbidden or throttled',
      labelNames: ['reason'] as const,
      registers,
    }),
    readingsReceived: new Counter({
      name: 'permeate_readings_received_total',
      help: 'Readings that devices have sent',
      registers,
    }),
    readingsStored: new Counter({
      name: 'permeate_readings_stored_total',
      help: 'Readings that were stored, each once',
      registers,
    }),
    readingsFailed: new Counter({
      name: 'permeate_readings_failed_total',
      help: 'Readings that could not be stored and were not acknowledged, so that they come again',
      registers,
    }),
    ingestSeconds: new Histogram({
      name: 'permeate_ingest_duration_seconds',
      help: 'Time from the receipt of a message with readings until it is stored',
      buckets: storeBuckets,
      registers,
    }),
    handedOn: new Counter({
      name: 'permeate_mqtt_handed_on_total',
      help: 'Messages sent to the gateway of their device, by outcome: handled, or failed or unanswered, which this server handled itself',
      labelNames: ['outcome'] as const,
      registers,
    }),
    commands: new Counter({
      name: 'permeate_commands_total',
      help: 'Commands to devices that have ended, by outcome: done or failed',
      labelNames: ['outcome'] as const,
      registers,
    }),
    commandsPending: new Gauge({
      name: 'permeate_commands_pending',
      help: 'Commands that wait for the answer of a device',
      registers,
    }),
    notifications: new Counter({
      name: 'permeate_notifications_created_total',
      help: 'Notifications that this server has created',
      registers,
    }),
    mails: new Counter({
      name: 'permeate_mails_total',
      help: 'Mails by outcome: sent or failed',
      labelNames: ['outcome'] as const,
      registers,
    }),
  }
}
