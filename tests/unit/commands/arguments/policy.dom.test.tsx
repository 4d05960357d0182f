/** A job's policy in words. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChosenPolicy } from '../../../../src/api/jobs/jobs.ts'
import { parsePolicy, policyStart } from '../../../../src/commands/arguments/policy.ts'
import { laterPolicyText, partText, policyText } from '../../../../src/commands/arguments/policyTexts.ts'
import { withNextPreset } from '../../../../src/commands/surfaces/dialogs/policyPresets.ts'

const now = Date.parse('2026-11-25T12:00:00Z')
const parse = (text: string) => parsePolicy(text, now)

describe('a policy in words', () => {
  test('has each part by its name, in any order', () => {
    expect(parse('waves 1%/1h 10% 50/2d window 2-05:30 mon-fri wait 7d retries 2 stop 5%/20 rate 100')).toEqual({
      policy: {
        waves: [{ size: '1%', wait: 60 }, { size: '10%' }, { size: 50, wait: 2880 }],
        window: { days: [1, 2, 3, 4, 5], from: '02:00', to: '05:30' },
        offline: 168,
        retries: 2,
        stop: { failed: '5%', after: 20 },
        rate: 100,
      },
    })
    expect(parse('window 22-04 fri-mon WAIT skip start now')).toEqual({
      policy: { window: { days: [5, 6, 7, 1], from: '22:00', to: '04:00' }, offline: 'skip' },
    })
    expect(parse('')).toEqual({ policy: {} })
  })

  test('starts at the next time at which clocks show the hour, or at a moment', () => {
    const startOf = (text: string) => {
      const parsed = parse(text)
      return 'policy' in parsed ? Date.parse(parsed.policy.start as string) : undefined
    }
    const next = startOf('start 03:00')!
    expect(next).toBeGreaterThan(now)
    expect(next - now).toBeLessThanOrEqual(25 * 3_600_000)
    expect(new Date(next).getMinutes()).toBe(0)
    expect(startOf('start 2026-12-01T02:00:00.000Z')).toBe(Date.parse('2026-12-01T02:00:00Z'))
    expect(new Date(startOf('start 2026-12-01 03:00')!).getHours()).toBe(3)
  })

  test.each([
    ['start monday at 8:00', 'start 2026-11-30 8:00'],
    ['start tomorrow at 22:00', 'start 2026-11-26 22:00'],
    ['start 2026-12-01 at 03:00', 'start 2026-12-01 03:00'],
    ['start at 22:00', 'start 22:00'],
    ['start in 2 hours', 'start 2h'],
    ['at 22:00 until 30d', 'start 22:00 until 30d'],
    ['repeat weekly on monday at 8:00', 'repeat weekly start 2026-11-30 8:00'],
    ['until friday at 18:00', 'until 2026-11-27 18:00'],
    ['rate 5 at 22:00', 'rate 5 start 22:00'],
  ])('the time of a day belongs to it: %s', (spoken, plain) => {
    expect(parse(spoken)).toEqual(parse(plain))
    expect(parse(plain)).toHaveProperty('policy')
  })

  test('is repeated by a rule that counts from its start', () => {
    expect(parse('repeat weekly mon,thu start 2026-12-01T02:00:00.000Z rate 5')).toEqual({
      policy: {
        rate: 5,
        start: {
          rrule: 'FREQ=WEEKLY;BYDAY=MO,TH',
          from: '2026-12-01T02:00:00.000Z',
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      },
    })
    expect(parse('repeat freq=monthly;byday=1su;count=3')).toMatchObject({
      policy: { start: { rrule: 'FREQ=MONTHLY;BYDAY=1SU;COUNT=3', from: new Date(now).toISOString() } },
    })
  })

  test('includes devices that come to match until the end of a day, or a moment', () => {
    const until = (text: string) => parse(`rate 5 until ${text}`)
    const end = (day: number) => ({ policy: { rate: 5, until: new Date(2026, 11, day).toISOString() } })
    expect(until('7d')).toEqual(end(3))
    expect(until('2026-12-31')).toEqual(end(32))
    expect(until('2026-12-31T10:00:00.000Z')).toEqual({ policy: { rate: 5, until: '2026-12-31T10:00:00.000Z' } })
    expect(policyText({ until: new Date(2026, 11, 3).toISOString() })).toBe('until 2026-12-02')
  })

  test('for a later run, a start within a day is one by the clock', () => {
    const start = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
    const clock = new Date(now + 5 * 3_600_000).toTimeString().slice(0, 5)
    expect(laterPolicyText({ start: start(5), rate: 5 }, now)).toBe(`start ${clock} rate 5`)
    expect(laterPolicyText({ start: start(30) }, now)).toBe(`start ${start(30)}`)
    expect(laterPolicyText({ offline: 168 }, now)).toBe('wait 7d')
    expect(laterPolicyText({}, now)).toBe('')
  })

  test.for([
    ['until soon', '“until soon” is not understood'],
    ['until 2026-02-31', '“until 2026-02-31” is not understood'],
    ['repeat FREQ=SECONDLY', /more often than hourly/],
    ['repeat sometimes', '“repeat sometimes” is not understood'],
    ['waves', '“waves” is not understood'],
    ['waves often', '“waves often” is not understood'],
    ['waves 1%/soon', '“waves 1%/soon” is not understood'],
    ['window 02', '“window 02” is not understood'],
    ['window 02-02', /must have a length/],
    ['window 02-05 someday', '“window 02-05 someday” is not understood'],
    ['wait 90min', '“wait 90min” is not understood'],
    ['rate 0', /^Rate must be/],
    ['retries 9', /^Retries must be/],
    ['waves 0%', /must be more than 0%/],
    ['rate 5 rate 500', '“rate” is given twice'],
    ['start 03:00 rate 5 at 22:00', '“start” is given twice'],
    ['start 22:00 in 2 hours', '“start 22:00 in 2 hours” is not understood'],
    ['window 02-05 monfri', '“window 02-05 monfri” is not understood'],
    ['repeat weekly monkey', '“repeat weekly monkey” is not understood'],
    ['slowly', '“slowly” is not understood'],
  ] as const)('says what is wrong: %s', ([text, problem]) => {
    const parsed = parse(text)
    expect('problem' in parsed ? parsed.problem : parsed).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    )
  })

  test('begins at a word that is followed by a value', () => {
    expect(policyStart(['2.3.0', 'waves', '1%'], now, { needsTime: true })).toBe(1)
    expect(policyStart(['2.3.0', 'wait'], now, { needsTime: true })).toBe(-1)
  })

  test('reads as it was typed', () => {
    const size = fc.oneof(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 99 }).map(percent => `${percent}%`),
    )
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
    const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 })
    const policies: fc.Arbitrary<ChosenPolicy> = fc.record(
      {
        waves: fc.array(fc.record({ size, wait: fc.integer({ min: 0, max: 43_200 }) }, { requiredKeys: ['size'] }), {
          minLength: 1,
          maxLength: 5,
        }),
        rate: fc.integer({ min: 1, max: 100_000 }),
        stop: fc.record({
          failed: fc.integer({ min: 0, max: 99 }).map(percent => `${percent}%`),
          after: fc.integer({ min: 1, max: 1000 }),
        }),
        offline: fc.oneof(fc.constant('skip' as const), fc.integer({ min: 1, max: 720 })),
        retries: fc.integer({ min: 0, max: 5 }),
        window: fc.record({ days, from: clock, to: clock }).filter(({ from, to }) => from !== to),
        start: fc.integer({ min: 1, max: 1000 }).chain(hours => {
          const from = new Date(now + hours * 3_600_000).toISOString()
          const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
          const rules = ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,SU', 'FREQ=MONTHLY;BYDAY=1SU;BYHOUR=3']
          return fc.oneof(fc.constant(from), ...rules.map(rrule => fc.constant({ rrule, from, time_zone })))
        }),
        until: fc
          .tuple(fc.integer({ min: 1, max: 400 }), fc.boolean(), fc.integer({ min: 0, max: 86_399_999 }))
          .map(([day, isEnd, at]) => new Date(2026, 10, 25 + day, 0, 0, 0, isEnd ? 0 : at).toISOString()),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(policies, policy => {
        expect(parse(policyText(policy))).toEqual({ policy })
      }),
    )
  })

  test('a part without a value reads as what then applies', () => {
    expect(partText('waves', {})).toBe('all at once')
    expect(partText('stop', { stop: { failed: '100%', after: 1 } })).toBe('never')
    expect(partText('rate', { rate: 100 })).toBe('100 a minute')
    expect(partText('until', {})).toBe('left out')
  })

  test('the presets of a part come back to the first, also those that count from now', () => {
    let policy: ChosenPolicy = { rate: 5 }
    const seen = [1, 2, 3, 4].map(second => {
      policy = withNextPreset(policy, 'until', now + second * 1000)
      return partText('until', policy)
    })
    expect(seen).toEqual(['until 2026-12-02', 'until 2026-12-25', 'until 2027-02-23', 'left out'])
    expect(policy).toEqual({ rate: 5 })
  })
})
