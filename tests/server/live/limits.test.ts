/** How many streams may be open: of an account, of an address and in all. */
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { stream as contract } from '../../../src/api/contract/stream.ts'
import { startServer } from '../support/harness.ts'
import { signInsAt } from '../support/accounts/signIns.ts'
import { until } from '../../support/until.ts'

/** Tests name the address that a call comes from as a proxy does. */
const server = await startServer({
  environment: { TRUST_PROXY: '127.0.0.1' },
  streamLimits: { account: 2, address: 3, all: 5 },
})
await server.app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}${contract.open.path}`
const { account, tokenOf } = signInsAt(server)

/** Accounts with an access token, each of which may have two streams. */
const tokens = await Promise.all(Array.from({ length: 6 }, async () => tokenOf(await account('vendor'))))
const [one, two, three, four, five, six] = tokens as [string, string, string, string, string, string]

interface Attempt {
  readonly status: number
  /** Seconds, from `retry-after`. */
  readonly retryAfter: number
  readonly message: string | undefined
  close(): void
}

/** Referenced, because a response that is collected as garbage closes its stream. */
const responses: Response[] = []

/** Tries to open a stream; it is closed at the end of the test at the latest. */
async function open(token: string, address: string): Promise<Attempt> {
  const aborted = new AbortController()
  onTestFinished(() => aborted.abort())
  const headers = { 'access-token': token, 'x-forwarded-for': address }
  const response = await fetch(url, { headers, signal: aborted.signal })
  responses.push(response)
  const refusal = response.ok ? undefined : ((await response.json()) as { message: string })
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    message: refusal?.message,
    close: () => aborted.abort(),
  }
}

const opened = expect.objectContaining({ status: 200 })
const refused = (status: number, message: string) => expect.objectContaining({ status, message, retryAfter: 15 })

/** Waits until a stream opens: the places of closed ones are free once the server has noticed. */
const opens = (token: string, address: string) =>
  until(async () => {
    const attempt = await open(token, address)
    expect(attempt).toEqual(opened)
    return attempt
  })

test('an account may have some, and gets the place of a closed one back', async () => {
  const first = await opens(one, '192.0.2.1')
  await opens(one, '192.0.2.2')
  expect(await open(one, '192.0.2.3')).toEqual(refused(429, 'Too many streams are open for this account'))
  await opens(two, '192.0.2.3')
  first.close()
  await opens(one, '192.0.2.3')
})

test('an address may have some, of any accounts, while another one still gets in', async () => {
  const first = await opens(one, '192.0.2.1')
  await opens(two, '192.0.2.1')
  await opens(three, '192.0.2.1')
  expect(await open(four, '192.0.2.1')).toEqual(refused(429, 'Too many streams are open from this address'))
  await opens(four, '192.0.2.2')
  first.close()
  await opens(five, '192.0.2.1')
  expect(await open(six, '192.0.2.1')).toEqual(refused(429, 'Too many streams are open from this address'))
})

test('an IPv6 address counts as its network', async () => {
  for (const [index, token] of [one, two, three].entries()) await opens(token, `2001:db8:0:1::${index + 1}`)
  expect(await open(four, '2001:db8:0:1::ff')).toEqual(refused(429, 'Too many streams are open from this address'))
  await opens(four, '2001:db8:0:2::1')
})

test('the server has some in all, and then answers that it is busy', async () => {
  const first = await opens(one, '192.0.2.1')
  for (const [index, token] of [two, three, four, five].entries()) await opens(token, `192.0.2.${index + 2}`)
  expect(await open(six, '192.0.2.99')).toEqual(refused(503, 'Too many streams are open'))
  first.close()
  await opens(six, '192.0.2.99')
})
