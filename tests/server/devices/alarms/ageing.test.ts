/** Alarms that come with time and from actions: expiring and replaced cartridges, and new firmware. */
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { insertMany } from '../../../../server/db/bulk.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { firmwareVersions } from '../../../../server/db/schema/models.ts'
import { ageingChecks, deviceAlarms, notifications } from '../../../../server/db/schema/notifications.ts'
import { deviceTwins } from '../../../../server/db/schema/telemetry.ts'
import { claimAgeing, settleAgeing } from '../../../../server/devices/alarms/ageingChecks.ts'
import { cartridgeCondition } from '../../../../server/devices/alarms/rules.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { alarmDevices, day, membrane, platform } from '../../support/devices/alarmDevices.ts'
import { startServer } from '../../support/harness.ts'

const server = await startServer()
const { alarms, call, clock, db, signIn } = server
const { fittedDevice, activeAlarms, install, iso, newDevice, report, notificationsOf, wear } = alarmDevices(server)

await insertMany(
  db,
  firmwareVersions,
  ['1.8.0', '1.9.0', '1.10.0'].map((version, place) => ({
    platform,
    version,
    released_at: new Date(clock.now().getTime() - (9 - place) * day),
  })),
)

describe('cartridges', () => {
  test('that a device reports as replaced create one notification and end their alarms', async () => {
    const bssid = await fittedDevice()
    await wear(731, 0)(bssid)
    expect(await activeAlarms(bssid)).toEqual(['cartridge_expired 2'])
    const at = iso()
    await db.update(deviceCartridges).set({ installed_at: clock.now() }).where(eq(deviceCartridges.bssid, bssid))
    // The broker may deliver an unacknowledged message twice.
    for (let time = 0; time < 2; time++) await report(bssid, { at, replaced_cartridges: [2, 7] })
    expect(await activeAlarms(bssid)).toEqual([])
    const replaced = (await notificationsOf(bssid)).filter(({ type }) => type === 'cartridge_replaced')
    expect(replaced).toEqual([{ type: 'cartridge_replaced', values: { cartridge: 'TFC-75', position: 2 } }])
  })

  test('of another filtration system end all alarms of the old ones, also at positions that no longer exist', async () => {
    const bssid = await newDevice()
    const systems = [demoId('system FS-400'), demoId('system FS-75')]
    const token = (await signIn('vendor')).access_token
    const fit = (system: string) =>
      call('PUT', '/api/v3/devices/filtration-system', { token, body: { ids: [bssid], filtration_system: system } })
    await fit(systems[0]!)
    await db
      .update(deviceCartridges)
      .set({ installed_at: new Date(clock.now().getTime() - 2_000 * day) })
      .where(eq(deviceCartridges.bssid, bssid))
    await db.insert(deviceAlarms).values({ bssid, type: 'cartridge_expired', subject: '9', since: clock.now() })
    await alarms.sweep(clock.now())
    expect(await activeAlarms(bssid)).toHaveLength(4)
    await fit(systems[1]!)
    expect(await activeAlarms(bssid)).toEqual([])
    const changes = (await notificationsOf(bssid)).filter(({ type }) => type === 'filtration_system_changed')
    expect(changes.map(({ values }) => values.filtration_system)).toEqual(['FS-400', 'FS-75'])
    await fit(systems[1]!)
    expect((await notificationsOf(bssid)).filter(({ type }) => type === 'filtration_system_changed')).toHaveLength(2)
  })

  test('changed in a filtration system create a notification for every device with it', async () => {
    const bssid = await newDevice({ filtration_system_id: demoId('system FS-75 Eco') })
    const token = (await signIn('admin')).access_token
    const fitted = [demoId('cartridge T33'), membrane]
    const url = `/api/v3/filtration-systems/${demoId('system FS-75 Eco')}`
    for (let time = 0; time < 2; time++)
      expect((await call('PUT', url, { token, body: { cartridges: fitted } })).statusCode).toBe(200)
    const change = { type: 'filtration_system_changed', values: { filtration_system: 'FS-75 Eco' } }
    expect(await notificationsOf(bssid)).toEqual([change])
    const all = await db.$count(devices, eq(devices.filtration_system_id, demoId('system FS-75 Eco')))
    expect(all).toBeGreaterThan(1)
    expect(
      await db.$count(notifications, sql`type = ${change.type} and "values" = ${JSON.stringify(change.values)}::jsonb`),
    ).toBe(all)
  })

  test('law: a sweep of the database gives the same result as the rule', async () => {
    const bssid = await fittedDevice()
    const id = 'alarm-test'
    await db.insert(cartridgeTypes).values({ id, model: id, type: 2, resource: 1, ttl: 1, name: '' })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3_650 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        async (ttl, resource, age, wear) => {
          const now = clock.now()
          const installedAt = Math.round(now.getTime() - age * ttl * day)
          const used = wear * resource
          await db.update(cartridgeTypes).set({ resource, ttl }).where(eq(cartridgeTypes.id, id))
          await db
            .update(deviceCartridges)
            .set({ cartridge_type_id: id, installed_at: new Date(installedAt), volume_before: 5_000 - used })
            .where(eq(deviceCartridges.bssid, bssid))
          await alarms.sweep(now)
          const expected = cartridgeCondition(
            { installedAt, ttl, resource, used: 5_000 - (5_000 - used) },
            now.getTime(),
          )
          expect(await activeAlarms(bssid)).toEqual(expected === undefined ? [] : [`${expected} 2`])
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('checks', () => {
  const minute = 60_000
  const dueOf = async (bssid: string) =>
    (await db.select().from(ageingChecks).where(eq(ageingChecks.bssid, bssid)))[0]!.due_at.getTime()

  test('are due when a date comes, and not before', async () => {
    const bssid = await fittedDevice()
    // Two years of life: it is expiring thirty days before.
    await wear(699.5, 0)(bssid)
    expect(await activeAlarms(bssid)).toEqual([])
    const [fitted] = await db.select().from(deviceCartridges).where(eq(deviceCartridges.bssid, bssid))
    const expiring = fitted!.installed_at.getTime() + 700 * day
    expect(await dueOf(bssid)).toBe(expiring)
    await alarms.sweep(new Date(expiring - 1))
    expect(await activeAlarms(bssid)).toEqual([])
    await alarms.sweep(new Date(expiring))
    expect(await activeAlarms(bssid)).toEqual(['cartridge_expiring 2'])
  })

  test('are due before the litres can be used up', async () => {
    const bssid = await fittedDevice()
    const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.id, membrane))
    const left = 100
    await wear(1, type!.resource * 0.9 - left)(bssid)
    const due = await dueOf(bssid)
    expect(due - clock.now().getTime()).toBeCloseTo((left / 600) * 60 * minute, -3)
    await db
      .update(deviceTwins)
      .set({ permeate: sql`${deviceTwins.permeate} + ${left}` })
      .where(eq(deviceTwins.bssid, bssid))
    await alarms.sweep(new Date(due))
    expect(await activeAlarms(bssid)).toEqual(['cartridge_expiring 2'])
  })

  test('are shared by workers, and those of a killed one are taken over', async () => {
    const bssids = [await fittedDevice(), await fittedDevice()]
    const at = new Date(clock.now().getTime() + 400 * day)
    const mine = await claimAgeing(db, at)
    expect(mine.bssids).toEqual(expect.arrayContaining(bssids))
    expect((await claimAgeing(db, at)).bssids).toEqual([])
    expect(new Set((await claimAgeing(db, mine.until)).bssids)).toEqual(new Set(mine.bssids))
  })

  test('stay due for what has changed while they were evaluated', async () => {
    const bssid = await fittedDevice()
    const claim = await claimAgeing(db, clock.now())
    expect(claim.bssids).toContain(bssid)
    await db.update(deviceCartridges).set({ volume_before: 1 }).where(eq(deviceCartridges.bssid, bssid))
    await settleAgeing(db, claim, clock.now())
    expect((await claimAgeing(db, clock.now())).bssids).toEqual([bssid])
  })
})

describe('firmware', () => {
  test('that was not released is reported as outdated only if a release is newer, and unknown firmware never', async () => {
    const bssid = await newDevice({ firmware: '2.0.0-rc1' })
    const available = async () => (await activeAlarms(bssid)).filter(one => one.startsWith('firmware'))
    await alarms.sweep(clock.now())
    expect(await available()).toEqual([])
    await install('1.2.0-own')(bssid)
    expect(await available()).toEqual(['firmware_available 1.10.0'])
    await install('')(bssid)
    expect(await available()).toEqual(['firmware_available 1.10.0'])
  })

  test('creates a notification for each version once it is released', async () => {
    const bssid = await newDevice({ firmware: '1.9.0' })
    await alarms.sweep(clock.now())
    const released_at = new Date(clock.now().getTime() + day)
    await db.insert(firmwareVersions).values({ platform, version: '1.11.0', released_at })
    await alarms.sweep(clock.now())
    expect((await notificationsOf(bssid)).map(({ values }) => values.version)).toEqual(['1.10.0'])
    await alarms.sweep(released_at)
    expect(await activeAlarms(bssid)).toEqual(['firmware_available 1.11.0'])
    expect((await notificationsOf(bssid)).map(({ values }) => values.version)).toEqual(['1.10.0', '1.11.0'])
  })
})
