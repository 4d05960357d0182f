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

/** The thresholds at which each alarm begins and ends, as in docs/api.md. */
const thresholds = {
  temperature_high: { field: 'temperature', begins: 38, ends: 36 },
  temperature_low: { field: 'temperature', begins: 4, ends: 6 },
  pressure_high: { field: 'pressure', begins: 8, ends: 7.7 },
  pressure_low: { field: 'pressure', begins: 2, ends: 2.3 },
  feed_tds_high: { field: 'feed_tds', begins: 1500, ends: 1350 },
  battery_low: { field: 'battery_level', begins: 20, ends: 25 },
  battery_empty: { field: 'battery_level', begins: 5, ends: 10 },
} as const
type Level = keyof typeof thresholds

const beyond = ({ begins, ends }: (typeof thresholds)[Level], value: number) =>
  begins > ends ? value >= begins : value <= begins
const inside = ({ begins, ends }: (typeof thresholds)[Level], value: number) =>
  begins > ends ? value <= ends : value >= ends

const normal: Reading = {
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
/** Values, many of them close to the `marks`, so that short runs cross each mark in both directions. */
const valuesNear = (max: number, ...marks: number[]) =>
  fc.oneof(
    fc.constantFrom(...marks.flatMap(mark => [mark, mark - 0.01, mark + 0.01])),
    fc.double({ min: 0, max, noNaN: true }),
  )
const sensor = (value: fc.Arbitrary<number>) => fc.option(value, { freq: 8 })
const tds = valuesNear(1000, 100, 90)
const readings: fc.Arbitrary<Reading> = fc.record({
  at: fc.constant(at),
  feed: fc.constantFrom(0, 0.5),
  permeate: fc.constantFrom(0, 0.2),
  feed_flow: sensor(fc.constantFrom(0, 1)),
  permeate_flow: sensor(fc.constantFrom(0, 0.4, 0.4)),
  feed_tds: sensor(fc.oneof(fc.constant(100), valuesNear(5000, 1500, 1350))),
  permeate_tds: sensor(tds),
  pressure: sensor(valuesNear(25, 2, 2.3, 8, 7.7)),
  temperature: sensor(valuesNear(45, 4, 6, 36, 38)),
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
        battery_level: fc.option(valuesNear(100, 5, 10, 20, 25)),
      },
      { requiredKeys: ['at'] },
    ),
  },
)

type Message = { readonly reading: Reading } | { readonly state: State | LastWill }
const messages: fc.Arbitrary<Message> = fc.oneof(
  readings.map(reading => ({ reading })),
  states.map(state => ({ state })),
)
const evaluate = (active: ActiveConditions, message: Message) =>
  'reading' in message
    ? evaluateReading(active, message.reading, Date.parse(message.reading.at))
    : evaluateState(active, message.state)

/** Evaluates all messages in order; `see` gets each one with the conditions active before it and its transitions. */
function run(
  all: readonly Message[],
  see: (message: Message, active: ActiveConditions, transitions: readonly Transition[]) => void,
): ActiveConditions {
  let active = noConditions
  for (const message of all) {
    const transitions = evaluate(active, message)
    see(message, active, transitions)
    active = applyTransitions(active, transitions, new Date(0))
  }
  return active
}

const isActive = (active: ActiveConditions, type: NotificationType) =>
  [...active.keys()].some(key => key.split(' ')[0] === type)

describe('any sequence of messages', () => {
  const sequences = fc.array(messages, { maxLength: 60 })

  test('law: alternates beginnings and ends of a condition, and each beginning has its values', () => {
    fc.assert(
      fc.property(sequences, all => {
        run(all, (_, before, transitions) => {
          let active = before
          for (const transition of transitions) {
            expect(active.has(conditionKey(transition))).toBe(!transition.begins)
            expect(liveTypes).toContain(transition.type)
            // It begins without values if another source has reported the fault, or 'empty' has been reported before 'low'.
            if (transition.begins && transition.values === undefined)
              expect(isActive(active, transition.type) || transition.type === 'battery_low').toBe(true)
            if (!transition.begins) expect(transition.values).toBeUndefined()
            active = applyTransitions(active, [transition], new Date(0))
          }
        })
      }),
    )
  })

  test('law: causes no transition when the same message is repeated', () => {
    fc.assert(
      fc.property(sequences, messages, (all, message) => {
        const active = run([...all, message], () => undefined)
        expect(evaluate(active, message)).toEqual([])
      }),
    )
  })
})

