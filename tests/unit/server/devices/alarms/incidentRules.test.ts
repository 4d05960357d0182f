/** Which notifications of one type and vendor are an incident. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  minDevices,
  planIncidents,
  type SingleNotification,
} from '../../../../../server/devices/alarms/incidentRules.ts'

let count = 0
const start = Date.UTC(2026, 0, 1)
const single = (supply: string | null = null, bssid = `d${++count}`, second = 0): SingleNotification => ({
  id: `n${++count}`,
  bssid,
  supply,
  at: new Date(start + second * 1000),
})
const singles = (number: number, supply: string | null = null) => Array.from({ length: number }, () => single(supply))
const ids = (notifications: readonly SingleNotification[]) => notifications.map(({ id }) => id)

test('five devices are a new incident, four are none', () => {
  const five = singles(5)
  expect(planIncidents(five, [], 0)).toEqual([{ into: undefined, supply: null, joining: ids(five), absorbed: [] }])
  expect(planIncidents(five.slice(1), [], 0)).toEqual([])
  expect(planIncidents([], [{ id: 'i', supply: null, devices: 9 }], 0)).toEqual([])
})

test('five notifications of fewer devices are none', () => {
  expect(planIncidents([...singles(3), single(null, 'same'), single(null, 'same')], [], 0)).toEqual([])
})

test('a device that gave it well before the others is not their beginning, unless they are too few', () => {
  const [stray, early, ...others] = [0, 40, 80, 81, 82, 83, 84].map(second => single(null, undefined, second))
  expect(planIncidents([stray!, early!, ...others], [], 0)).toMatchObject([{ joining: ids(others) }])
  const fewer = [stray!, early!, ...others.slice(0, 4)]
  expect(planIncidents(fewer, [], 0)).toMatchObject([{ joining: ids(fewer.slice(1)) }])
})

test('a supply is an incident of its own while few are elsewhere', () => {
  const [harbour, others] = [singles(6, 'harbour'), [...singles(2, 'hill'), ...singles(2)]]
  expect(planIncidents([...others, ...harbour], [], 0)).toEqual([
    { into: undefined, supply: 'harbour', joining: ids(harbour), absorbed: [] },
  ])
})

test('two supplies at once are one incident of the vendor, unless so many are usual', () => {
  const both = [...singles(6, 'harbour'), ...singles(5, 'hill')]
  expect(planIncidents(both, [], 1)).toMatchObject([{ supply: null, joining: ids(both) }])
  expect(planIncidents(both, [], 2)).toMatchObject([{ supply: 'harbour' }, { supply: 'hill' }])
})

test('notifications join what grows: the supply’s incident, or that of the vendor', () => {
  const [harbour, hill] = [singles(1, 'harbour'), singles(2, 'hill')]
  const ofSupply = { id: 'h', supply: 'harbour', devices: 30 }
  expect(planIncidents([...harbour, ...hill], [ofSupply], 0)).toEqual([
    { into: 'h', supply: 'harbour', joining: ids(harbour), absorbed: [] },
  ])
  expect(planIncidents(hill, [ofSupply], 0)).toEqual([])
  const ofVendor = { id: 'v', supply: null, devices: 30 }
  expect(planIncidents([...harbour, ...hill], [ofSupply, ofVendor], 9)).toEqual([
    { into: 'v', supply: null, joining: ids([...harbour, ...hill]), absorbed: [] },
  ])
})

test('incidents of several supplies become one when as many are elsewhere', () => {
  const growing = [
    { id: 'h', supply: 'harbour', devices: 30 },
    { id: 'r', supply: 'ridge', devices: 4 },
  ]
  const [one] = singles(1)
  expect(planIncidents([one!], growing, 0)).toEqual([{ into: 'h', supply: null, joining: [one!.id], absorbed: ['r'] }])
})

test('law: a notification joins one incident at most, and a new one has enough devices', () => {
  const notification = fc.record({
    bssid: fc.nat(11).map(String),
    supply: fc.constantFrom(null, 'harbour', 'hill'),
  })
  const growing = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      supply: fc.constantFrom(null, 'harbour', 'ridge'),
      devices: fc.integer({ min: 1, max: 50 }),
    }),
    { selector: ({ supply }) => supply },
  )
  fc.assert(
    fc.property(fc.array(notification, { maxLength: 30 }), growing, fc.nat(5), (given, incidents, usual) => {
      const all = given.map((each, index) => ({ ...each, id: `n${index}`, at: new Date(start + index * 2000) }))
      const plans = planIncidents(all, incidents, usual)
      const joining = plans.flatMap(plan => plan.joining)
      expect(new Set(joining).size).toBe(joining.length)
      expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(joining))
      for (const plan of plans) {
        const those = all.filter(({ id }) => plan.joining.includes(id))
        if (plan.supply !== null) expect(new Set(those.map(({ supply }) => supply))).toEqual(new Set([plan.supply]))
        if (plan.into === undefined)
          expect(new Set(those.map(({ bssid }) => bssid)).size).toBeGreaterThanOrEqual(minDevices)
        else expect(incidents.map(({ id }) => id)).toContain(plan.into)
        expect(plan.absorbed).not.toContain(plan.into)
      }
    }),
  )
})
