/** Which devices have the slow faults of the command line. */
import { expect, test } from 'vitest'
import { orderedFaults, parseFaultOrder } from '../../../simulator/faultOrders.ts'
import { generateDevice } from '../../../simulator/model/fleet.ts'

const began = Date.parse('2026-06-10T12:00:00Z')
const fleet = new Map(
  Array.from({ length: 2000 }, (_, index) => generateDevice(1, index)).map(device => [device.bssid, device]),
)
const devices = [...fleet.values()]
const order = (text: string) => parseFaultOrder(text)!
const concerned = (...texts: string[]) =>
  devices.filter(device => orderedFaults(texts.map(order), device, fleet, began).length > 0)

test('a share of the devices has a fault, always the same ones, and other faults are on others', () => {
  expect(concerned('fouling').length).toBeGreaterThan(60)
  expect(concerned('fouling').length).toBeLessThan(140)
  const fouled = concerned('fouling@0.2')
  expect(fouled.length).toBeGreaterThan(300)
  expect(fouled.length).toBeLessThan(500)
  expect(concerned('fouling:0.5:10d@0.2')).toEqual(fouled)
  expect(concerned('oring@0.2')).not.toEqual(fouled)
  expect(concerned('fouling@0')).toEqual([])
  expect(concerned('fouling@1')).toHaveLength(2000)
})

test('one device has a fault, from the time at which the faults begin', () => {
  const { bssid } = devices[7]!
  expect(concerned(`leak:0.4@${bssid.toLowerCase()}`)).toEqual([devices[7]])
  expect(orderedFaults([order(`leak:0.4@${bssid}`), order('fouling@1')], devices[7]!, fleet, began)).toMatchObject([
    { kind: 'leak', size: 0.4, ramp: 0, began },
    { kind: 'fouling', size: 0.3, began },
  ])
  expect(concerned('leak@00:00:00:00:00:01')).toEqual([])
})

test('a fault of the feed is one of whole supplies', () => {
  const { bssid, water_supply } = devices[40]!
  const neighbours = devices.filter(device => device.water_supply === water_supply)
  expect(neighbours.length).toBeGreaterThan(2)
  expect(concerned(`feed@${bssid}`)).toEqual(neighbours)
  const some = concerned('feed@0.2')
  expect(some.length).toBeGreaterThan(0)
  const supplies = new Set(some.map(device => device.water_supply))
  expect(some).toEqual(devices.filter(device => supplies.has(device.water_supply)))
})
