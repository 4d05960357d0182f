/** What of several vendors is one storm. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incidentWindow } from '../../../../../server/devices/alarms/incidentRules.ts'
import { planScattered, planStorms, type StormIncident } from '../../../../../server/devices/alarms/stormRules.ts'

const incident = (id: string, vendor: string, seconds: number, storm: string | null = null): StormIncident => ({
  id,
  vendor,
  began_at: new Date(seconds * 1000),
  storm,
})

test('incidents of several vendors that begin within two minutes are a storm', () => {
  const [first, other, later] = [incident('i1', 'a', 0), incident('i2', 'b', 120), incident('i3', 'c', 121)]
  expect(planStorms([later, other, first])).toEqual([{ storm: 'i1', joining: ['i1', 'i2'] }])
})

test('incidents of one vendor are none', () => {
  expect(planStorms([incident('i1', 'a', 0), incident('i2', 'a', 10)])).toEqual([])
  expect(planStorms([incident('i1', 'a', 0)])).toEqual([])
})

test('a later incident joins the storm, also one of a vendor that is in it', () => {
  const storm = [incident('i1', 'a', 30, 'i1'), incident('i2', 'b', 40, 'i1')]
  expect(planStorms([...storm, incident('i3', 'c', 100), incident('i0', 'a', 20)])).toEqual([
    { storm: 'i1', joining: ['i0', 'i3'] },
  ])
})

test('law: an incident joins one storm, near its first incident, and nothing joins in a second plan', () => {
  const given = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{3}$/),
      vendor: fc.constantFrom('a', 'b', 'c'),
      began_at: fc.integer({ min: 0, max: 900 }).map(seconds => new Date(seconds * 1000)),
      storm: fc.constant(null),
    }),
    { selector: ({ id }) => id, maxLength: 15 },
  )
  fc.assert(
    fc.property(given, fc.nat(15), (all, known) => {
      const apply = (incidents: readonly StormIncident[]) => {
        const storms = new Map(planStorms(incidents).flatMap(({ storm, joining }) => joining.map(id => [id, storm])))
        return incidents.map(each => ({ ...each, storm: each.storm ?? storms.get(each.id) ?? null }))
      }
      // The incidents come in two parts.
      const before = apply(all.slice(0, known))
      const after = apply([...before, ...all.slice(known)])
      for (const [at, { storm }] of before.entries()) if (storm !== null) expect(after[at]!.storm).toBe(storm)
      for (const [storm, members] of Map.groupBy(after, each => each.storm)) {
        if (storm === null) continue
        const first = members.find(({ id }) => id === storm)!
        expect(new Set(members.map(({ vendor }) => vendor)).size).toBeGreaterThanOrEqual(2)
        for (const { began_at } of members)
          expect(Math.abs(began_at.getTime() - first.began_at.getTime())).toBeLessThanOrEqual(incidentWindow)
      }
      expect(planStorms(after)).toEqual([])
    }),
  )
})

const single = (vendor: string, device: number) => ({
  id: `${vendor}${device}`,
  bssid: `device ${vendor}${device}`,
  vendor,
})

test('single devices of several vendors join, if enough are outside the vendor with most', () => {
  const four = [1, 2, 3, 4].flatMap(device => [single('a', device), single('b', device)])
  expect(planScattered(four, [], 0)).toEqual([])
  const plans = planScattered([...four, single('c', 1)], [], 0)
  expect(plans.map(({ vendor, plan }) => [vendor, plan.into, plan.joining.length])).toEqual([
    ['a', undefined, 4],
    ['b', undefined, 4],
    ['c', undefined, 1],
  ])
  // Two usually go offline within the window, so five could be a coincidence.
  expect(planScattered([...four, single('c', 1)], [], 2)).toEqual([])
})

test('they join a growing incident of their vendor, which absorbs its others', () => {
  const growing = [
    { id: 'i1', vendor: 'a', devices: 40 },
    { id: 'i2', vendor: 'a', devices: 5 },
    { id: 'i3', vendor: 'b', devices: 5 },
  ]
  expect(planScattered([single('a', 1)], growing, 0)).toEqual([
    { vendor: 'a', plan: { into: 'i1', supply: null, joining: ['a1'], absorbed: ['i2'] } },
  ])
  expect(planScattered([single('b', 1)], growing.slice(0, 2), 0)).toEqual([])
})

test('law: all single devices join or none does, and never those of one vendor alone', () => {
  const singles = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9)), { selector: String })
  fc.assert(
    fc.property(singles, fc.nat(4), (tuples, usual) => {
      const all = tuples.map(([vendor, device]) => single(vendor, device))
      const joining = planScattered(all, [], usual).flatMap(({ plan }) => plan.joining)
      expect([0, all.length]).toContain(joining.length)
      if (joining.length > 0) expect(new Set(all.map(({ vendor }) => vendor)).size).toBeGreaterThan(1)
    }),
  )
})
