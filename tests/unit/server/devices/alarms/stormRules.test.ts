/** Which incidents of several vendors are one storm. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incidentWindow } from '../../../../../server/devices/alarms/incidentRules.ts'
import { planStorms, type StormIncident } from '../../../../../server/devices/alarms/stormRules.ts'

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
