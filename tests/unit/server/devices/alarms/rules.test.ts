import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statusCodes } from '../../../../../src/domain/device.ts'
import {
  applyTransitions,
  conditionKey,
  noConditions,
  type ActiveConditions,
  type Transition,
} from '../../../../../server/devices/alarms/conditions.ts'
import { evaluateReading, evaluateState, liveTypes } from '../../../../../server/devices/alarms/rules.ts'
import type { LastWill, Reading, State } from '../../../../../server/protocol/messages.ts'
import { faults, notificationTypes, type NotificationType } from '../../../../../src/domain/notifications/types.ts'

const at = '2026-01-31T12:00:00.000Z'

/** docs/api.md: begins at, over at. */
const table = {
  temperature_high: { of: 'temperature', begins: 38, over: 36 },
  temperature_low: { of: 'temperature', begins: 4, over: 6 },
  pressure_high: { of: 'pressure', begins: 8, over: 7.7 },
  pressure_low: { of: 'pressure', begins: 2, over: 2.3 },
  feed_tds_high: { of: 'feed_tds', begins: 1500, over: 1350 },
  battery_low: { of: 'battery_level', begins: 20, over: 25 },
  battery_empty: { of: 'battery_level', begins: 5, over: 10 },
} as const
type Level = keyof typeof table

const beyond = ({ begins, over }: (typeof table)[Level], value: number) =>
  begins > over ? value >= begins : value <= begins
const inside = ({ begins, over }: (typeof table)[Level], value: number) =>
  begins > over ? value <= over : value >= over

const calm: Reading = {
  at,
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 15,
  pressure: 4,
  temperature: 15,
}
/** Values thick about what decides, so that short runs cross it both ways. */
const about = (most: number, ...marks: number[]) =>
  fc.oneof(
    fc.constantFrom(...marks.flatMap(mark => [mark, mark - 0.01, mark + 0.01])),
    fc.double({ min: 0, max: most, noNaN: true }),
  )
const sensor = (value: fc.Arbitrary<number>) => fc.option(value, { freq: 8 })
const tds = about(1000, 100, 90)
const readings: fc.Arbitrary<Reading> = fc.record({
  at: fc.constant(at),
  feed: fc.constantFrom(0, 0.5),
  permeate: fc.constantFrom(0, 0.2),
  feed_flow: sensor(fc.constantFrom(0, 1)),
  permeate_flow: sensor(fc.constantFrom(0, 0.4, 0.4)),
  feed_tds: sensor(fc.oneof(fc.constant(100), about(5000, 1500, 1350))),
  permeate_tds: sensor(tds),
  pressure: sensor(about(25, 2, 2.3, 8, 7.7)),
  temperature: sensor(about(45, 4, 6, 36, 38)),
})
const states: fc.Arbitrary<State | LastWill> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ offline: true } as const) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        at: fc.constant(at),
        status: fc.constantFrom(...statusCodes),
        faults: fc.subarray([...faults]),
        battery_level: fc.option(about(100, 5, 10, 20, 25)),
      },
      { requiredKeys: ['at'] },
    ),
  },
)

type Said = { readonly reading: Reading } | { readonly state: State | LastWill }
const said: fc.Arbitrary<Said> = fc.oneof(
  readings.map(reading => ({ reading })),
  states.map(state => ({ state })),
)
const judge = (held: ActiveConditions, one: Said) =>
  'reading' in one ? evaluateReading(held, one.reading, Date.parse(one.reading.at)) : evaluateState(held, one.state)

/** Runs through what was said; `see` gets what held before, and what began and ended. */
function run(
  all: readonly Said[],
  see: (one: Said, held: ActiveConditions, transitions: readonly Transition[]) => void,
): ActiveConditions {
  let held = noConditions
  for (const one of all) {
    const transitions = judge(held, one)
    see(one, held, transitions)
    held = applyTransitions(held, transitions, new Date(0))
  }
  return held
}

const holding = (held: ActiveConditions, type: NotificationType) =>
  [...held.keys()].some(key => key.split(' ')[0] === type)

describe('whatever a device says', () => {
  const sequences = fc.array(said, { maxLength: 60 })

  test('law: beginnings and ends alternate, and each beginning is told once, with the value that made it', () => {
    fc.assert(
      fc.property(sequences, all => {
        run(all, (_, before, transitions) => {
          let held = before
          for (const transition of transitions) {
            expect(held.has(conditionKey(transition))).toBe(!transition.begins)
            expect(liveTypes).toContain(transition.type)
            // A fault that another source told of already has not begun; neither has low where empty is told.
            if (transition.begins && transition.values === undefined)
              expect(holding(held, transition.type) || transition.type === 'battery_low').toBe(true)
            if (!transition.begins) expect(transition.values).toBeUndefined()
            held = applyTransitions(held, [transition], new Date(0))
          }
        })
      }),
    )
  })

  test('law: saying the same again changes nothing', () => {
    fc.assert(
      fc.property(sequences, said, (all, one) => {
        const held = run([...all, one], () => undefined)
        expect(judge(held, one)).toEqual([])
      }),
    )
  })
})

