/**
 * Tracing by OpenTelemetry. Spans are made here instead of by its instrumentation libraries, which replace modules while
 * they are loaded and do not reach ECMAScript modules that Node has loaded already.
 */
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { version } from '../core/version.ts'
import type { Tracing } from './tracing.ts'

interface Options {
  readonly behindProxy: boolean
  readonly serviceName: string
  /** Share of the requests that are traced, 0 to 1. */
  readonly share: number
}

/** Milliseconds until spans that the collector does not take are dropped. */
const exportTimeout = 3_000
/** Characters of a statement that are sent; its values never are. */
const maxStatement = 1000

export function startTracing({ behindProxy, serviceName, share }: Options): Tracing {
  const provider = new TracerProvider({
    // A proxy that has begun a trace decides on it.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis: exportTimeout }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('permeate', version)
  return {
    requests: app => traceRequests(app, tracer, behindProxy),
    queries: pool => traceQueries(pool, tracer),
    close: async () => {
      // A collector that is away must not keep the server from stopping.
      await provider.shutdown().catch(() => undefined)
      context.disable()
    },
  }
}

const propagator = new W3CTraceContextPropagator()
const headers = {
  get: (carrier: FastifyRequest['headers'], key: string) => carrier[key],
  keys: (carrier: FastifyRequest['headers']) => Object.keys(carrier),
}

function traceRequests(app: FastifyInstance, tracer: Tracer, behindProxy: boolean): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  app.addHook('onRequest', (request, _, done) => {
    const parent = behindProxy ? propagator.extract(ROOT_CONTEXT, request.headers, headers) : ROOT_CONTEXT
    const route = request.is404 ? undefined : request.routeOptions.url
    const span = tracer.startSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          ...(route !== undefined && { 'http.route': route }),
          'permeate.request_id': request.id,
        },
      },
      parent,
    )
    const own = trace.setSpan(parent, span)
    contexts.set(request, own)
    context.with(own, done)
  })
  // The body arrives in the context of the connection, which may carry several requests.
  app.addHook('preHandler', (request, _, done) => context.with(contexts.get(request) ?? ROOT_CONTEXT, done))
  app.addHook('onResponse', async (request, reply) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

type Query = (...args: readonly unknown[]) => unknown

function traceQueries(pool: Pool, tracer: Tracer): void {
  /** Calls with a callback are those of the pool itself, which has been asked by a call that is traced. */
  const traced =
    (query: Query): Query =>
    (...args) =>
      typeof args.at(-1) === 'function' ? query(...args) : traceQuery(tracer, args, () => query(...args))
  const replace = (owner: { query: unknown }) => {
    owner.query = traced((owner.query as Query).bind(owner))
  }
  replace(pool)
  const known = new WeakSet<PoolClient>()
  pool.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    replace(client)
  })
}

function traceQuery(tracer: Tracer, args: readonly unknown[], run: () => unknown): unknown {
  const text = statementOf(args[0])
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const span = tracer.startSpan(operation, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, maxStatement),
    },
  })
  const result = run()
  if (!(result instanceof Promise)) {
    span.end()
    return result
  }
  return endWith(span, result)
}

async function endWith(span: Span, result: Promise<unknown>): Promise<unknown> {
  try {
    return await result
  } catch (error) {
    // The message may quote values.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    span.setStatus({ code: SpanStatusCode.ERROR, message: code })
    throw error
  } finally {
    span.end()
  }
}

function statementOf(query: unknown): string {
  if (typeof query === 'string') return query
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : ''
  return typeof text === 'string' ? text : ''
}
