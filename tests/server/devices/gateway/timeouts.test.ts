/** What a person asks for is answered soon although the database waits for a lock, also where it involves devices. */
import { eq, sql, type SQL } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { devices } from '../../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { until } from '../../../support/until.ts'
import { startGateways } from '../../support/devices/gatewayHarness.ts'

const tests = await startGateways('embedded', { statementTimeout: 300 })
const { db, call, link: api, log, signIn } = tests.server
const [one, other] = tests.bssids as [string, string]
const flush = { type: 'flush' } as const

afterEach(() => {
  api.refusals.clear()
})

/** Does work while another connection has a lock, which is kept until the work is done. */
const whileLocked = <Result>(lock: SQL, work: () => Promise<Result>): Promise<Result> =>
  db.transaction(async tx => {
    await tx.execute(lock)
    return work()
  })
const commandsLocked = sql`lock table device_commands in exclusive mode`

test('a command that cannot be stored is not sent', async () => {
  const { link } = await tests.open()
  const device = await tests.device(one)
  expect(await whileLocked(commandsLocked, () => link.send(one, flush))).toEqual({
    ok: false,
    reason: 'The command could not be stored',
    isUnanswered: true,
  })
  expect(device.executed).toEqual([])
})

test('a command without an answer whose end cannot be stored', async () => {
  const { link } = await tests.open({ timeout: 1000 })
  const device = await tests.device(one, { answer: () => undefined })
  const sent = link.send(one, flush)
  await until(() => expect(device.executed).toHaveLength(1))
  expect(await whileLocked(commandsLocked, () => sent)).toEqual({
    ok: false,
    reason: 'Device did not answer within 1 seconds',
    isUnanswered: true,
  })
})

test('a change that a device has acknowledged', async () => {
  const { access_token: token } = await signIn('admin')
  const answer = await whileLocked(sql`select from devices where bssid = ${one} for update`, () =>
    call('PUT', '/api/v3/devices/lock', { token, body: { ids: [one], locked: true } }),
  )
  expect(answer.statusCode).toBe(503)
  expect(api.sent).toMatchObject([{ bssid: one }])
})

test('a change whose notification cannot be stored', async () => {
  const { access_token: token } = await signIn('admin')
  const [device] = await db.select().from(devices).where(eq(devices.bssid, other))
  const [system] = await db.select().from(filtrationSystems).where(eq(filtrationSystems.vendor_id, device!.vendor_id))
  await db.update(devices).set({ filtration_system_id: null }).where(eq(devices.bssid, other))
  const answer = await whileLocked(sql`lock table notifications in exclusive mode`, () =>
    call('PUT', '/api/v3/devices/filtration-system', { token, body: { ids: [other], filtration_system: system!.id } }),
  )
  expect(answer.json()).toMatchObject({ data: { count: 1, failed: [] } })
  expect(log.join()).toContain('Could not create notifications of filtration_system_changed')
})
