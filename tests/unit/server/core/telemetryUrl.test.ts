/** The setting `TELEMETRY_URL`. */
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../server/core/config.ts'
import { readTelemetryUrl } from '../../../../server/core/telemetryUrl.ts'

describe('the address of ClickHouse', () => {
  test('has defaults for port, login and database', () => {
    expect(readTelemetryUrl('clickhouse://host')).toEqual({
      url: 'http://host:8123',
      user: 'default',
      password: '',
      database: 'permeate',
    })
    expect(readTelemetryUrl('clickhouses://host/')?.url).toBe('https://host:8443')
  })

  test('has what it names, with percent-encoding in the login', () => {
    expect(readTelemetryUrl('clickhouses://me%40home:a%2Fb@host:9000/fleet_1')).toEqual({
      url: 'https://host:9000',
      user: 'me@home',
      password: 'a/b',
      database: 'fleet_1',
    })
  })

  test.each([
    'host:8123',
    'http://host',
    'clickhouse://',
    'clickhouse://host/a;b',
    'clickhouse://host/a/b',
    'clickhouse://%zz@host',
  ])('is refused at the start if it is none: %s', text => {
    expect(() => readConfig({ TELEMETRY_URL: text })).toThrow('TELEMETRY_URL must be an address such as clickhouse://')
  })
})
