import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { keyAccess } from '../../../src/api/contract/apiKeys.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { handlers } from '../../../server/web/handlers.ts'
import { sampleRequest } from '../support/contract/sample.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'

const folder = await temporaryFolder()
await mkdir(join(folder, 'assets'))
const page = '<!doctype html><title>Permeate</title>'
const script = 'console.log("hashed")'
await writeFile(join(folder, 'index.html'), page)
await writeFile(join(folder, 'assets', 'index-abc123.js'), script)
await writeFile(join(folder, 'assets', 'index-abc123.js.br'), brotliCompressSync(script))

const { call, signIn, app, ...server } = await startServer({ consoleFolder: folder })
const behindHttps = await startServer({
  beside: server,
  environment: { PUBLIC_URL: 'https://permeate.example.com' },
})

describe('the contract', () => {
  const implemented = new Set(handlers.map(({ endpoint }) => endpoint))
  // Streams have no resource handler; the server itself answers them.
  const unimplemented = endpoints.filter(endpoint => !implemented.has(endpoint) && !endpoint.stream)

  test.each(unimplemented.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s returns 501 after the checks of access and input',
    async (_, endpoint) => {
      const role = endpoint.roles === 'public' ? undefined : endpoint.roles[0]
      const token = role && (await signIn(role)).access_token
      const answer = await app.inject(sampleRequest(endpoint, { token }))
      expect(answer.statusCode).toBe(501)
      expect(answer.json()).toEqual({ message: 'Not implemented yet' })
      if (endpoint.roles === 'public') return
      expect((await app.inject(sampleRequest(endpoint, {}))).statusCode).toBe(401)
    },
  )

  test('is described completely at /docs', async () => {
    const document = (await call('GET', '/docs/json')).json<{ paths: Record<string, Record<string, Operation>> }>()
    for (const endpoint of endpoints) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      expect(operation, `${endpoint.method} ${endpoint.path}`).toBeDefined()
      expect(operation!.summary).toBe(endpoint.summary)
      expect(Object.keys(operation!.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '501']))
      const { roles, tokenHeader, upload } = endpoint
      expect(operation!.description).toContain(roles === 'public' ? 'no session' : `Roles: ${roles.join(', ')}.`)
      const header = tokenHeader ?? (roles === 'public' ? undefined : 'access-token')
      const keys = keyAccess(endpoint) ? [{ 'api-key': [] }] : []
      expect(operation!.security).toEqual(header === undefined ? [] : [{ [header]: [] }, ...keys])
      const body = Object.keys(operation!.requestBody?.content ?? {})
      expect(body.includes('multipart/form-data')).toBe(upload)
    }
    const events = document.paths['/api/v3/stream']!.get!.responses['200'] as { content: object }
    expect(Object.keys(events.content)).toEqual(['text/event-stream'])
    const login = document.paths['/api/v3/auth/login/dashboard']!.post!
    expect(JSON.stringify(login.requestBody)).toContain('"login"')
    expect(JSON.stringify(login.responses['200'])).toContain('refresh_token')
    expect(JSON.stringify(login.responses['400'])).toContain('"message"')
    const list = document.paths['/api/v3/devices']!.get!
    expect(list.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['offset', 'limit', 'search', 'column', 'operator', 'sort', 'direction']),
    )
  })

  test('has a documentation page without external resources', async () => {
    const answer = await call('GET', '/docs')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toMatch(/(src|href)="https?:/)
    expect(answer.body).not.toMatch(/<script>|<script [^>]*>[^<\s]|<style/)
    expect((await call('GET', '/docs/static/swagger-initializer.js')).statusCode).toBe(200)
  })
})

interface Operation {
  summary: string
  description: string
  security?: object[]
  parameters?: { name: string }[]
  requestBody?: { content: object }
  responses: Record<string, object>
}

