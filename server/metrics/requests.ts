/** Measures requests. Routes are labelled by their pattern, never by a URL, which has ids in it. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auth } from '../../src/api/contract/auth.ts'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import type { Metrics } from './metrics.ts'

/** The label of requests that no route answers. */
const unmatched = 'unmatched'

/** The reasons for which a sign-in is refused, by status: a wrong second factor is a 400. */
const refusals: Readonly<Record<number, string>> = { 400: 'wrong', 401: 'wrong', 403: 'forbidden', 429: 'throttled' }
const signIns: readonly (Endpoint | undefined)[] = [auth.login, auth.enterCode, auth.usePasskey]

/** Measures the routes that are registered after it. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  /** Requests that are not valid HTTP are answered without the first hook. */
  const counted = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async request => {
    counted.add(request)
    const isStream = request.routeOptions.config.endpoint?.stream === true
    const open = isStream ? metrics.streams : metrics.requestsInFlight
    open.inc()
  })
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    const isStream = endpoint?.stream === true
    if (!counted.has(request)) return
    if (isStream) metrics.streams.dec()
    else metrics.requestsInFlight.dec()
    // A stream lasts as long as a console is open; a refused one is a request.
    if (isStream && reply.statusCode === 200) return
    const route = request.is404 ? unmatched : (request.routeOptions.url ?? unmatched)
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    // Input that is not valid is no attempt.
    const isSignIn = signIns.includes(endpoint) && request.isValidated
    const reason = isSignIn ? refusals[reply.statusCode] : undefined
    if (reason !== undefined) metrics.signInsRefused.inc({ reason })
  })
}
