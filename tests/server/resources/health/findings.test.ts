/** From stored days to findings: who sees them, and what people say of them. */
import { asc, eq, sql } from 'drizzle-orm'
import { expect, describe, test } from 'vitest'
import type { Device } from '../../../../src/api/contract/devices.ts'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { healthFindings } from '../../../../server/db/schema/health.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, storeDays, utcDay, type Course } from '../../support/health/healthSamples.ts'
import { day } from '../../support/devices/readingSamples.ts'
import { newFinding } from '../../support/subjects.ts'
import { until } from '../../../support/until.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const now = () => noonOf(clock.now())
const today = utcDay(now())

const own = (
  await db
    .select({ bssid: devices.bssid })
    .from(devices)
    .where(eq(devices.vendor_id, demoId('account vendor')))
    .orderBy(asc(devices.bssid))
).map(({ bssid }) => bssid)
const [healthy, fouled, shelved, dismissed, cleaned] = own as [string, string, string, string, string]
const fouling: Course = index => ({ a: index < 60 ? 0 : -0.006 * (index - 60) })
await storeDays(db, healthy, { days: 100, today })
for (const bssid of [fouled, shelved, dismissed, cleaned])
  await storeDays(db, bssid, { days: 100, today, course: fouling })
// Alone, because neighbours that foul alike make a finding doubtful.
await stepDevices(db, [fouled], now())
await stepDevices(db, own, now())

const get = async <Data>(by: By, path: string) => {
  const answer = await call('GET', path, { token: tokens[by] })
  return { status: answer.statusCode, ...answer.json<{ data: Data }>() }
}
const put = async (by: By, path: string, body: object) => {
  const answer = await call('PUT', path, { token: tokens[by], body })
  return { status: answer.statusCode, ...answer.json<{ data: BulkResponse; message?: string }>() }
}
const findingsOf = async (by: By, bssid: string) =>
  (await get<{ data: Finding[] }>(by, `/api/v3/health/findings?column=bssid&operator=eq&search=${bssid}`)).data.data
const deviceOf = async (bssid: string) => (await get<Device>('vendor', `/api/v3/devices/${bssid}`)).data

describe('a device', () => {
  test('without a fault has a score and no finding', async () => {
    const { cause, score } = (await deviceOf(healthy)).health
    expect(cause).toBeNull()
    // What its cartridges have left counts, too.
    expect(score).toBeGreaterThan(50)
    expect(await findingsOf('vendor', healthy)).toEqual([])
  })

  test('whose standard flow falls has a finding with cause, beginning and evidence', async () => {
    const [finding] = await findingsOf('vendor', fouled)
    expect(finding).toMatchObject({ cause: 'fouling', state: 'open', tempo: 'ramp' })
    expect(finding!.confidence).toBeGreaterThan(60)
    // Causes and their alternatives are in one unit.
    const others = finding!.alternatives.map(({ confidence }) => confidence)
    expect(others.every(Number.isInteger)).toBe(true)
    expect(Math.abs(others.reduce((all, one) => all + one, finding!.confidence) - 100)).toBeLessThan(10)
    const began = Date.parse(finding!.began_at) / day
    expect(Math.abs(began - (today - 40))).toBeLessThan(15)
    const flow = finding!.evidence.find(({ channel }) => channel === 'a')!
    expect(Math.exp(flow.value) - 1).toBeLessThan(-0.12)
    expect((await deviceOf(fouled)).health).toMatchObject({ cause: 'fouling' })
  })

  test('shows its days against when it was new', async () => {
    const { data } = await get<DeviceHealth>('vendor', `/api/v3/devices/${fouled}/health?range=quarter`)
    expect(data.points.length).toBeGreaterThan(80)
    expect(data.points.at(-1)!.values.a!).toBeCloseTo(-0.234, 1)
    expect(data.thresholds.a).toBeGreaterThan(0.05)
    expect(data.findings).toHaveLength(1)
    // A fifth less than 0.2 l/min at 25 °C for each bar of net driving pressure.
    const { flow, rated } = data.rated_flow!
    expect(data.rated_flow).toMatchObject({ temperature: 15 })
    expect(rated).toBeGreaterThan(0.4)
    expect(rated).toBeLessThan(0.6)
    expect(flow).toBeGreaterThan(0)
  })
})