describe('an invalid request', () => {
  const login = '/api/v3/auth/login/dashboard'
  const json = { 'content-type': 'application/json' }
  const admin = async () => (await signIn('admin')).access_token

  test.each([
    ['malformed JSON', 400, 'The body is not valid JSON', '{"login":', json],
    ['a prototype key', 400, 'The body is not valid JSON', '{"__proto__":{}}', json],
    ['another content type', 400, 'The content type must be application/json', 'a=b', { 'content-type': 'text/plain' }],
    [
      'a form',
      400,
      'The content type must be application/json',
      '--x--',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['NUL', 400, 'Text must not contain NUL characters', '{"login":"a\\u0000"}', json],
    ['no object', 400, 'The input must be an object', '[]', json],
    ['an unknown field', 400, 'Unknown field: extra', '{"login":"a","password":"b","extra":1}', json],
    ['too much', 413, 'The body is too large', `{"login":"${'x'.repeat(2 * 1024 * 1024)}"}`, json],
  ])('%s', async (_, status, message, payload, headers) => {
    const answer = await app.inject({ method: 'POST', url: login, headers, payload })
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(status)
  })

  test.each([
    ['GET', '/api/v3/nothing', 404, 'Not found'],
    ['GET', '/api', 404, 'Not found'],
    ['POST', '/devices', 404, 'Not found'],
    ['GET', '/docs/nothing', 404, 'Not found'],
    ['GET', '/api/v3/devices/%E0%A4%A', 400, 'The URL is not encoded correctly'],
  ] as const)('%s %s', async (method, url, status, message) => {
    const answer = await call(method, url)
    expect(answer.json()).toEqual({ message })
    expect(answer.statusCode).toBe(status)
  })

  test('an unknown column of a list: the message names the valid ones', async () => {
    const answer = await call('GET', '/api/v3/cartridge-types?column=nothing', { token: await admin() })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toMatch(/^Column must be one of model, name, /)
    const sorted = await call('GET', '/api/v3/cartridge-types?sort=constructor', { token: await admin() })
    expect(sorted.json<{ message: string }>().message).toMatch(/^Sort must be one of model, name, /)
  })

  test('an offset or limit out of range', async () => {
    const answer = await call('GET', '/api/v3/cartridge-types?limit=1001&offset=-1', { token: await admin() })
    expect(answer.json()).toEqual({
      message: ['Offset must be greater than or equal to 0', 'Limit must be less than or equal to 1000'],
    })
  })
})

test('empty parameters of a list count as absent', async () => {
  const token = (await signIn('admin')).access_token
  const list = async (query: string) => {
    const answer = await call('GET', `/api/v3/cartridge-types${query}`, { token })
    expect(answer.statusCode).toBe(200)
    return answer.json<object>()
  }
  const parameters = ['offset', 'limit', 'search', 'column', 'operator', 'sort', 'direction', 'count']
  expect(await list(`?${parameters.join('=&')}=`)).toEqual(await list(''))
})

describe('an upload', () => {
  const url = '/api/v3/cartridge-types/file'
  const part = (name: string, content: string, file = true) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"${file ? '; filename="a.csv"' : ''}\r\n\r\n${content}\r\n`
  const send = async (payload: string, type = 'multipart/form-data; boundary=x') =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': type, 'access-token': (await signIn('admin')).access_token },
    })
  const message = 'Send one file as multipart/form-data, in a part named file'

  test('must have exactly one part, named file', async () => {
    const read = await send(`${part('file', 'model')}--x--\r\n`)
    expect(read.json<{ message: string[] }>().message).toContain('Column type is missing')
    for (const wrong of [
      '--x--\r\n',
      `${part('other', 'model')}--x--\r\n`,
      `${part('file', 'model', false)}--x--\r\n`,
      `${part('file', 'model')}${part('file', 'model')}--x--\r\n`,
      `${part('file', 'model')}${part('note', 'model', false)}--x--\r\n`,
      part('file', 'cut off'),
      'nonsense',
    ]) {
      const answer = await send(wrong)
      expect(answer.json()).toEqual({ message })
      expect(answer.statusCode).toBe(400)
    }
    expect((await send('{}', 'application/json')).json()).toEqual({ message })
    expect((await send('x', 'multipart/form-data')).statusCode).toBe(400)
  })

  test('may have at most 10 MB', async () => {
    const answer = await send(`${part('file', 'x'.repeat(10 * 1024 * 1024 + 1))}--x--\r\n`)
    expect(answer.json()).toEqual({ message: 'The file is larger than 10 MB' })
    expect(answer.statusCode).toBe(413)
  })
})

test('/health returns status and version', async () => {
  const answer = await call('GET', '/health')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ data: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) } })
})

test('behind HTTPS, and only there, browsers are told to stay on it', async () => {
  const secure = await behindHttps.call('GET', '/api/v3/devices')
  expect(secure.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  const { headers } = await call('GET', '/api/v3/devices')
  expect(headers['strict-transport-security']).toBeUndefined()
  expect(headers['permissions-policy']).toContain('camera=(), ')
  expect(headers['set-cookie']).toBeUndefined()
})

test('every response has a strict content security policy', async () => {
  for (const url of ['/', '/docs', '/api/v3/devices', '/health']) {
    const { headers } = await call('GET', url)
    const csp = String(headers['content-security-policy'])
    expect(csp).toContain("default-src 'self'")
    expect(csp).toContain("frame-ancestors 'none'")
    expect(csp).not.toMatch(/script-src[^;]*unsafe|https:|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

describe('the console', () => {
  test.each(['/', '/admins', '/devices/A4:1C:09:7E:33:0B', '/email/confirm/?token=a.b', '/nothing/at/all'])(
    'serves its page at %s',
    async url => {
      const answer = await call('GET', url)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toBe(page)
      expect(answer.headers['cache-control']).toBe('no-cache')
    },
  )

  test('serves hashed files with a long cache time, precompressed', async () => {
    const url = '/assets/index-abc123.js'
    const answer = await call('GET', url, { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
    expect((await call('GET', url)).body).toBe(script)
  })

  test.each(['/assets/gone.js', '/../package.json', '/%2e%2e/package.json', '/favicon.ico'])(
    'returns 404 for %s',
    async url => {
      const answer = await call('GET', url)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: 'Not found' })
    },
  )
})

test('long responses are compressed', async () => {
  const answer = await call('GET', '/docs/json', { headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers['content-encoding']).toBe('gzip')
})
