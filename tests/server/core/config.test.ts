import { eq } from 'drizzle-orm'
import { describe, expect, inject, test } from 'vitest'
import { ConfigError, readConfig } from '../../../server/core/config.ts'
import { DatabaseError } from '../../../server/db/databaseError.ts'
import { newId } from '../../../server/db/id.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { refuseDemoAccounts } from '../../../server/demo/accounts.ts'
import { ensureSuperadmin } from '../../../server/start/superadmin.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { startServer } from '../support/harness.ts'

const { db, call } = await startServer()

describe('settings', () => {
  test('have defaults', () => {
    const { dataDir, ...rest } = readConfig({ DATABASE_URL: '' })
    expect(dataDir).toMatch(/[\\/]\.data$/)
    expect(rest).toEqual({
      roles: ['web', 'gateway', 'worker'],
      port: 8080,
      host: '127.0.0.1',
      mqttHost: '127.0.0.1',
      mqttPort: 1883,
      mqttsPort: undefined,
      mqttUrl: undefined,
      handOn: true,
      tls: undefined,
      connectionsPerAddress: 1000,
      rawDays: 30,
      tenMinuteDays: 365,
      diskReserve: 64 * 1024 * 1024,
      databaseUrl: undefined,
      embeddedDatabase: undefined,
      smtpUrl: undefined,
      publicUrl: 'http://127.0.0.1:8080',
      trustProxy: undefined,
      demo: false,
      fleet: 500,
      history: 365,
      secretsKey: undefined,
      secondFactorRoles: [],
      superadmin: undefined,
      logLevel: 'info',
      logFormat: undefined,
      metrics: undefined,
    })
  })

  test('roles are kept in one order, and may be some of them with DATABASE_URL', () => {
    expect(readConfig({ ROLES: 'worker, web,gateway' })).toMatchObject({ roles: ['web', 'gateway', 'worker'] })
    const database = { DATABASE_URL: 'postgres://permeate@db/permeate' }
    expect(readConfig({ ...database, ROLES: 'worker,web' })).toMatchObject({ roles: ['web', 'worker'] })
  })

  test('with a certificate, the console is at https, and devices connect over TLS unless MQTT_PORT is set', () => {
    const files = { TLS_CERT: '/etc/cert.pem', TLS_KEY: '/etc/key.pem' }
    const tls = { cert: '/etc/cert.pem', key: '/etc/key.pem' }
    const publicUrl = 'https://127.0.0.1:8080'
    expect(readConfig(files)).toMatchObject({ tls, publicUrl, mqttPort: undefined, mqttsPort: 8883 })
    expect(readConfig({ ...files, MQTT_PORT: '1883', MQTTS_PORT: '9' })).toMatchObject({ mqttPort: 1883, mqttsPort: 9 })
  })

  test.each([
    [{ PORT: 'eighty' }, 'PORT must be a number'],
    [{ ROLES: 'web,database' }, 'ROLES must be one or more of web, gateway, worker, separated by commas'],
    [{ ROLES: 'web,web' }, 'ROLES must be one or more of'],
    [{ ROLES: 'web' }, 'ROLES=web leaves work to other servers, which only reach a database at DATABASE_URL'],
    [{ PORT: '70000' }, 'PORT must be less than or equal to 65535'],
    [{ FLEET: '-1' }, 'FLEET must be greater than or equal to 0'],
    [{ DEMO: 'yes' }, 'DEMO must be one of on, off'],
    [{ EMBEDDED_DATABASE: 'sqlite' }, 'EMBEDDED_DATABASE must be'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL must be an address such as postgres://'],
    [{ SMTP_URL: 'mail' }, 'SMTP_URL must be an address such as smtp://'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be a web address'],
    [
      { DEMO: 'on', HOST: '0.0.0.0' },
      'DEMO creates accounts with a public password, so HOST must be a loopback address',
    ],
    [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY must be at least 32 characters'],
    [{ REQUIRE_SECOND_FACTOR: 'on' }, 'REQUIRE_SECOND_FACTOR must be one of off, administrators, all'],
    [
      { REQUIRE_SECOND_FACTOR: 'all', DATABASE_URL: 'postgres://x/y' },
      'REQUIRE_SECOND_FACTOR with DATABASE_URL needs SECRETS_KEY, the same on all servers',
    ],
    [{ TLS_CERT: 'cert.pem' }, 'Set both TLS_CERT and TLS_KEY, or neither.'],
    [{ MQTTS_PORT: '8883' }, 'MQTTS_PORT needs a certificate. Set TLS_CERT and TLS_KEY.'],
    [{ CONNECTIONS_PER_ADDRESS: '0' }, 'CONNECTIONS_PER_ADDRESS must be greater than or equal to 10'],
    [{ SUPERADMIN_LOGIN: 'root' }, 'Set both SUPERADMIN_LOGIN and SUPERADMIN_PASSWORD'],
  ])('refuse %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(ConfigError)
    expect(() => readConfig(environment)).toThrow(message)
  })

  // A number of proxies, or all addresses, would let any client forge its address.
  test.each(['true', '1', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/', '127.0.0.1,', 'proxy.example.com'])(
    'refuse TRUST_PROXY=%s',
    TRUST_PROXY => {
      expect(() => readConfig({ TRUST_PROXY })).toThrow('TRUST_PROXY must be addresses or ranges, separated by commas')
    },
  )

  test('report all errors at once', () => {
    expect(() => readConfig({ PORT: 'x', FLEET: 'y' })).toThrow('PORT must be a number\nFLEET must be a number')
  })

  test('have no demo in production, also with DEMO=on', () => {
    expect(readConfig({ DEMO: 'on', NODE_ENV: 'production' }).demo).toBe(false)
    expect(readConfig({ DEMO: 'on', NODE_ENV: 'production', HOST: '0.0.0.0' }).demo).toBe(false)
    expect(readConfig({ DEMO: 'on', HOST: '::1' })).toMatchObject({ demo: true, publicUrl: 'http://[::1]:8080' })
  })
})

describe('the first start of production', () => {
  const config = (environment: Record<string, string>) => readConfig({ NODE_ENV: 'production', ...environment })
  const given = { SUPERADMIN_LOGIN: 'root', SUPERADMIN_PASSWORD: 'a long enough one' }

  test('refuses a database with demo accounts', async () => {
    await expect(refuseDemoAccounts(db)).rejects.toThrow('This database contains demo accounts (')
  })

  test('keeps an existing superadmin', async () => {
    await ensureSuperadmin(db, config(given), new Date())
    expect(await db.$count(accounts, eq(accounts.login, 'root'))).toBe(0)
  })

  test('requires, checks and creates the superadmin', async () => {
    await db.delete(accounts).where(eq(accounts.role, 'superadmin'))
    await expect(ensureSuperadmin(db, config({}), new Date())).rejects.toThrow('Set SUPERADMIN_LOGIN and')
    for (const password of ['short', 'password1'])
      await expect(
        ensureSuperadmin(db, config({ ...given, SUPERADMIN_PASSWORD: password }), new Date()),
      ).rejects.toThrow(ConfigError)
    await expect(ensureSuperadmin(db, config({ ...given, SUPERADMIN_LOGIN: 'vendor' }), new Date())).rejects.toThrow(
      'SUPERADMIN_LOGIN: vendor is the login of another account.',
    )
    await ensureSuperadmin(db, config(given), new Date())
    await ensureSuperadmin(db, config({ ...given, SUPERADMIN_PASSWORD: 'another long one' }), new Date())
    expect(await db.$count(audit, eq(audit.action, 'SUPERADMIN_LOGIN'))).toBe(1)
    const body = { login: 'root', password: given.SUPERADMIN_PASSWORD }
    expect((await call('POST', '/api/v3/auth/login/dashboard', { body })).statusCode).toBe(200)
  })
})

test('an empty PostgreSQL is set up once by concurrent starts', async () => {
  const { server } = inject('template')
  const name = `permeate_empty_${newId().replaceAll('-', '')}`
  const where = addressOf(await createDatabase(server, name))
  const opened = await Promise.all([openPostgres(where), openPostgres(where), openPostgres(where)])
  expect(await opened[2].db.$count(accounts)).toBe(0)
  await Promise.all(opened.map(one => one.close()))
  await dropDatabase(server, name)
})

test('the error for a PostgreSQL that does not answer names its address, but not its password', async () => {
  const opening = openPostgres(addressOf('postgres://someone:secret@127.0.0.1:1/permeate'))
  await expect(opening).rejects.toThrow(DatabaseError)
  await expect(opening).rejects.toThrow(
    /^Could not open the database at 127\.0\.0\.1:1 \(DATABASE_URL\): .*ECONNREFUSED/,
  )
  await expect(opening).rejects.not.toThrow('secret')
})
