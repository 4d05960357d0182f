import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../server/core/config.ts'
import { readNatsUrl } from '../../../../server/core/natsUrl.ts'

describe('the address of NATS', () => {
  test.each([
    ['nats://localhost', { servers: ['localhost:4222'], isTls: false, login: {} }],
    ['nats://me:secret@a:5222', { servers: ['a:5222'], isTls: false, login: { user: 'me', pass: 'secret' } }],
    ['tls://token@nats.example.com', { servers: ['nats.example.com:4222'], isTls: true, login: { token: 'token' } }],
    ['nats://[::1]:4222', { servers: ['[::1]:4222'], isTls: false, login: {} }],
    [
      'nats://me:secret@a, nats://b:4223',
      { servers: ['a:4222', 'b:4223'], isTls: false, login: { user: 'me', pass: 'secret' } },
    ],
  ])('%s is read', (text, address) => {
    expect(readNatsUrl(text)).toEqual(address)
  })

  test.each(['', 'localhost:4222', 'http://localhost', 'nats://', 'nats://a,', 'nats://a,b', 'nats://%zz@a'])(
    '“%s” is no address',
    text => {
      expect(readNatsUrl(text)).toBeUndefined()
    },
  )

  test('law: any user and password are read as they were written', () => {
    const part = fc.string({ unit: 'binary', minLength: 1 }).map(text => text.toWellFormed())
    fc.assert(
      fc.property(part, part, (user, pass) => {
        const text = `nats://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@host`
        expect(readNatsUrl(text)?.login).toEqual({ user, pass })
      }),
    )
  })

  test('a wrong one is refused without its secret, and one without a shared database, too', () => {
    const read = (environment: Readonly<Record<string, string>>) => () => readConfig(environment)
    expect(read({ NATS_URL: 'http://me:secret@host' })).toThrow(
      /^NATS_URL must be an address such as nats:\/\/user:password@host:4222$/,
    )
    expect(read({ NATS_URL: 'nats://host' })).toThrow('Set DATABASE_URL, or leave out NATS_URL')
    const config = readConfig({ NATS_URL: 'nats://host', DATABASE_URL: 'postgres://localhost/permeate' })
    expect(config.natsUrl).toBe('nats://host')
  })
})
