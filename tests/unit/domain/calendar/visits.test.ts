/** When cartridges are replaced together: the week, the day and the time, too many devices, and what is left out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekStart, todayIn } from '../../../../src/domain/calendar/days.ts'
import {
  nextVisits,
  nextVisitStart,
  skipReasons,
  visitsOf,
  visitStart,
  type DueDevice,
} from '../../../../src/domain/calendar/visits.ts'
import { visitDescription, visitTitle, weekNumber } from '../../../../src/domain/calendar/visitTexts.ts'
import { msPerDay, msPerHour } from '../../../../src/domain/time.ts'

const zone = 'Europe/Oslo'
const vendor = { _id: 'v1', company_name: 'Fjordvann AS' }
const place = { vendor, water_supply: 'Harbour main' as string | null }
/** Monday, 7:00 in Oslo. */
const now = Date.parse('2026-03-02T06:00:00Z')
const planning = { zone, now, maxDevices: 1000 }
const iso = (time: number) => new Date(time).toISOString()
const cartridge = (bssid: string, due: string, before = 5, after = 5, position = 0) => ({
  bssid,
  position,
  model: position === 0 ? 'Sediment 5 µm' : 'RO-100',
  due_at: iso(Date.parse(due)),
  early_at: iso(Date.parse(due) - before * msPerDay),
  late_at: iso(Date.parse(due) + after * msPerDay),
})
const startIn = (week: string, cartridges: Parameters<typeof visitStart>[0], at = now) =>
  iso(visitStart(cartridges, week, zone, nextVisitStart(zone, at)))

describe('the time of a visit', () => {
  test('is 09:00 local time on the last working day before the first cartridge is due', () => {
    expect(startIn('2026-03-09', [cartridge('A', '2026-03-11T13:00Z'), cartridge('B', '2026-03-13T13:00Z')])).toBe(
      '2026-03-11T08:00:00.000Z',
    )
    // Summer time began on 29 March.
    expect(startIn('2026-03-30', [cartridge('A', '2026-04-04T13:00Z')])).toBe('2026-04-03T07:00:00.000Z')
  })

  test('is within early–late of as many as possible', () => {
    const narrow = cartridge('B', '2026-03-13T13:00Z', 1, 1)
    expect(startIn('2026-03-09', [cartridge('A', '2026-03-10T13:00Z'), narrow])).toBe('2026-03-13T08:00:00.000Z')
  })

  test('is not after late, also if it is on the Friday before then', () => {
    expect(startIn('2026-03-09', [cartridge('A', '2026-03-09T05:00Z', 0, 0)])).toBe('2026-03-06T08:00:00.000Z')
    // Monday is late enough if late is later.
    expect(startIn('2026-03-09', [cartridge('A', '2026-03-09T05:00Z')])).toBe('2026-03-09T08:00:00.000Z')
  })

  test('is the next working day for what is overdue', () => {
    expect(startIn('2026-03-02', [cartridge('A', '2026-01-09T05:00Z')])).toBe('2026-03-03T08:00:00.000Z')
    const afternoon = Date.parse('2026-03-03T14:00Z')
    expect(startIn('2026-03-02', [cartridge('A', '2026-01-09T05:00Z')], afternoon)).toBe('2026-03-04T08:00:00.000Z')
  })

  test('begins on a Monday after a weekend', () => {
    expect(iso(nextVisitStart(zone, Date.parse('2026-03-05T22:59Z')))).toBe('2026-03-06T08:00:00.000Z')
    // Friday in Oslo.
    expect(iso(nextVisitStart(zone, Date.parse('2026-03-05T23:00Z')))).toBe('2026-03-09T08:00:00.000Z')
  })

  test('is a later working day at 09:00 in any zone, in the week of each of its cartridges', () => {
    const days = fc.integer({ min: -40, max: 80 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ days, before: fc.nat(20), after: fc.nat(20) }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom('Europe/Oslo', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kolkata'),
        fc.nat(7 * 24),
        (dues, inZone, hours) => {
          const at = now + hours * msPerHour
          const cartridges = dues.map((due, index) => ({
            ...cartridge(String(index), iso(at + due.days * msPerDay), due.before, due.after),
            ...place,
          }))
          const visits = visitsOf(cartridges, { zone: inZone, now: at, maxDevices: 3 })
          expect(visits.flatMap(visit => visit.cartridges).length).toBe(cartridges.length)
          for (const visit of visits) {
            const start = Date.parse(visit.at)
            expect(start).toBeGreaterThan(at)
            // A working day at 09:00.
            const before = start - msPerDay
            const isMonday = todayIn(inZone, start) === weekStart(todayIn(inZone, start))
            expect(iso(nextVisitStart(inZone, isMonday ? before - 2 * msPerDay : before))).toBe(iso(start))
            expect(visit.count).toBeLessThanOrEqual(3)
            const weeks = new Set(
              visit.cartridges.map(({ due_at }) =>
                weekStart(todayIn(inZone, Math.max(Date.parse(due_at), nextVisitStart(inZone, at)))),
              ),
            )
            expect(weeks.size).toBe(1)
          }
        },
      ),
    )
  })
})

