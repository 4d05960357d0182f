/** Ingest of states, and the resulting values of devices. */
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { Device, DeviceDetail } from '../../../../src/api/contract/devices.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { deviceTwins } from '../../../../server/db/schema/telemetry.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import { syncTwins } from '../../../../server/devices/ingest/sync.ts'
import type { State } from '../../../../server/protocol/messages.ts'
import { alarmDevices } from '../../support/devices/alarmDevices.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { startServer } from '../../support/harness.ts'
import { day, hour, minute, newDevice, readingAt, testParts } from '../../support/devices/readingSamples.ts'
import { until } from '../../../support/until.ts'

const server = await startServer()
const { db, bus, call, clock, signIn } = server
const token = (await signIn('admin')).access_token
const parts = testParts(server)
const states = openStates(parts)
afterAll(() => states.close())

const now = () => clock.now().getTime()
/** Returns a state at `later` milliseconds from now. */
const state = (values: Omit<State, 'at'>, later = 0): State => ({
  at: new Date(now() + later).toISOString(),
  ...values,
})
const lastWill = { offline: true } as const
const rowOf = (bssid: string) => deviceRow(db, bssid)
const twinOf = async (bssid: string) => (await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]!
const alarmCalls = (bssid: string) =>
  parts.alarms.calls.filter(one => one.bssids.includes(bssid)).map(({ what, values }) => values ?? what)
/** Records the devices published as changed from now on. */
function recordChanges(): string[] {
  const changed: string[] = []
  afterAll(bus.subscribe(one => one.kind === 'devices' && changed.push(...one.bssids)))
  return changed
}

test('a full or partial state is stored at once, without changing updated_at', async () => {
  const bssid = await newDevice(db)
  const before = await rowOf(bssid)
  const changed = recordChanges()
  await states.report(
    bssid,
    state({
      status: 1,
      locked: true,
      valve_closed: true,
      flush: { smart: 'balanced', mode: 1, frequency: 10, duration: 36, volume: 2.5 },
      idle_protection: 60,
      bypass: { smart: 2, state: 1 },
      uv: 1,
      firmware: '2.1.0',
      power_mode: 2,
      battery_level: 87.5,
      report_interval: 300,
    }),
  )
  const shown = {
    status: 1,
    locked: true,
    valve_closed: true,
    flush_smart: 'balanced',
    flush_mode: 1,
    flush_frequency: 10,
    flush_duration: 36,
    flush_volume: 2.5,
    idle_protection: 60,
    bypass_smart: 2,
    bypass_state: 1,
    uv: 1,
    firmware: '2.1.0',
    power_mode: 2,
    battery_level: 87.5,
    updated_at: before.updated_at,
  }
  expect(await rowOf(bssid)).toMatchObject(shown)
  expect(await twinOf(bssid)).toMatchObject({ reported_status: 1, report_interval: 300, offline_at: null })
  await states.report(bssid, state({ flush: { volume: 4 }, battery_level: null }))
  expect(await rowOf(bssid)).toMatchObject({ ...shown, flush_volume: 4, battery_level: null })
  await until(() => expect(changed).toEqual([bssid, bssid]))
})

test('a state without a change is not published', async () => {
  const bssid = await newDevice(db)
  await states.report(bssid, state({ status: 0, uv: 1 }))
  const changed = recordChanges()
  await states.report(bssid, state({ status: 0, uv: 1 }))
  const other = await newDevice(db)
  await states.report(other, state({ status: 0 }))
  await until(() => expect(changed).toContain(other))
  expect(changed).not.toContain(bssid)
})

test('concurrent states are stored in order for each device', async () => {
  const bssids = await Promise.all(Array.from({ length: 30 }, () => newDevice(db)))
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      bssids.map(bssid => states.report(bssid, state({ battery_level: turn, locked: turn % 2 === 0 }))),
    ).flat(),
  )
  for (const bssid of bssids) expect(await rowOf(bssid)).toMatchObject({ battery_level: 19, locked: false })
})

test('an older state is ignored, but a state from the future does not block later ones', async () => {
  const bssid = await newDevice(db)
  await states.report(bssid, state({ status: 1, uv: 1 }))
  await states.report(bssid, state({ status: 0, uv: 0 }, -minute))
  expect(await rowOf(bssid)).toMatchObject({ status: 1, uv: 1 })
  await states.report(bssid, state({ status: 8 }, day))
  await states.report(bssid, state({ status: 2 }))
  expect(await rowOf(bssid)).toMatchObject({ status: 2 })
})

test('a state of a device that does not exist is counted as dropped', async () => {
  const before = parts.drops.totals()['unknown device']
  await states.report('FE:FF:FF:FF:FF:FF', state({ status: 1 }))
  expect(parts.drops.totals()['unknown device']).toBe(before + 1)
})

