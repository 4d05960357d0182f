/** How a server signs in to NATS, what it does when it is refused, and who hears it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BusEvent } from '../../../server/bus/bus.ts'
import { openBus } from '../../../server/bus/openBus.ts'
import { ConfigError } from '../../../server/core/config.ts'
import { root } from '../../../scripts/programs.ts'
import { until } from '../../support/until.ts'
import { openRecordedBus } from '../support/buses/buses.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { startNats } from '../support/buses/nats.ts'

const { databaseUrl } = await startServer()
const another = await startServer()
const folder = await temporaryFolder()
const plain = await startNats()
const certificates = join(root, 'tests', 'support', 'certificates')
const withLogin = (url: string, login: string) => url.replace('//', `//${login}@`)

const event: BusEvent = { kind: 'resources', names: ['vendors'] }
/** Proves that events pass between two processes with this address. */
async function expectPasses(natsUrl: string) {
  const [one, two] = [await openRecordedBus(databaseUrl, natsUrl), await openRecordedBus(databaseUrl, natsUrl)]
  one.bus.publish(event)
  await until(() => expect(two.received).toEqual([event]))
}
/** Proves that a server does not start with this address. Returns the reason. */
async function refusalOf(natsUrl: string): Promise<string> {
  const log = { info: () => undefined, error: () => undefined }
  const error: unknown = await openBus({ databaseUrl, natsUrl }, log).then(
    bus => bus.close(),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).message
}

const withUser = await startNats(['--user', 'permeate', '--pass', 'se:cret/1'])
const withToken = await startNats(['--auth', 'secret-token'])

test('a user and password, or a token, are in the address; a refusal names neither', async () => {
  await expectPasses(withLogin(withUser.url, 'permeate:se%3Acret%2F1'))
  const wrong = await refusalOf(withLogin(withUser.url, 'permeate:wrong-secret'))
  expect(wrong).toBe(`NATS_URL: 127.0.0.1:${withUser.port} cannot be used: Authorization Violation`)
  expect(await refusalOf(withUser.url)).toContain('Authorization Violation')

  await expectPasses(withLogin(withToken.url, 'secret-token'))
  expect(await refusalOf(withLogin(withToken.url, 'wrong-token'))).not.toContain('wrong-token')
})

const files = ['--tlscert', join(certificates, 'first.cert.pem'), '--tlskey', join(certificates, 'first.key.pem')]
const encrypted = await startNats(['--tls', ...files])

test('tls:// is refused by a NATS without TLS, and with a certificate that nobody vouches for', async () => {
  expect(await refusalOf(plain.url.replace('nats:', 'tls:'))).toMatch(/tls/i)
  for (const scheme of ['nats:', 'tls:'])
    expect(await refusalOf(encrypted.url.replace('nats:', scheme))).toMatch(/self-signed certificate/)
})

const restrictions = join(folder, 'nats.conf')
const restricted = ['subscribe', 'publish'].map(
  denied => `{ user: ${denied}, password: x, permissions: { ${denied}: { deny: "permeate.>" } } }`,
)
const allowed = '{ user: permeate, password: x, permissions: { publish: "permeate.>", subscribe: "permeate.>" } }'
await writeFile(restrictions, `authorization { users: [${[...restricted, allowed].join(', ')}] }`)
const withPermissions = await startNats(['-c', restrictions])

test('a user that may not receive or send on the subject is refused at the start', async () => {
  const { url } = withPermissions
  await expectPasses(withLogin(url, 'permeate:x'))
  expect(await refusalOf(withLogin(url, 'subscribe:x'))).toMatch(/Permissions Violation for Subscription/i)
  expect(await refusalOf(withLogin(url, 'publish:x'))).toMatch(/Permissions Violation for Publish/i)
})

test('servers on different databases do not hear each other on one NATS', async () => {
  const [one, two, three] = [
    await openRecordedBus(databaseUrl, plain.url),
    await openRecordedBus(another.databaseUrl, plain.url),
    await openRecordedBus(databaseUrl, plain.url),
  ]
  one.bus.publish(event)
  await until(() => expect(three.received).toEqual([event]))
  expect(two.received).toEqual([])
})

test('of several addresses, one that answers is enough', async () => {
  await expectPasses(`nats://127.0.0.1:1,${plain.url}`)
})