describe.each(Object.entries(thresholds))('%s', (name, { field, begins, ends }) => {
  const type = name as Level
  const values = fc.array(fc.oneof(fc.constantFrom(begins, ends), valuesNear(Math.max(begins, ends) * 2, begins, ends)))
  const messageWith = (value: number): Message =>
    field === 'battery_level' ? { state: { at, battery_level: value } } : { reading: { ...normal, [field]: value } }

  test('law: begins at its threshold, ends beyond its hysteresis, and does not change in between', () => {
    fc.assert(
      fc.property(values, all => {
        let expected = false
        run(all.map(messageWith), (message, active, transitions) => {
          expect(isActive(active, type)).toBe(expected)
          const value =
            'reading' in message
              ? message.reading[field as 'pressure']
              : (message.state as State)[field as 'battery_level']
          if (beyond(thresholds[type], value!)) expected = true
          if (inside(thresholds[type], value!)) expected = false
          expect(isActive(applyTransitions(active, transitions, new Date(0)), type)).toBe(expected)
          const [beginning] = transitions.filter(transition => transition.type === type && transition.values)
          if (beginning) expect(beginning.values).toEqual({ [field]: value })
        })
      }),
    )
  })
})

test('law: an empty battery is not reported as low too, neither at once nor after a small rise', () => {
  fc.assert(
    fc.property(fc.array(valuesNear(40, 5, 10, 20, 25)), levels => {
      run(
        levels.map(battery_level => ({ state: { at, battery_level } })),
        (_, active, transitions) => {
          const reported = transitions.filter(({ values }) => values).map(({ type }) => type)
          const empty = isActive(applyTransitions(active, transitions, new Date(0)), 'battery_empty')
          const low = transitions.some(({ type, begins }) => type === 'battery_low' && begins)
          expect(reported.includes('battery_low')).toBe(low && !empty)
        },
      )
    }),
  )
})

const typesFrom = (values: Partial<Reading>, active: ActiveConditions = noConditions) =>
  evaluateReading(active, { ...normal, ...values }, Date.parse(at)).map(({ type }) => type)
const onlyActive = (type: NotificationType, subject = ''): ActiveConditions =>
  new Map([[conditionKey({ type, subject }), 0]])

describe('a reading', () => {
  test('of an idle unit raises no alarm for low pressure or TDS creep, except without a flow sensor', () => {
    expect(typesFrom({ pressure: 0.3 })).toEqual(['pressure_low'])
    expect(typesFrom({ pressure: 0.3, permeate_flow: 0 })).toEqual([])
    // During a flush the drain is open and no water passes the membrane.
    expect(typesFrom({ pressure: 0.9, permeate_flow: 0, feed_flow: 4 })).toEqual([])
    expect(typesFrom({ pressure: 0.3, permeate_flow: null, feed_flow: null })).toEqual(['pressure_low'])
    expect(typesFrom({ pressure: 0.3, permeate_flow: null, feed_flow: null, feed: 0 })).toEqual([])
    expect(typesFrom({ permeate_tds: 301 })).toEqual(['outlet_tds_sensor'])
    expect(typesFrom({ permeate_tds: 301, permeate_flow: 0 })).toEqual([])
    expect(typesFrom({ permeate_tds: 300 })).toEqual([])
  })

  test('of an idle unit still raises alarms for frost, heat and high pressure', () => {
    const rest = { feed: 0, permeate: 0, feed_flow: 0, permeate_flow: 0 }
    expect(typesFrom({ ...rest, temperature: 2, pressure: 9 })).toEqual(['temperature_low', 'pressure_high'])
    expect(typesFrom({ ...rest, temperature: 40 })).toEqual(['temperature_high'])
  })

  test('of a sensor with an active fault raises no alarm', () => {
    expect(typesFrom({ pressure: 25 }, onlyActive('pressure_sensor', 'status'))).toEqual([])
    expect(typesFrom({ temperature: 0 }, onlyActive('inlet_temperature_sensor', 'faults'))).toEqual([])
    expect(typesFrom({ feed_tds: 5000 }, onlyActive('inlet_tds_sensor', 'faults'))).toEqual([])
    expect(typesFrom({ feed_tds: 0, permeate_tds: 20 }, onlyActive('inlet_tds_sensor', 'status'))).toEqual([])
  })
})

describe('a status', () => {
  test.each(statusCodes)('%i begins at most one fault, and ends one only if it shows a working unit', status => {
    const first = evaluateState(noConditions, { at, status })
    expect(first.length).toBeLessThanOrEqual(1)
    const ends = evaluateState(onlyActive('leak', 'status'), { at, status }).some(({ begins }) => !begins)
    expect(ends).toBe([0, 1, 2, 8].includes(status))
  })
})

test('every notification type comes from the rules or from an action', () => {
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
