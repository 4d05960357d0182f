/** Traces, as a collector receives them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openTracing } from '../../../server/tracing/openTracing.ts'
import type { Tracing } from '../../../server/tracing/tracing.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { startServer } from '../support/harness.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: { key: string; value: Record<string, unknown> }[]
}

const received: string[] = []
const collector = createServer((request, response) => {
  void text(request).then(body => {
    received.push(`${request.url} ${body}`)
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
})
afterAll(() => collector.close())

const attribute = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value.stringValue

test('nothing is traced unless a collector is set', async () => {
  expect(await openTracing({}, { behindProxy: false })).toBe(undefined)
})

test('a request and its queries are one trace, which continues that of a proxy and has no values', async () => {
  const { port } = collector.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  // The exporter reads it itself.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint)
  onTestFinished(() => void vi.unstubAllEnvs())
  const tracing = (await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { behindProxy: true })) as Tracing
  const { call, signIn } = await startServer({ tracing })
  const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
  const { access_token } = await signIn('admin')
  const answer = await call('GET', '/api/v3/devices?search=somebody', { token: access_token, headers: { traceparent } })
  await tracing.close()

  expect(received.every(line => line.startsWith('/v1/traces '))).toBe(true)
  const all = received.join('')
  for (const secret of [demoPassword, access_token, 'somebody']) expect(all).not.toContain(secret)
  const spans = received.flatMap(line => {
    const { resourceSpans } = JSON.parse(line.slice(line.indexOf('{'))) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
    }
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans))
  })
  const list = spans.find(({ name }) => name === 'GET /api/v3/devices')!
  expect(list).toMatchObject({ traceId: '1'.repeat(32), parentSpanId: '2'.repeat(16) })
  expect(attribute(list, 'permeate.request_id')).toBe(answer.headers['x-request-id'])
  const queries = spans.filter(({ parentSpanId }) => parentSpanId === list.spanId)
  // The session, the rows and their number.
  expect(queries.length).toBeGreaterThan(1)
  expect(queries.some(query => String(attribute(query, 'db.query.text')).includes('"devices"'))).toBe(true)
  // A call with a body, whose queries are partly in a transaction.
  const login = spans.find(({ name }) => name === 'POST /api/v3/auth/login/dashboard')!
  const inLogin = spans.filter(({ parentSpanId }) => parentSpanId === login.spanId).map(({ name }) => name)
  expect(inLogin).toEqual(expect.arrayContaining(['BEGIN', 'SELECT', 'INSERT', 'COMMIT']))
})