describe.each(Object.entries(table))('%s', (name, { of, begins, over }) => {
  const type = name as Level
  const values = fc.array(fc.oneof(fc.constantFrom(begins, over), about(Math.max(begins, over) * 2, begins, over)))
  const say = (value: number): Said =>
    of === 'battery_level' ? { state: { at, battery_level: value } } : { reading: { ...calm, [of]: value } }

  test('law: begins at its threshold, is over inside its hysteresis, and stays as it is between', () => {
    fc.assert(
      fc.property(values, all => {
        let holds = false
        run(all.map(say), (one, held, transitions) => {
          expect(holding(held, type)).toBe(holds)
          const value = 'reading' in one ? one.reading[of as 'pressure'] : (one.state as State)[of as 'battery_level']
          if (beyond(table[type], value!)) holds = true
          if (inside(table[type], value!)) holds = false
          expect(holding(applyTransitions(held, transitions, new Date(0)), type)).toBe(holds)
          const [made] = transitions.filter(transition => transition.type === type && transition.values)
          if (made) expect(made.values).toEqual({ [of]: value })
        })
      }),
    )
  })
})

test('law: a battery that is empty at once is not told as low as well, nor when it is a little better', () => {
  fc.assert(
    fc.property(fc.array(about(40, 5, 10, 20, 25)), levels => {
      run(
        levels.map(battery_level => ({ state: { at, battery_level } })),
        (_, held, transitions) => {
          const told = transitions.filter(({ values }) => values).map(({ type }) => type)
          const empty = holding(applyTransitions(held, transitions, new Date(0)), 'battery_empty')
          const low = transitions.some(({ type, begins }) => type === 'battery_low' && begins)
          expect(told.includes('battery_low')).toBe(low && !empty)
        },
      )
    }),
  )
})

const begun = (values: Partial<Reading>, held: ActiveConditions = noConditions) =>
  evaluateReading(held, { ...calm, ...values }, Date.parse(at)).map(({ type }) => type)
const holdingThat = (type: NotificationType, subject = ''): ActiveConditions =>
  new Map([[conditionKey({ type, subject }), 0]])

describe('a reading', () => {
  test('of a unit at rest says nothing of low pressure, nor of salt that crept through; one without a flow sensor may', () => {
    expect(begun({ pressure: 0.3 })).toEqual(['pressure_low'])
    expect(begun({ pressure: 0.3, permeate_flow: 0 })).toEqual([])
    // A flush: the drain is open, and nothing goes through the membrane.
    expect(begun({ pressure: 0.9, permeate_flow: 0, feed_flow: 4 })).toEqual([])
    expect(begun({ pressure: 0.3, permeate_flow: null, feed_flow: null })).toEqual(['pressure_low'])
    expect(begun({ pressure: 0.3, permeate_flow: null, feed_flow: null, feed: 0 })).toEqual([])
    expect(begun({ permeate_tds: 301 })).toEqual(['outlet_tds_sensor'])
    expect(begun({ permeate_tds: 301, permeate_flow: 0 })).toEqual([])
    expect(begun({ permeate_tds: 300 })).toEqual([])
  })

  test('of a unit at rest tells of frost, heat and too much pressure all the same', () => {
    const rest = { feed: 0, permeate: 0, feed_flow: 0, permeate_flow: 0 }
    expect(begun({ ...rest, temperature: 2, pressure: 9 })).toEqual(['temperature_low', 'pressure_high'])
    expect(begun({ ...rest, temperature: 40 })).toEqual(['temperature_high'])
  })

  test('of a sensor that is known to be defective says nothing', () => {
    expect(begun({ pressure: 25 }, holdingThat('pressure_sensor', 'status'))).toEqual([])
    expect(begun({ temperature: 0 }, holdingThat('inlet_temperature_sensor', 'faults'))).toEqual([])
    expect(begun({ feed_tds: 5000 }, holdingThat('inlet_tds_sensor', 'faults'))).toEqual([])
    expect(begun({ feed_tds: 0, permeate_tds: 20 }, holdingThat('inlet_tds_sensor', 'status'))).toEqual([])
  })
})

describe('a status', () => {
  test.each(statusCodes)('%i begins at most one fault, and only what shows the unit well ends one', status => {
    const first = evaluateState(noConditions, { at, status })
    expect(first.length).toBeLessThanOrEqual(1)
    const ends = evaluateState(holdingThat('leak', 'status'), { at, status }).some(({ begins }) => !begins)
    expect(ends).toBe([0, 1, 2, 8].includes(status))
  })
})

test('every type follows from something that is judged, or is told of what is done', () => {
  const others: NotificationType[] = [
    'cartridge_replaced',
    'cartridge_expiring',
    'cartridge_expired',
    'filtration_system_changed',
    'firmware_updated',
    'firmware_available',
  ]
  expect([...liveTypes, ...others].toSorted()).toEqual(notificationTypes.toSorted())
})
