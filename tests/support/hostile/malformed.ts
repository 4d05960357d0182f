/** HTTP that is not well-formed: heads, lengths and bodies that no client would send, and bytes changed at random. */
import fc from 'fast-check'
import type { HostileRequest } from './requests.ts'
import { requestBytes } from './requestBytes.ts'

/** Makes malformed HTTP of a well-formed request: its first line, its other lines, and its body. */
type Malform = (line: string, headers: readonly string[], body: Buffer) => string | Buffer

const withHeaders =
  (...more: readonly string[]): Malform =>
  (line, headers, body) =>
    Buffer.concat([Buffer.from([line, ...headers, ...more, '', ''].join('\r\n'), 'latin1'), body])

/** Replaces the length by these headers, and the body by this text. */
const withBody =
  (headers: readonly string[], body: string): Malform =>
  (line, all) =>
    [line, ...all.filter(header => !header.startsWith('content-length')), ...headers, '', body].join('\r\n')

const withLine =
  (change: (line: string) => string): Malform =>
  (line, headers, body) =>
    withHeaders()(change(line), headers, body)

const methods = ['BREW', 'get', 'G\0T', 'TRACE', 'CONNECT', 'OPTIONS', 'HEAD', 'PROPFIND', 'M-SEARCH', '']
const targets = [
  '*',
  'http://evil.example/api/v3/devices',
  '//evil.example',
  '/\0',
  '/\xff\xfe',
  '/a b',
  `/${'a'.repeat(20_000)}`,
  '',
]
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.10', 'HTCPCP/1.0', '']

const malforms: readonly Malform[] = [
  ...methods.map(method => withLine(line => line.replace(/^\S+/, method))),
  ...targets.map(target => withLine(line => line.replace(/ \S+/, ` ${target}`))),
  ...versions.map(version => withLine(line => line.slice(0, line.lastIndexOf(' ') + 1) + version)),
  ...[
    'no colon',
    ': no name',
    'na me: space',
    'nul: a\0b',
    'bare: a\rb',
    'bare: a\nb: c',
    ' folded',
    'é: name',
    'host: another',
    'content-length: 1',
    'content-length: -1',
    'content-length: 1e3',
    'content-length: 0x10',
    `content-length: ${'9'.repeat(30)}`,
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding: identity',
    'transfer-encoding: \x0bchunked',
    'upgrade: websocket\r\nconnection: upgrade',
    'upgrade: h2c\r\nhttp2-settings: AAAA\r\nconnection: upgrade, http2-settings',
    'connection: close, keep-alive, transfer-encoding',
    'expect: 100-continue',
    'access-token: another',
    `long: ${'x'.repeat(20_000)}`,
    'many: x\r\n'.repeat(3000).trimEnd(),
  ].map(header => withHeaders(header)),
  withBody(['content-length: 1000'], '{"ids":'),
  withBody(['content-length: 2'], '{"ids":["a"]}'),
  withBody(['content-length: 0'], 'GET /api/v3/devices HTTP/1.1\r\nhost: x\r\n\r\n'),
  withBody([], '{"ids":["a"]}'),
  ...[
    '',
    'zz\r\n{}\r\n',
    `${'F'.repeat(17)}\r\n{}`,
    '2\r\n{}',
    '2\r\n{}\r\n0\r\n',
    '-1\r\n{}\r\n',
    '2{}\r\n0\r\n\r\n',
  ].map(chunks => withBody(['transfer-encoding: chunked'], chunks)),
  withBody(['transfer-encoding: chunked'], `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  withBody(['transfer-encoding: chunked'], `2\r\n{}\r\n0\r\n${'trailer: x\r\n'.repeat(2000)}\r\n`),
  (line, headers) => [line, ...headers].join('\r\n'),
  (line, headers, body) => `${[line, ...headers, '', ''].join('\n')}${body.toString('latin1')}`,
  line => `${line}\r\n\r\n`,
  line => line,
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => Buffer.from('16030100c8010000c40303', 'hex'),
  () => '\r\n'.repeat(100),
]

/** Bytes that are put in the place of others. */
const splices = fc.oneof(
  fc.uint8Array({ maxLength: 8 }).map(bytes => Buffer.from(bytes)),
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '\r\n\r\n', '\x80').map(text => Buffer.from(text, 'latin1')),
)

/** Returns bytes made from well-formed requests by random changes. */
export function malformedHttp(requests: fc.Arbitrary<HostileRequest>): fc.Arbitrary<Buffer> {
  const malformed = fc.tuple(requests, fc.constantFrom(...malforms)).map(([request, malform]) => {
    const bytes = requestBytes(request)
    const head = bytes.indexOf('\r\n\r\n')
    const [line = '', ...headers] = bytes.toString('latin1', 0, head).split('\r\n')
    const result = malform(line, headers, bytes.subarray(head + 4))
    return typeof result === 'string' ? Buffer.from(result, 'latin1') : result
  })
  const changed = fc
    .tuple(requests, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 8 }), splices)
    .map(([request, place, removed, splice]) => {
      const bytes = requestBytes(request)
      const at = Math.floor(place * bytes.length)
      return Buffer.concat([bytes.subarray(0, at), splice, bytes.subarray(at + removed)])
    })
  const cut = fc.tuple(requests, fc.double({ min: 0, max: 1, noNaN: true })).map(([request, place]) => {
    const bytes = requestBytes(request)
    return bytes.subarray(0, Math.floor(place * bytes.length))
  })
  return fc.oneof(
    { weight: 6, arbitrary: malformed },
    { weight: 3, arbitrary: changed },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)) },
  )
}
