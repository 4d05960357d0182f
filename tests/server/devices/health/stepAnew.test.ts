/** A device whose health is computed again, because its membrane's type was fitted, keeps what people have said and done. */
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Unseen } from '../../../../src/api/contract/notifications.ts'
import { devices as deviceRows } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { deviceHealth, healthFindings } from '../../../../server/db/schema/health.ts'
import { fitMembranes } from '../../../../server/devices/health/fits.ts'
import { pruneHealth } from '../../../../server/devices/health/prune.ts'
import { stepSlice } from '../../../../server/devices/health/step.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { seasonDays, seasonDevice, storeSeasons } from '../../support/health/seasonSamples.ts'
import { day } from '../../support/devices/readingSamples.ts'

const { db, clock, call, signIn } = await startServer()
const { access_token: token } = await signIn('admin')
const now = noonOf(clock.now())
const later = new Date(now.getTime() + 3_600_000)
const today = utcDay(now)
/** Noon of a device's day, counted from its first. */
const noonAt = (index: number) => new Date(now.getTime() + (index - seasonDays) * day)

/** The restrictor is loose, from a day on and until another. */
const loosened =
  (from: number, to = Infinity): Course =>
  index =>
    index >= from && index < to ? { r: 0.4 } : {}
/** What happens to a device, and the day on which a person does something about it. */
const open = { change: loosened(200), judgedAt: 250 }
const devices = {
  confirmed: open,
  dismissed: open,
  ended: { change: loosened(150, 180), judgedAt: 175 },
  reset: open,
  resetMeanwhile: open,
  shelved: open,
  undone: { change: loosened(200), judgedAt: 297 },
  untouched: open,
}
type Name = keyof typeof devices
const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 2)).limit(1)
const bssids = new Map<Name, string>()
for (const [name, { change, judgedAt }] of Object.entries(devices)) {
  const bssid = await seasonDevice(db, type!.id)
  bssids.set(name as Name, bssid)
  await db.update(deviceRows).set({ description: name }).where(eq(deviceRows.bssid, bssid))
  await storeSeasons(db, bssid, { to: judgedAt, today, change })
  await stepDevices(db, [bssid], noonAt(judgedAt))
}
const all = [...bssids.values()]

const put = async (path: string, body: object) => {
  const answer = await call('PUT', `/api/v3/${path}`, { token, body })
  expect(answer.statusCode, answer.body).toBe(200)
}
const resetBaseline = (...names: Name[]) =>
  put('devices/health/baseline', { ids: names.map(name => bssids.get(name)!) })
const undoReset = (name: Name) => put('devices/health/baseline/restore', { ids: [bssids.get(name)!] })

/** The findings of the devices as they are stored, but for what each step revises. */
async function findings() {
  const rows = await db
    .select()
    .from(healthFindings)
    .where(inArray(healthFindings.bssid, all))
    .orderBy(asc(healthFindings.description), asc(healthFindings.number))
  return rows.map(
    ({
      evidence: _e,
      alternatives: _a,
      confidence: _c,
      size: _s,
      updated_at: _u,
      began_early,
      began_at,
      began_late,
      ...kept
    }) => kept,
  )
}
const findingsOf = async (...names: string[]) =>
  (await findings()).filter(({ description }) => names.includes(description))
const idsOf = async (...names: Name[]) => (await findingsOf(...names)).map(({ id }) => id)
const unseen = async () =>
  (await call('GET', '/api/v3/notifications/unseen', { token })).json<{ data: Unseen }>().data.count
const restrictorOf = async (name: Name) => {
  const [row] = await db
    .select()
    .from(deviceHealth)
    .where(eq(deviceHealth.bssid, bssids.get(name)!))
  expect(row!.state!.day).toBe(today - 1)
  return row!.state!.channels.r
}

test('verdicts, shelves, times and resets are kept', async () => {
  await put('health/findings/shelve', { ids: await idsOf('shelved'), days: 30, reason: 'Visit is planned' })
  await put('health/findings/verdict', { ids: await idsOf('dismissed', 'ended'), verdict: 'none' })
  await put('health/findings/verdict', { ids: await idsOf('confirmed'), verdict: 'found' })
  await resetBaseline('reset')
  await db.execute(sql`update baseline_resets set reset_at = ${noonAt(250).toISOString()}`)
  await resetBaseline('undone')
  for (const [name, { change, judgedAt }] of Object.entries(devices))
    await storeSeasons(db, bssids.get(name as Name)!, { from: judgedAt, today, change })
  await stepDevices(db, all, now)
  await pruneHealth(db, now)
  const before = await findings()
  expect(before.map(({ description, state, verdict }) => [description, state, verdict])).toEqual([
    ['confirmed', 'open', 'restrictor_open'],
    ['dismissed', 'dismissed', 'none'],
    ['ended', 'resolved', 'none'],
    ['reset', 'resolved', null],
    ['resetMeanwhile', 'open', null],
    ['shelved', 'shelved', null],
    ['undone', 'resolved', null],
    ['untouched', 'open', null],
  ])
  const { since } = (await restrictorOf('reset'))!
  await put('notifications/seen', { until: now.toISOString() })
  const news = await unseen()

  for (let index = 0; index < 30; index++) await storeSeasons(db, await seasonDevice(db, type!.id), { today })
  expect(await fitMembranes(db, later)).toBe(1)
  await stepSlice(db, later)
  // Nothing ends while the past is stepped.
  expect(await findings()).toEqual(before)
  await stepDevices(db, all, later)
  expect(await findings()).toEqual(before)
  expect(await unseen()).toBe(news)
  const restrictor = await restrictorOf('reset')
  expect(restrictor!.since).toBe(since)
  expect(restrictor!.level).toBeCloseTo(0, 1)
})

test('a reset from before can still be undone', async () => {
  expect(await restrictorOf('undone')).toMatchObject({ baseline: null })
  const [id] = await idsOf('undone')
  await undoReset('undone')
  await stepDevices(db, all, later)
  const { baseline, since } = (await restrictorOf('untouched'))!
  expect(await restrictorOf('undone')).toMatchObject({ baseline, since })
  expect(await findingsOf('undone')).toMatchObject([{ id, state: 'open', ended_at: null }])
})

test('a reset while the past is stepped applies after it, and can be undone', async () => {
  const name = 'resetMeanwhile'
  const before = await findings()
  await db.execute(sql`delete from membrane_fits`)
  expect(await fitMembranes(db, later)).toBe(1)
  await resetBaseline(name)
  await stepSlice(db, later)
  await undoReset(name)
  await stepSlice(db, later)
  await resetBaseline(name)
  await stepDevices(db, all, later)
  expect(await restrictorOf(name)).toBeUndefined()
  expect(await findingsOf(name)).toMatchObject([{ state: 'resolved' }])
  await undoReset(name)
  await stepDevices(db, all, later)
  expect(await restrictorOf(name)).toEqual(await restrictorOf('untouched'))
  expect(await findings()).toEqual(before)
})
