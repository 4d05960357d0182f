/** What is shown of how forecasts turned out, and to which accounts. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Coverage } from '../../../../src/api/contract/health/fleet.ts'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { keptForecasts } from '../../../../server/db/schema/forecasts.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { deviceWithFilter, keptOf, storeScores } from '../../support/health/forecastSamples.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, utcDay } from '../../support/health/healthSamples.ts'
import { day } from '../../support/devices/readingSamples.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = {
  admin: (await signIn('admin')).access_token,
  vendor: (await signIn('vendor')).access_token,
  other: (await signIn('vendor2')).access_token,
}
type By = keyof typeof tokens
const [vendor, other] = [demoId('account vendor'), demoId('account vendor2')]
const today = utcDay(clock.now())
const get = async <Data>(by: By, path: string) => {
  const answer = await call('GET', `/api/v3/${path}`, { token: tokens[by] })
  return { status: answer.statusCode, data: answer.json<{ data: Data }>().data }
}
const coverage = async (by: By) => (await get<Coverage[]>(by, 'health/coverage')).data
const nothing = { outcomes: 0, inside: 0, replaced_early: 0, typical: true }

const bssid = await deviceWithFilter(db, today, 50, { vendor_id: vendor })

beforeAll(async () => {
  const ones = (count: number) => Array.from({ length: count }, () => 1)
  await storeScores(db, vendor, ones(30), { inside: 24, replaced_early: 5 })
  // On two bases: none of them has 20.
  await storeScores(db, vendor, ones(12), { kind: 2, inside: 9 })
  await storeScores(db, vendor, ones(15), { kind: 2, basis: 'condition', inside: 11 })
  await storeScores(db, other, ones(40), { kind: 2, inside: 36 })
  await stepDevices(db, [bssid], clock.now())
})

describe('how forecasts turned out', () => {
  test('is counted by kind of cartridge, for a vendor of its own devices only', async () => {
    expect(await coverage('vendor')).toEqual([
      { kind: 0, ...nothing },
      { kind: 1, outcomes: 30, inside: 24, replaced_early: 5, typical: false },
      { kind: 2, outcomes: 27, inside: 20, replaced_early: 0, typical: true },
    ])
    expect(await coverage('other')).toEqual([
      { kind: 0, ...nothing },
      { kind: 1, ...nothing },
      { kind: 2, outcomes: 40, inside: 36, replaced_early: 0, typical: false },
    ])
  })

  test('is counted over all vendors for an administrator', async () => {
    expect(await coverage('admin')).toEqual([
      { kind: 0, ...nothing },
      { kind: 1, outcomes: 30, inside: 24, replaced_early: 5, typical: false },
      { kind: 2, outcomes: 67, inside: 56, replaced_early: 0, typical: false },
    ])
  })
})

describe('the health of a device', () => {
  test('has the outcomes of its vendor, of the kinds of cartridges that it has', async () => {
    for (const by of ['vendor', 'admin'] as const) {
      const { data } = await get<DeviceHealth>(by, `devices/${bssid}/health`)
      expect(data.coverage, by).toEqual([{ kind: 1, outcomes: 30, inside: 24, replaced_early: 5, typical: false }])
      expect(data.forecasts, by).toMatchObject([{ basis: 'litres', typical: false }])
    }
    expect((await get('other', `devices/${bssid}/health`)).status).toBe(404)
  })

  test('has its own forecasts whose cartridges have ended, newest first', async () => {
    const [pending] = await keptOf(db, bssid)
    const ended = (horizon: number, daysAgo: number, inside: boolean | null) => ({
      ...pending!,
      installed_at: new Date((today - 400) * day),
      horizon,
      ended_at: new Date((today - daysAgo) * day),
      replaced_early: inside === null,
      inside,
    })
    await db.insert(keptForecasts).values([ended(0, 30, true), ended(1, 20, null)])
    const { data } = await get<DeviceHealth>('vendor', `devices/${bssid}/health`)
    expect(data.past_forecasts).toMatchObject([
      { position: 0, kind: 1, basis: 'litres', inside: null, replaced_early: true },
      { position: 0, kind: 1, basis: 'litres', inside: true, replaced_early: false },
    ])
    expect(data.past_forecasts[1]!.ended_at).toBe(new Date((today - 30) * day).toISOString())
  })
})
