/** A port that cannot be listened on is explained; another failure at the start is not taken for one. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '../../../../server/core/config.ts'
import { listen } from '../../../../server/http/listen.ts'

function newApp() {
  const app = fastify()
  onTestFinished(() => app.close())
  return app
}

test('a port that another program uses, and a host of another machine, name their settings', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const inUse = listen(newApp(), { host: '127.0.0.1', port })
  await expect(inUse).rejects.toThrow(ConfigError)
  await expect(inUse).rejects.toThrow('PORT is in use by another program. Stop that program, or set PORT')
  // An address for documentation.
  await expect(listen(newApp(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    'HOST is not an address of this machine',
  )
})

test('a file that cannot be read is reported as it is', async () => {
  const denied = Object.assign(new Error('EACCES: permission denied, open index.html'), {
    code: 'EACCES',
    syscall: 'open',
  })
  const app = newApp()
  app.addHook('onReady', () => Promise.reject(denied))
  await expect(listen(app, { host: '127.0.0.1', port: 0 })).rejects.toBe(denied)
})