describe('a vendor', () => {
  test('sees neither the findings nor the health of another vendor’s device', async () => {
    expect(await findingsOf('other', fouled)).toEqual([])
    expect((await get('other', `/api/v3/devices/${fouled}/health`)).status).toBe(404)
    const [finding] = await findingsOf('vendor', fouled)
    const { data } = await put('other', '/api/v3/health/findings/verdict', { ids: [finding!._id], verdict: 'none' })
    expect(data).toEqual({
      count: 0,
      total: 1,
      failed: [{ id: finding!._id, message: 'Finding not found' }],
      before: [],
    })
    expect(await findingsOf('vendor', fouled)).toMatchObject([{ verdict: null, state: 'open' }])
  })

  test('counts only its own devices in the overview', async () => {
    const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0)
    const { data } = await get<{ counts: Record<string, number> }>('vendor', '/api/v3/health/summary?by=cause')
    expect(sum(data.counts)).toBe(own.length)
    const all = await get<{ counts: Record<string, number> }>('admin', '/api/v3/health/summary?by=vendor')
    expect(sum(all.data.counts)).toBe(await db.$count(devices))
  })
})

describe('a finding', () => {
  test('that is changed during the daily step of its device waits for its end', async () => {
    const [finding] = await findingsOf('vendor', fouled)
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const answered = await db.transaction(async tx => {
      // As the step does: first the device, then its findings.
      await tx.execute(sql`select from device_health where bssid = ${fouled} for update`)
      const answer = put('vendor', '/api/v3/health/findings/verdict', { ids: [finding!._id], verdict: null })
      await until(async () => expect((await db.execute(waits)).rows).toHaveLength(1))
      await tx.execute(sql`update health_findings set updated_at = updated_at where bssid = ${fouled}`)
      return { answer }
    })
    expect(await answered.answer).toMatchObject({ status: 200, data: { count: 1 } })
  })

  test('that is shelved does not count until its time is over', async () => {
    const [finding] = await findingsOf('vendor', shelved)
    const ids = [finding!._id]
    expect(
      await put('vendor', '/api/v3/health/findings/shelve', { ids, days: 7, reason: 'Visit is planned' }),
    ).toMatchObject({
      data: { count: 1 },
    })
    await stepDevices(db, [shelved], now())
    expect((await deviceOf(shelved)).health).toMatchObject({ cause: null })
    expect(await findingsOf('vendor', shelved)).toMatchObject([
      { state: 'shelved', reason: 'Visit is planned', login: 'vendor' },
    ])
    const back = new Date(now().getTime() + 8 * day)
    await stepDevices(db, [shelved], back)
    expect((await deviceOf(shelved)).health).toMatchObject({ cause: 'fouling' })
    // It is among the notifications again.
    const [reopened] = await findingsOf('vendor', shelved)
    expect(reopened).toMatchObject({ state: 'open', severity: 'act', told_at: back.toISOString() })
  })

  test('that is dismissed and does not grow stays so until the verdict is taken back', async () => {
    const [finding] = await findingsOf('vendor', dismissed)
    const ids = [finding!._id]
    await put('vendor', '/api/v3/health/findings/verdict', { ids, verdict: 'none' })
    await stepDevices(db, [dismissed], now())
    expect(await findingsOf('vendor', dismissed)).toMatchObject([{ state: 'dismissed', verdict: 'none' }])
    const stored = async () => (await db.select().from(healthFindings).where(eq(healthFindings.id, ids[0]!)))[0]!
    expect((await stored()).shelved_size).toBe((await stored()).size)
    expect((await deviceOf(dismissed)).health).toMatchObject({ cause: null })
    await put('vendor', '/api/v3/health/findings/verdict', { ids, verdict: null })
    expect(await findingsOf('vendor', dismissed)).toMatchObject([{ state: 'open', verdict: null, login: null }])
    expect((await stored()).shelved_size).toBeNull()
  })

  test('has the account of the person who shelved or judged it, until that is undone', async () => {
    const ids = [await newFinding(db, demoId('account vendor2'))]
    const say = (path: string, body: object) => put('other', `/api/v3/health/findings/${path}`, { ids, ...body })
    const account = async () => {
      const [stored] = await db.select().from(healthFindings).where(eq(healthFindings.id, ids[0]!))
      return { login: stored!.login, state: stored!.state }
    }
    await say('shelve', { days: 7, reason: '' })
    expect(await account()).toEqual({ login: 'vendor2', state: 'shelved' })
    await say('verdict', { verdict: 'found' })
    await say('verdict', { verdict: null })
    expect(await account()).toEqual({ login: 'vendor2', state: 'shelved' })
    await say('shelve', { days: 0, reason: '' })
    expect(await account()).toEqual({ login: null, state: 'open' })
    await say('verdict', { verdict: 'found' })
    await say('shelve', { days: 7, reason: '' })
    await say('shelve', { days: 0, reason: '' })
    expect(await account()).toEqual({ login: 'vendor2', state: 'open' })
    await db.delete(healthFindings).where(eq(healthFindings.id, ids[0]!))
  })

  test('ends when the baseline begins anew, and cannot be shelved any more', async () => {
    const [finding] = await findingsOf('vendor', cleaned)
    await put('vendor', '/api/v3/devices/health/baseline', { ids: [cleaned] })
    await stepDevices(db, [cleaned], now())
    expect(await findingsOf('vendor', cleaned)).toMatchObject([{ state: 'resolved' }])
    expect((await deviceOf(cleaned)).health).toMatchObject({ state: 'learning', score: null })
    const { data } = await put('vendor', '/api/v3/health/findings/shelve', { ids: [finding!._id], days: 1, reason: '' })
    expect(data.failed).toEqual([{ id: finding!._id, message: 'The finding has ended' }])
  })

  test('cannot be shelved while it is dismissed', async () => {
    const id = await newFinding(db, demoId('account vendor'), { state: 'dismissed', verdict: 'none' })
    const { data } = await put('vendor', '/api/v3/health/findings/shelve', { ids: [id], days: 1, reason: '' })
    expect(data.failed).toEqual([{ id, message: 'The finding was dismissed' }])
    await db.delete(healthFindings).where(eq(healthFindings.id, id))
  })

  test('that was shelved in a preview is as before', async () => {
    const [finding] = await findingsOf('vendor', fouled)
    await put('vendor', '/api/v3/health/findings/shelve?preview=true', { ids: [finding!._id], days: 7, reason: '' })
    expect(await findingsOf('vendor', fouled)).toMatchObject([{ state: 'open' }])
  })
})

