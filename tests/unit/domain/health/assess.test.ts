import { describe, expect, test } from 'vitest'
import type { Cause, Finding } from '../../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../../src/domain/health/types/channels.ts'
import { certain } from '../../../../src/domain/health/score.ts'
import { first, from, run, usualContext } from './samples.ts'

const cases: [Cause, ByChannel<number>, number][] = [
  ['fouling', { a: -0.35 }, 60],
  ['scaling', { a: -0.5, b: 0.18, brief: 0.18, r: -0.15 }, 60],
  ['oxidation', { b: 0.6, brief: 0.6, a: 0.12 }, 60],
  ['oring', { b: 0.35, brief: 0.35 }, 0],
  ['outlet_tds_sensor', { b: 0.5, brief: 0.5 }, 60],
  ['inlet_tds_sensor', { f: -0.4, b: 0.38, brief: 0.38 }, 60],
  ['restrictor_clogged', { r: -0.6 }, 40],
  ['restrictor_open', { r: 0.5 }, 0],
  ['prefilter', { h: -0.3 }, 40],
]

test.each(cases)('%s is found and named', (cause, size, length) => {
  const { assessment, found } = run({ days: 120, change: from(60, size, length) })
  expect(found).toBeGreaterThanOrEqual(60)
  expect(assessment.findings[0]).toMatchObject({ cause })
  const { began, confidence, alternatives } = assessment.findings[0]!
  expect(began.early).toBeLessThanOrEqual(began.likely)
  expect(began.likely).toBeLessThanOrEqual(began.late)
  const sum = alternatives.reduce((total, one) => total + one.confidence, confidence)
  expect(sum).toBeLessThanOrEqual(1.001)
})

test('a pump is named in a unit that has one', () => {
  const weak = from(60, { h: -0.3 }, 40)
  const change = (day: number) => ({ h: 0.6 + (weak(day).h ?? 0) })
  const { assessment } = run({ days: 120, change, context: () => ({ boosted: true }) })
  expect(assessment.findings[0]).toMatchObject({ cause: 'pump', alternatives: [{ cause: 'prefilter' }] })
  expect(assessment.findings[0]!.confidence).toBeGreaterThanOrEqual(certain)
})

test('a pump is not told from a pre-filter for certain where those of others on the supply have clogged', () => {
  const prefilter_lives = [{ at: 2000, ended: 9, surviving: 0.1 }]
  const weak = from(60, { h: -0.3 }, 40)
  const change = (day: number) => ({ h: 0.6 + (weak(day).h ?? 0) })
  const { assessment } = run({ days: 120, change, context: () => ({ boosted: true, prefilter_lives }) })
  expect(assessment.findings).toMatchObject([{ cause: 'pump', alternatives: [{ cause: 'prefilter' }] }])
  expect(assessment.findings[0]!.confidence).toBeLessThan(certain)
})

test('of several findings that ask for action the surest comes first, whichever was found first', () => {
  const [fouling, clogged] = [from(60, { a: -0.2 }, 30), from(90, { h: -0.3 })]
  const { assessment } = run({ days: 110, change: day => ({ ...fouling(day), ...clogged(day) }) })
  const found = assessment.findings.map(({ number, cause, severity }) => ({ number, cause, severity }))
  expect(found).toEqual([
    { number: 2, cause: 'prefilter', severity: 'act' },
    { number: 1, cause: 'fouling', severity: 'act' },
  ])
})

describe('a sensor of the flow', () => {
  /** Returns the days of a device whose meter changes against its flow by this (as ln), among other channels. */
  const metered = (size: ByChannel<number>, meter: number) => {
    const change = from(60, { ...size, meter }, 60)
    return run({
      days: 130,
      change: from(60, size, 60),
      sums: (sums, day) => Object.assign(sums, { metered: 10 * Math.exp(change(day).meter!), integrated: 10 }),
    })
  }

  test('is named where flow and restrictor move apart, and the meter against the flow', () => {
    const size = { a: -0.28, b: -0.2, brief: -0.2, r: 0.17 }
    const { assessment } = metered(size, 0.28)
    expect(assessment.findings[0]).toMatchObject({ cause: 'flow_sensor' })
    const meter = assessment.findings[0]!.evidence.find(({ channel }) => channel === 'meter')!
    expect(meter.value).toBeGreaterThan(0.15)
    expect(meter.expected[0]).toBeGreaterThan(0.15)
  })

  test('is named where only the litres move', () => {
    expect(metered({}, -0.28).assessment.findings[0]).toMatchObject({ cause: 'flow_sensor' })
  })

  test('is not blamed for fouling that its meter explains', () => {
    expect(metered({ a: -0.3 }, 0).assessment.findings[0]).toMatchObject({ cause: 'fouling' })
  })
})

