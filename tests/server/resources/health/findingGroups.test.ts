/** Findings of one cause on one water supply are one group. */
import { expect, test } from 'vitest'
import type { FindingGroup } from '../../../../src/api/contract/health/fleet.ts'
import { deviceHealth } from '../../../../server/db/schema/health.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, utcDay } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'
import { newFinding } from '../../support/subjects.ts'

const { call, db, clock, signIn } = await startServer()
const tokens = { vendor: (await signIn('vendor')).access_token, other: (await signIn('vendor2')).access_token }
const now = noonOf(clock.now())
const today = utcDay(now)
const at = (days: number) => new Date((today - days) * day)

/** Adds devices of a vendor on a water supply. */
async function onSupply(label: string | null, count: number): Promise<string[]> {
  const bssids: string[] = []
  for (let n = 0; n < count; n++)
    bssids.push(await newDevice(db, { vendor_id: demoId('account vendor'), water_supply: label }))
  return bssids.toSorted()
}

/** Stores a finding of a device that was found some days ago. */
const find = (bssid: string, cause: 'fouling' | 'leak', daysAgo: number, state: 'open' | 'shelved' = 'open') =>
  newFinding(db, demoId('account vendor'), { bssid, cause, state, detected_at: at(daysAgo) })

const groupsOn = async (label: string | null, by: keyof typeof tokens = 'vendor') =>
  (await call('GET', '/api/v3/health/findings/groups', { token: tokens[by] }))
    .json<{ data: FindingGroup[] }>()
    .data.filter(({ water_supply }) => water_supply === label)

test('five findings of one cause within a day each are a group, which another vendor does not see', async () => {
  const bssids = await onSupply('Alder Street', 7)
  const ids = []
  for (const [index, bssid] of bssids.slice(0, 5).entries()) ids.push(await find(bssid, 'fouling', index < 3 ? 2 : 1))
  expect(await groupsOn('Alder Street')).toEqual([
    {
      _id: expect.any(String),
      vendor: { _id: demoId('account vendor'), company_name: expect.any(String) },
      water_supply: 'Alder Street',
      cause: 'fouling',
      found_from: at(2).toISOString(),
      found_to: at(1).toISOString(),
      devices: 5,
      of: 7,
      findings: ids,
      bssids: bssids.slice(0, 5),
    },
  ])
  expect(await groupsOn('Alder Street', 'other')).toEqual([])
})

test('fewer than five, other causes, other days and shelved findings are no group', async () => {
  const bssids = await onSupply('Birch Street', 7)
  for (const bssid of bssids.slice(0, 4)) await find(bssid, 'fouling', 9)
  await find(bssids[4]!, 'leak', 9)
  await find(bssids[5]!, 'fouling', 6)
  await find(bssids[6]!, 'fouling', 9, 'shelved')
  expect(await groupsOn('Birch Street')).toEqual([])
  // One more on the day of the first four.
  await find(bssids[4]!, 'fouling', 9)
  expect(await groupsOn('Birch Street')).toMatchObject([{ cause: 'fouling', devices: 5 }])
})

test('less than a fifth of the supply is no group', async () => {
  const bssids = await onSupply('Cedar Street', 26)
  for (const bssid of bssids.slice(0, 5)) await find(bssid, 'fouling', 3)
  expect(await groupsOn('Cedar Street')).toEqual([])
  await find(bssids[5]!, 'fouling', 3)
  expect(await groupsOn('Cedar Street')).toMatchObject([{ devices: 6, of: 26 }])
})

test('without labels, devices whose feed water is alike are a supply', async () => {
  const vendor = demoId('account vendor')
  const [alike, others, unknown] = [await onSupply(null, 6), await onSupply(null, 4), await onSupply(null, 5)]
  for (const [bssids, key] of [
    [alike, `${vendor}  UTC 27`],
    [others, `${vendor}  UTC 28`],
    [unknown, `${vendor}  UTC `],
  ] as const)
    for (const bssid of bssids)
      await db
        .insert(deviceHealth)
        .values({ bssid, supply_key: key })
        .onConflictDoUpdate({ target: deviceHealth.bssid, set: { supply_key: key } })
  for (const bssid of [...alike.slice(0, 5), ...others, ...unknown]) await find(bssid, 'fouling', 4)
  expect(await groupsOn(null)).toMatchObject([{ cause: 'fouling', devices: 5, of: 6, bssids: alike.slice(0, 5) }])
})