describe('visits', () => {
  test('are one for each vendor, supply and week of the zone', () => {
    const due = [
      cartridge('A', '2026-03-15T22:30Z'),
      // Monday in Oslo.
      cartridge('B', '2026-03-15T23:30Z'),
      cartridge('B', '2026-03-16T12:00Z', 5, 5, 1),
    ]
    const visits = visitsOf(
      [
        ...due.map(one => ({ ...one, ...place })),
        { ...cartridge('C', '2026-03-17T12:00Z'), ...place, water_supply: null },
        { ...cartridge('D', '2026-03-17T12:00Z'), ...place, vendor: { ...vendor, _id: 'v2' } },
      ],
      planning,
    )
    expect(visits.map(({ cartridges }) => cartridges.map(({ bssid }) => bssid))).toEqual([
      ['A'],
      ['B', 'B'],
      ['C'],
      ['D'],
    ])
    expect(visits[1]).toMatchObject({ count: 1, part: 1, parts: 1, at: '2026-03-16T08:00:00.000Z' })
  })

  test('take half an hour for each device, at least one hour and at most a day', () => {
    const hours = (devices: number) => {
      const due = Array.from({ length: devices }, (_, index) => cartridge(String(index), '2026-03-18T12:00Z'))
      const [visit] = visitsOf(
        due.map(one => ({ ...one, ...place })),
        planning,
      )
      return (Date.parse(visit!.until) - Date.parse(visit!.at)) / msPerHour
    }
    expect([1, 2, 5, 16, 90].map(hours)).toEqual([1, 1, 2.5, 8, 8])
  })

  test('with more devices than an event can have are divided, and have all of them', () => {
    const due = Array.from({ length: 2001 }, (_, index) => cartridge(`A${index}`, '2026-03-18T12:00Z'))
    const visits = visitsOf(
      due.map(one => ({ ...one, ...place })),
      planning,
    )
    expect(visits.map(({ count, part, parts }) => [count, part, parts])).toEqual([
      [667, 1, 3],
      [667, 2, 3],
      [667, 3, 3],
    ])
    expect(new Set(visits.flatMap(({ cartridges }) => cartridges.map(({ bssid }) => bssid))).size).toBe(2001)
    expect(visitTitle(visits[1]!)).toBe('Harbour main, Fjordvann AS: 667 cartridges (2 of 3)')
  })
})

