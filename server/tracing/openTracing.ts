/** Opens tracing for an OpenTelemetry collector, where there is one. */
import { ConfigError } from '../core/config.ts'
import type { Tracing } from './tracing.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens tracing if OTEL_EXPORTER_OTLP_ENDPOINT is set, and only then loads the libraries; the exporter reads its other
 * settings itself. `behindProxy`: whether a trace that the client began is continued. @throws ConfigError
 */
export async function openTracing(
  environment: Environment,
  { behindProxy }: { readonly behindProxy: boolean },
): Promise<Tracing | undefined> {
  if (!environment.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined
  const { startTracing } = await import('./openTelemetry.ts')
  const share = Number(environment.OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(share >= 0 && share <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return startTracing({ behindProxy, share, serviceName: environment.OTEL_SERVICE_NAME || 'permeate' })
}