describe('a tank', () => {
  /** Returns the days of a device whose tank has this air, litres times bar; 0 for no tank. */
  const withAir = (air: (day: number) => number, days = 130) =>
    run({
      days,
      sums: (sums, day) => {
        const runs = 6 + (day % 3)
        if (air(day) > 0) Object.assign(sums, { tank_runs: runs, tank_litres: runs, tank_relief: runs / air(day) })
      },
    })
  const sound = (day: number) => 17 * (1 + 0.04 * Math.sin(day * 2.3))
  const losing = (day: number) => sound(day) * (1 - 0.45 * Math.min(1, Math.max(0, (day - 60) / 60)))

  test('that loses its air is found and named, with how much it has lost', () => {
    const { assessment, found } = withAir(losing)
    expect(found).toBeGreaterThan(62)
    expect(assessment.findings).toMatchObject([{ cause: 'tank', group: 'tank', severity: 'act' }])
    const [{ began, evidence }] = assessment.findings as [(typeof assessment.findings)[number]]
    expect(evidence).toMatchObject([{ channel: 'tank', baseline: expect.closeTo(Math.log(17), 1) as number }])
    expect(evidence[0]!.value).toBeLessThan(-0.3)
    expect(began.early).toBeLessThanOrEqual(20_062)
    expect(began.late).toBeGreaterThanOrEqual(20_058)
  })

  test('that keeps its air, or gains some, has no finding', () => {
    expect(withAir(sound).found).toBeUndefined()
    expect(withAir(day => sound(day) * (day < 60 ? 1 : 1.5)).found).toBeUndefined()
  })

  test('is forgotten when some odd runs have suggested it, or when it is gone', () => {
    expect(withAir(day => (day % 5 === 0 ? 17 : 0)).state.channels.tank?.baseline ?? null).toBeNull()
    expect(withAir(day => (day < 40 ? 17 : 0), 60).state.channels.tank?.baseline).toBeCloseTo(Math.log(17), 1)
    expect(withAir(day => (day < 40 ? 17 : 0), 80).state.channels.tank).toBeUndefined()
  })

  test('once known, begins the baseline of standard flow anew', () => {
    const { state } = withAir(sound, 14)
    expect(state.channels.tank!.baseline).not.toBeNull()
    expect(state.channels.a?.baseline ?? null).toBeNull()
    expect(state.channels.r!.baseline).not.toBeNull()
  })
})

test('a step is found within five days, and its beginning lies in the interval', () => {
  const { found, assessment } = run({ days: 75, change: from(60, { b: 0.35, brief: 0.35 }) })
  expect(found).toBeLessThanOrEqual(64)
  const { early, late } = assessment.findings[0]!.began
  expect(early).toBeLessThanOrEqual(20_060)
  expect(late).toBeGreaterThanOrEqual(20_058)
})

test('a finding that stays open began before it was found, whatever its channels do later', () => {
  const fouled = from(60, { a: -0.3 }, 40)
  const later = from(170, { a: 0.08 })
  const { assessment, found } = run({
    days: 200,
    change: day => ({ a: fouled(day).a! + later(day).a! }),
  })
  const [finding] = assessment.findings
  expect(finding!.began.late).toBeLessThanOrEqual(finding!.detected)
  expect(finding!.detected).toBe(first + found!)
  expect(finding).toMatchObject({ cause: 'fouling', tempo: 'ramp' })
  expect(finding!.evidence.find(({ channel }) => channel === 'a')!.value).toBeLessThan(-0.12)
})

test('what the neighbours share is no finding', () => {
  const change = from(60, { a: -0.3 }, 30)
  const { found } = run({
    days: 120,
    change,
    context: day => ({ neighbours: { a: { n: 40, median: change(day).a! } } }),
  })
  expect(found).toBeUndefined()
})

test('the feed of a small supply that changed says nothing against a cause that the other channels show', () => {
  const change = from(60, { a: -0.35 }, 60)
  const [finding] = run({
    days: 130,
    change: day => ({ ...change(day), ...from(80, { f: 0.4 })(day) }),
    context: day => ({ neighbours: { f: { n: 4, median: day < 80 ? 0 : 0.42 } } }),
  }).assessment.findings
  expect(finding).toMatchObject({ cause: 'fouling' })
})

