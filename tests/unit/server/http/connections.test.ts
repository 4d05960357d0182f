/** Limits of HTTP connections, on a server without the app. */
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limitConnections } from '../../../../server/http/connections.ts'
import { until } from '../../../support/until.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

interface Options extends Partial<Parameters<typeof limitConnections>[1]> {
  readonly server?: ServerOptions
  /** The address that the server sees, which is loopback in tests. */
  readonly address?: string
  readonly handle?: RequestListener
}

async function start({
  server: options = {},
  address,
  handle = (_, response) => response.end('ok'),
  ...limits
}: Options) {
  const server = createServer(options, handle)
  server.on('connection', socket => {
    if (address !== undefined) Object.defineProperty(socket, 'remoteAddress', { value: address })
  })
  limitConnections(server, { perAddress: 1000, trustProxy: undefined, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (sent = '') => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('error', () => undefined).on('data', bytes => (text += String(bytes)))
    closers.push(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(sent)
    return { socket, text: () => text }
  }
}
const whole = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const half = 'GET / HTTP/1.1\r\nHost: x\r\n'
const answered = ({ text }: { text: () => string }) => until(() => expect(text()).toContain('200 OK'))
const closed = (socket: Socket) => until(() => expect(socket.closed).toBe(true))

test('a request without the end of its headers, and a silent connection, are closed after a while', async () => {
  const open = await start({ server: { headersTimeout: 100, connectionsCheckingInterval: 20 } })
  for (const { socket } of [await open(half), await open()]) await closed(socket)
})

test('half-open requests and silent connections keep no request out', async () => {
  const open = await start({ maxWaiting: 5 })
  const flood = await Promise.all(Array.from({ length: 20 }, (_, at) => open(at % 2 ? half : '')))
  for (let each = 0; each < 20; each++) await answered(await open(whole))
  await until(() => expect(flood.every(({ socket }) => socket.closed)).toBe(true))
})

test('an address has a number of connections; idle ones make room, running requests do not', async () => {
  const running: (() => void)[] = []
  const handle: RequestListener = (_, response) => void running.push(() => response.end('ok'))
  const open = await start({ perAddress: 2, address: '203.0.113.1', handle })
  const [first, second] = [await open(whole), await open(whole)]
  await until(() => expect(running).toHaveLength(2))
  await closed((await open(whole)).socket)
  running[0]!()
  await answered(first)
  const third = await open(whole)
  await closed(first.socket)
  await until(() => expect(running).toHaveLength(3))
  for (const end of running.slice(1)) end()
  for (const each of [second, third]) await answered(each)
})

test.each([
  ['loopback', { address: '127.0.0.1' }],
  ['loopback in IPv6', { address: '::1' }],
  ['a trusted proxy', { address: '::ffff:10.1.2.3', trustProxy: '192.0.2.1, 10.0.0.0/8' }],
])('%s has any number of connections', async (_, options) => {
  const open = await start({ perAddress: 1, ...options })
  const connections = [await open(whole), await open(whole), await open(whole)]
  for (const each of connections) await answered(each)
  expect(connections.some(({ socket }) => socket.closed)).toBe(false)
})

test('a connection with a second request in its pipeline is not idle after the first', async () => {
  const running: (() => void)[] = []
  const open = await start({ maxWaiting: 1, handle: (_, response) => void running.push(() => response.end('ok')) })
  const busy = await open(whole + whole)
  await until(() => expect(running).toHaveLength(2))
  running[0]!()
  await answered(busy)
  for (const { socket } of [await open(), await open()])
    if (socket !== busy.socket) expect(busy.socket.closed).toBe(false)
  running[1]!()
  await until(() => expect(busy.text().match(/200 OK/g)).toHaveLength(2))
})