describe('the next visits of devices', () => {
  const device = (bssid: string, ...cartridges: readonly DueDevice['cartridges'][number][]): DueDevice => ({
    bssid,
    ...place,
    cartridges,
  })
  const due = (bssid: string, at: string, position = 0, planned_at: string | null = null) => ({
    ...cartridge(bssid, at, 5, 5, position),
    planned_at,
  })

  test('replace what is due in the week of the first cartridge, and name why others are skipped', () => {
    const { visits, skipped } = nextVisits(
      ['A', 'B', 'C', 'D', 'E', 'F'],
      [
        device('A', due('A', '2026-04-20T12:00Z', 1), due('A', '2026-03-18T12:00Z')),
        device('B', due('B', '2026-03-19T12:00Z'), due('B', '2026-03-20T12:00Z', 1)),
        device('C'),
        device('D', due('D', '2026-03-18T12:00Z', 0, '2026-03-17T08:00:00.000Z'), due('D', '2026-04-18T12:00Z', 1)),
        device('E', due('E', '2026-07-18T12:00Z')),
      ],
      planning,
    )
    expect(visits).toHaveLength(1)
    expect(visits[0]).toMatchObject({ count: 2, at: '2026-03-18T08:00:00.000Z' })
    expect(visits[0]!.cartridges.map(({ bssid, position }) => `${bssid}${position}`)).toEqual(['A0', 'B0', 'B1'])
    expect(skipped).toEqual([
      { id: 'C', message: skipReasons.unknown },
      { id: 'D', message: skipReasons.planned },
      { id: 'E', message: skipReasons.later },
      { id: 'F', message: skipReasons.absent },
    ])
  })
})

describe('the next visits with chosen cartridges', () => {
  const due = (position: number, at: string) => ({ ...cartridge('A', at, 5, 5, position), planned_at: null })
  const devices: readonly DueDevice[] = [
    {
      bssid: 'A',
      ...place,
      cartridges: [due(0, '2026-04-18T12:00Z'), due(1, '2028-01-01T12:00Z'), due(2, '2026-03-01T12:00Z')],
    },
  ]

  test('replace these at the next time, with what is due then, whatever their forecast says', () => {
    const { visits, skipped } = nextVisits(['A'], devices, planning, { A: [1] })
    expect(skipped).toEqual([])
    expect(visits.map(({ cartridges }) => cartridges.map(({ position }) => position))).toEqual([[1, 2]])
    expect(visits[0]!.at).toBe(new Date(nextVisitStart(planning.zone, planning.now)).toISOString())
  })

  test('leave out a device without a forecast for them', () => {
    const { visits, skipped } = nextVisits(['A'], devices, planning, { A: [7] })
    expect(visits).toEqual([])
    expect(skipped).toEqual([{ id: 'A', message: skipReasons.unknown }])
  })
})

describe('the texts of a visit', () => {
  const visit = (company: string, supply: string | null) =>
    visitsOf(
      [
        { ...cartridge('A', '2026-03-18T12:00Z'), vendor: { _id: 'v', company_name: company }, water_supply: supply },
        {
          ...cartridge('A', '2026-03-18T12:00Z', 5, 5, 1),
          vendor: { _id: 'v', company_name: company },
          water_supply: supply,
        },
        { ...cartridge('B', '2026-03-18T12:00Z'), vendor: { _id: 'v', company_name: company }, water_supply: supply },
      ],
      planning,
    )[0]!

  test('say what is replaced, and where', () => {
    expect(visitTitle(visit('Fjordvann AS', 'Harbour main'))).toBe('Harbour main, Fjordvann AS: 3 cartridges')
    expect(visitTitle(visit('Fjordvann AS', null))).toBe('Fjordvann AS: 3 cartridges')
    expect(visitDescription(visit('Fjordvann AS', null))).toBe('2 × Sediment 5 µm\n1 × RO-100')
  })

  test('are no longer than those of an event', () => {
    expect(visitTitle(visit('F'.repeat(150), 'H'.repeat(150)))).toHaveLength(200)
  })

  test('count weeks by ISO 8601', () => {
    expect(['2026-01-01', '2026-12-31', '2027-01-03', '2027-01-04', '2024-12-30'].map(weekNumber)).toEqual([
      1, 53, 53, 1, 1,
    ])
  })
})