test('a day on which nobody draws water leaves a finding as doubtful as the neighbours made it', () => {
  const fouled = (days: number) =>
    run({
      days,
      change: day => (day < 120 ? from(60, { a: -0.3 }, 60)(day) : null),
      context: day => ({ neighbours: day < 120 ? { a: { n: 3, median: from(60, { a: -0.12 }, 60)(day).a! } } : {} }),
    }).assessment.findings[0]!
  const [before, after] = [fouled(120), fouled(121)]
  const errorOf = ({ evidence }: Finding) => evidence.find(({ channel }) => channel === 'a')!.error
  expect(errorOf(before)).toBeGreaterThan(0.1)
  expect(errorOf(after)).toBeCloseTo(errorOf(before), 3)
  expect(after.confidence).toBeCloseTo(before.confidence, 2)
})

test('a change of the feed water alone is no finding of the device', () => {
  expect(run({ days: 120, change: from(60, { f: 0.47 }) }).found).toBeUndefined()
})

describe('rest flow', () => {
  const rest = (litresAnHour: number, hours: number) =>
    run({
      days: 40,
      sums: (sums, day) =>
        day < 30 ? undefined : Object.assign(sums, { rest_litres: litresAnHour * hours, rest_hours: hours }),
    }).assessment.findings

  test('is a leak, or a valve that does not close', () => {
    expect(rest(0.5, 20)).toMatchObject([{ cause: 'leak', severity: 'act' }])
    expect(rest(30, 20)).toMatchObject([{ cause: 'valve_stuck', severity: 'act' }])
  })

  test('counts from 0.3 l/h over three hours', () => {
    expect(rest(0.2, 20)).toEqual([])
    expect(rest(0.5, 2)).toEqual([])
  })
})

describe('creep', () => {
  const findingsAfter = (change: Parameters<typeof from>[1]) =>
    run({ days: 120, change: from(60, change, 20) }).assessment.findings

  test('is found although settled salt passage stays the same', () => {
    const [creep, ...others] = findingsAfter({ brief: 0.25 })
    expect(creep).toMatchObject({ cause: 'creep', severity: 'watch' })
    // What short draws passed when new, over long ones.
    expect(creep!.evidence[0]!.baseline).toBeCloseTo(0.4, 1)
    expect(others).toEqual([])
    expect(findingsAfter({ brief: 0.1 })).toEqual([])
  })

  test('is not where short draws pass as much salt as before, and long ones less', () => {
    expect(findingsAfter({ b: -0.18 }).map(({ cause }) => cause)).not.toContain('creep')
  })
})

test('a membrane that ageing wears is worn by what it has lost since new', () => {
  const flow_a_year = Math.log(0.7)
  const { assessment } = run({
    days: 420,
    change: day => ({ a: (flow_a_year * day) / 365.25 }),
    context: () => ({ priors: { ...usualContext.priors, flow_a_year } }),
  })
  const [finding] = assessment.findings
  expect(finding).toMatchObject({ cause: 'worn', evidence: [{ channel: 'a', unit: 'ln' }] })
  expect(finding!.evidence[0]!.value).toBeLessThan(Math.log(0.75))
})

test('a finding is closed once it is over', () => {
  const change = (day: number) => ({ r: day >= 60 && day < 80 ? -0.5 : 0 })
  expect(run({ days: 80, change }).state.open).toHaveLength(1)
  expect(run({ days: 110, change }).state.open).toHaveLength(0)
})

describe('the score', () => {
  test('falls with the flow', () => {
    const score = (loss: number) => run({ days: 100, change: from(40, { a: -loss }, 50) }).assessment.score!
    expect(score(0)).toBeGreaterThanOrEqual(80)
    expect(score(0.1)).toBeLessThan(score(0.04))
  })

  test('is 0 with a certain finding that asks for action', () => {
    expect(run({ days: 120, change: from(60, { r: -0.6 }, 40) }).assessment).toMatchObject({ score: 0, state: 'act' })
  })
})

test('weeks without data neither find nor forget anything', () => {
  const change = (day: number) => (day >= 60 && day < 100 ? null : {})
  const { assessment, found } = run({ days: 130, change })
  expect(found).toBeUndefined()
  expect(assessment.state).toBe('good')
})

test.each([
  ['salt', { b: 2, brief: 2 }],
  ['flow', { a: -1 }],
  ['pressure', { h: -1.5 }],
] as const)('no cause is certain, and each has a runner-up: %s', (_, change) => {
  const { findings } = run({ days: 120, change: day => (day > 60 ? change : {}) }).assessment
  expect(findings.length).toBeGreaterThan(0)
  for (const { confidence, alternatives } of findings) {
    expect(confidence).toBeLessThanOrEqual(0.99)
    expect(alternatives[0]!.confidence).toBeGreaterThanOrEqual(0.01)
    expect(alternatives[0]!.confidence).toBeLessThanOrEqual(confidence)
  }
})