describe('a last will', () => {
  test('sets the device offline at once, and the next state restores its reported status', async () => {
    const bssid = await newDevice(db)
    await states.report(bssid, state({ status: 1 }))
    await states.report(bssid, lastWill)
    expect(await rowOf(bssid)).toMatchObject({ status: 3 })
    expect(alarmCalls(bssid)).toEqual(['states', 'states'])
    clock.advance(1000)
    await states.report(bssid, state({ uv: 0 }))
    expect(await rowOf(bssid)).toMatchObject({ status: 1 })
  })

  test('is not undone by earlier readings, but by later ones', async () => {
    const bssid = await newDevice(db)
    const ingest = openIngest(parts)
    await states.report(bssid, state({ status: 0 }))
    const before = ingest.add(bssid, [readingAt(now() - 1000)])
    clock.advance(5)
    await states.report(bssid, lastWill)
    await before
    const sync = () => syncTwins(db, [bssid])
    await sync()
    expect(await rowOf(bssid)).toMatchObject({ status: 3, feed: 1 })
    clock.advance(1000)
    await ingest.add(bssid, [readingAt(now())])
    await sync()
    expect(await rowOf(bssid)).toMatchObject({ status: 0, feed: 2 })
    await ingest.close()
  })

  test('is undone by an older state, too, which ends its alarm', async () => {
    const { activeAlarms, newDevice: newDeviceWithAlarms } = alarmDevices(server)
    const evaluated = openStates({ ...parts, alarms: server.alarms })
    const bssid = await newDeviceWithAlarms()
    await evaluated.report(bssid, state({ status: 1 }))
    await evaluated.report(bssid, lastWill)
    expect(await activeAlarms(bssid)).toEqual(['device_offline'])
    clock.advance(1000)
    await evaluated.report(bssid, state({ status: 0, faults: ['leak'] }, -minute))
    expect(await rowOf(bssid)).toMatchObject({ status: 1 })
    expect(await activeAlarms(bssid)).toEqual([])
  })

  test('older than the device’s last message is ignored', async () => {
    const bssid = await newDevice(db)
    await states.report(bssid, state({ status: 0 }))
    await db
      .update(deviceTwins)
      .set({ heard_at: new Date(now() + minute) })
      .where(eq(deviceTwins.bssid, bssid))
    await states.report(bssid, lastWill)
    expect(await rowOf(bssid)).toMatchObject({ status: 0 })
  })
})

test('a changed firmware is recorded as an update, but the first known one is not', async () => {
  const bssid = await newDevice(db)
  await states.report(bssid, state({ status: 0, firmware: '1.0.0' }))
  await states.report(bssid, state({ status: 6, update: { version: '1.1.0', phase: 'installing', progress: 50 } }))
  await states.report(bssid, state({ status: 0, firmware: '1.1.0', update: null }))
  expect(alarmCalls(bssid)).toEqual(['states', 'states', 'states', { type: 'firmware_updated', version: '1.1.0' }])
  expect(await rowOf(bssid)).toMatchObject({ firmware: '1.1.0', status: 0 })
})

test('a replaced cartridge is reset once, and repeated or late reports do not reset it again', async () => {
  const list = await call('GET', '/api/v3/devices?limit=1000', { token })
  const { bssid } = list
    .json<{ data: { data: Device[] } }>()
    .data.data.find(device => device.cartridges.length > 1 && device.cartridges.every(({ total }) => total > 5))!
  const shown = async () =>
    (await call('GET', `/api/v3/devices/${bssid}`, { token })).json<{ data: DeviceDetail }>().data
  const before = await shown()
  const replaced = state({ replaced_cartridges: [1] }, -hour)
  await states.report(bssid, state({ status: 0 }))
  // An older state, but the replacement has happened.
  await states.report(bssid, replaced)
  const after = await shown()
  expect(after.cartridges[0]).toEqual(before.cartridges[0])
  expect(after.cartridges[1]).toMatchObject({ installed_at: replaced.at, total: 0, model: before.cartridges[1]!.model })
  const due = Math.min(...after.cartridges.map(({ replace_at }) => Date.parse(replace_at)))
  expect((await rowOf(bssid)).next_replacement_at!.getTime()).toBe(due)

  await db
    .update(deviceCartridges)
    .set({ volume_before: -10 })
    .where(and(eq(deviceCartridges.bssid, bssid), eq(deviceCartridges.position, 1)))
  await states.report(bssid, replaced)
  await states.report(bssid, state({ replaced_cartridges: [1] }, -2 * hour))
  expect((await shown()).cartridges[1]).toMatchObject({ installed_at: replaced.at })
  expect((await shown()).cartridges[1]!.total).toBeGreaterThan(5)
})