describe('verdicts of the installation', () => {
  const confidenceOf = async (bssid: string) => (await findingsOf('vendor', bssid))[0]!.confidence
  const judge = async (verdict: 'found' | 'none') => {
    const ids: string[] = []
    for (let n = 0; n < 60; n++) ids.push(await newFinding(db, demoId('account vendor2'), { state: 'resolved' }))
    expect((await put('other', '/api/v3/health/findings/verdict', { ids, verdict })).data.count).toBe(60)
  }

  test('move the confidence in a cause, the one that was judged stays as it was claimed', async () => {
    const before = await confidenceOf(fouled)
    await judge('none')
    await stepDevices(db, [fouled], now())
    const lower = await confidenceOf(fouled)
    expect(lower).toBeLessThan(before - 5)
    const [stored] = await db.select().from(healthFindings).where(eq(healthFindings.bssid, fouled))
    expect(stored).toMatchObject({ claimed_cause: 'fouling', verdict: null })
    expect(Math.round(stored!.claimed_confidence * 100)).toBe(before)

    await judge('found')
    await stepDevices(db, [fouled], now())
    const higher = await confidenceOf(fouled)
    expect(higher).toBeGreaterThan(lower)
    // A step without new verdicts changes nothing.
    await stepDevices(db, [fouled], now())
    expect(await confidenceOf(fouled)).toBe(higher)

    await db.delete(healthFindings).where(eq(healthFindings.vendor_id, demoId('account vendor2')))
    await stepDevices(db, [fouled], now())
    expect(await confidenceOf(fouled)).toBe(before)
  })
})
