/** The demo's supplies, and its devices with slow faults. */
import { expect, test } from 'vitest'
import { cartridges } from '../../../../server/demo/catalogue.ts'
import { demoDevice, hiddenByBssid } from '../../../../server/demo/device.ts'
import { demoId } from '../../../../server/demo/random.ts'
import { demoAnalysis } from '../../../../server/demo/supplies.ts'
import { settingsOfRow } from '../../../../server/devices/settings.ts'
import { unitFromFleet } from '../../../../simulator/model/fleet.ts'
import { slowFaultKinds, supplyFaults } from '../../../../simulator/model/slowFaults.ts'
import { supplyNamed } from '../../../../simulator/model/supplies.ts'
import { flowAt } from '../../../../simulator/model/unit.ts'
import { scalingIndices } from '../../../../src/domain/health/water/scaling.ts'

const now = new Date('2026-06-10T12:00:00Z')
const fleet = Array.from({ length: 320 }, (_, place) => demoDevice(1, place, now))
const faulty = fleet.filter(({ hidden }) => hidden.slow_faults !== undefined)
const kindsOf = ({ hidden }: (typeof fleet)[number]) => hidden.slow_faults!.map(({ fault }) => fault.split(':')[0])

test('three devices have each fault of a device, begun at different times', () => {
  for (const kind of slowFaultKinds.filter(one => !supplyFaults.has(one))) {
    const having = faulty.filter(device => kindsOf(device).includes(kind))
    expect(having, kind).toHaveLength(3)
    expect(new Set(having.map(({ hidden }) => hidden.slow_faults![0]!.began)).size, kind).toBe(3)
    for (const { row } of having) {
      expect(row.status).toBeLessThan(2)
      expect(now.getTime() - row.created_at.getTime()).toBeGreaterThan(300 * 86_400_000)
    }
  }
})

test('the water of one supply has changed for all of its devices', () => {
  const changed = faulty.filter(device => kindsOf(device).includes('feed'))
  expect(changed.length).toBeGreaterThan(5)
  const [{ row }] = changed as [(typeof changed)[number]]
  const ofSupply = fleet.filter(one => one.row.water_supply === row.water_supply && one.row.vendor_id === row.vendor_id)
  expect(ofSupply).toEqual(changed)
})

test('scale grows in devices on hard water only, which the analyses of supplies show', () => {
  const supplies = new Set(fleet.flatMap(({ row }) => row.water_supply ?? []))
  const analysed = [...supplies].filter(name => demoAnalysis(1, name) !== undefined)
  expect(analysed.length).toBeGreaterThan(supplies.size / 3)
  expect(analysed.length).toBeLessThan(supplies.size)
  const indexOf = ({ row }: (typeof fleet)[number]) =>
    scalingIndices(supplyNamed(1, row.water_supply!).chemistry, {
      recovery: row.recovery_rate! / 100,
      temperature: row.temperature!,
      tds: row.feed_tds!,
    })!.concentrate
  const having = faulty.filter(device => kindsOf(device).includes('scaling'))
  expect(having).toHaveLength(3)
  for (const device of having) expect(indexOf(device), device.row.bssid).toBeGreaterThan(0)
  for (const name of analysed) {
    const { isHard, ...analysis } = supplyNamed(1, name).chemistry
    expect(demoAnalysis(1, name)).toEqual(analysis)
    const on = fleet.filter(
      ({ row }) => row.water_supply === name && row.recovery_rate && row.temperature && row.feed_tds,
    )
    for (const device of on) expect(indexOf(device) > 0, `${name} ${device.row.bssid}`).toBe(isHard)
  }
})

test('neighbours have much the same water, and each company its own supplies', () => {
  const supplies = Map.groupBy(
    fleet.filter(
      ({ row, hidden }) => row.water_supply !== null && hidden.slow_faults === undefined && row.feed_tds !== null,
    ),
    ({ row }) => row.water_supply!,
  )
  expect(supplies.size).toBeGreaterThan(15)
  for (const [name, its] of supplies) {
    expect(new Set(its.map(({ row }) => row.vendor_id)).size, name).toBe(1)
    const tds = its.map(({ row }) => row.feed_tds!)
    expect(Math.max(...tds) / Math.min(...tds), name).toBeLessThan(1.06)
  }
  expect([...supplies.values()].filter(its => its.length >= 5).length).toBeGreaterThan(12)
})

test('the values of a device are those that its unit shows with its faults', () => {
  for (const { row, cartridges: fitted, hidden } of faulty) {
    if (row.feed_tds === null || row.pressure === null || row.status === 18) continue
    const device = {
      ...row,
      ...settingsOfRow(row),
      ...hidden,
      capabilities: [],
      cartridges: fitted.map(({ cartridge_type_id, installed_at, volume_before }) => {
        const { type, resource, ttl } = cartridges.find(
          ({ model }) => demoId(`cartridge ${model}`) === cartridge_type_id,
        )!
        return { type, resource, ttl, installed_at: installed_at.toISOString(), volume_before }
      }),
    }
    const { spec, flashMemory } = unitFromFleet(device, 1, now.getTime())
    if (spec.tank !== undefined || row.recovery_rate === null) continue
    const flow = flowAt({ spec, flashMemory }, now.getTime())
    expect((flow.permeate / flow.feed) * 100, row.bssid).toBeCloseTo(row.recovery_rate, 2)
  }
})

test('what is hidden in a fleet is that of its devices', () => {
  const hidden = hiddenByBssid(1, 40, now.getTime())
  expect(hidden.size).toBe(40)
  for (const device of fleet.slice(0, 40)) expect(hidden.get(device.row.bssid)).toEqual(device.hidden)
  expect(hiddenByBssid(1, 100_000, now.getTime()).size).toBeLessThan(320)
})
