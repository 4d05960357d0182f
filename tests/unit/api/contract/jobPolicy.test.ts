import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { issueMessage } from '../../../../src/domain/lib/issues.ts'
import { JobPolicy } from '../../../../src/api/contract/jobPolicy.ts'
import { exceeds, waveSizes } from '../../../../src/domain/jobs/waves.ts'
import { nextOpening } from '../../../../src/domain/jobs/window.ts'

const messagesOf = (input: unknown) =>
  z.safeParse(JobPolicy, input, { reportInput: true }).error?.issues.map(issue => issueMessage(issue))

const full: JobPolicy = {
  waves: [{ size: 1, wait: 60 }, { size: '0.5%', wait: 43_200 }, { size: '100%' }],
  rate: 600,
  stop: { failed: '2.5%', after: 20 },
  offline: 72,
  retries: 2,
  window: { days: [6, 7], from: '22:00', to: '04:30' },
  success: { minutes: 10 },
  start: '2026-05-04T22:00:00+02:00',
}

test('a policy may have any of its fields, or none', () => {
  expect(z.parse(JobPolicy, full)).toEqual(full)
  for (const [name, value] of Object.entries(full))
    expect(z.parse(JobPolicy, { [name]: value })).toEqual({ [name]: value })
  expect(z.parse(JobPolicy, {})).toEqual({})
})

const wave = (size: unknown) => ({ waves: [{ size }] })
const stop = (failed: unknown) => ({ stop: { failed, after: 1 } })
const window = (changes: object) => ({ window: { days: [1], from: '09:00', to: '17:00', ...changes } })

test.each([
  ...[1, 100_000, '1%', '100%', '100.0%', '0.5%', '0.0001%', '99.9999%'].map(wave),
  ...['0%', '0.0%', '100%', '12.5%'].map(stop),
  { offline: 'skip' },
  { offline: 720 },
  { retries: 0 },
  { start: { rrule: 'FREQ=WEEKLY;BYDAY=SU', from: '2026-05-04T22:00:00+02:00', time_zone: 'Europe/Berlin' } },
  { success: 'acknowledged' },
  { success: { minutes: 1440 } },
  window({ to: '08:59' }),
  window({ to: '00:00' }),
  window({ days: [7, 6, 5, 4, 3, 2, 1] }),
])('valid: %j', policy => {
  expect(messagesOf(policy)).toBeUndefined()
})

test.each([
  [{ waves: [] }, 'Waves must have at least 1'],
  [{ waves: Array(21).fill({ size: 1 }) }, 'Waves must have at most 20'],
  [wave(0), 'Waves 1 size must be greater than or equal to 1'],
  [wave(100_001), 'Waves 1 size must be less than or equal to 100000'],
  [wave('0%'), 'Waves 1 size must be more than 0%'],
  [wave('0.00%'), 'Waves 1 size must be more than 0%'],
  ...['100.1%', '101%', '05%', '-1%', '5', '5 %', '.5%', '1e1%', '0.00001%', '0.00000%', '5%\n', ''].map(
    size => [wave(size), 'Waves 1 size must be a percentage up to 100%, such as 5%'] as const,
  ),
  [wave(true), 'Waves 1 size must be a number of devices or a percentage, such as 5%'],
  [{ waves: [{ wait: 5 }] }, 'Waves 1 size must be a number of devices or a percentage, such as 5%'],
  [{ waves: [{ size: 1, wait: -1 }] }, 'Waves 1 wait must be greater than or equal to 0'],
  [{ waves: [{ size: 1, wait: 43_201 }] }, 'Waves 1 wait must be less than or equal to 43200'],
  [{ waves: [{ size: 1, pause: 5 }] }, 'Unknown field: pause'],
  [{ rate: 0 }, 'Rate must be greater than or equal to 1'],
  [{ rate: 1.5 }, 'Rate must be an integer'],
  [stop('101%'), 'Stop failed must be a percentage up to 100%, such as 5%'],
  [stop(5), 'Stop failed must be a string'],
  [{ stop: { failed: '5%' } }, 'Stop after is required'],
  [{ stop: { after: 5 } }, 'Stop failed is required'],
  [{ offline: 'wait' }, 'Offline must be skip or a number of hours'],
  [{ offline: 0 }, 'Offline must be greater than or equal to 1'],
  [{ offline: 721 }, 'Offline must be less than or equal to 720'],
  [{ retries: 6 }, 'Retries must be less than or equal to 5'],
  [{ success: 'seen' }, 'Success must be acknowledged, or have minutes'],
  [{ success: { minutes: 0 } }, 'Success minutes must be greater than or equal to 1'],
  [{ success: { minutes: 1441 } }, 'Success minutes must be less than or equal to 1440'],
  [window({ days: [] }), 'Window days must have at least 1'],
  [window({ days: [0] }), 'Window days 1 must be greater than or equal to 1'],
  [window({ days: [1, 8] }), 'Window days 2 must be less than or equal to 7'],
  [window({ days: [1, 2, 1] }), 'Window days must not contain a day twice'],
  [window({ from: '24:00' }), 'Window from must be a time of day, such as 22:30'],
  [window({ to: '9:00' }), 'Window to must be a time of day, such as 22:30'],
  [window({ to: '09:00' }), 'Window must have a length'],
  [{ window: { days: [1], from: '09:00' } }, 'Window to is required'],
  [{ start: '2026-05-04' }, 'Start must be an ISO 8601 time, such as 2026-01-31T12:00:00Z'],
  [{ start: { rrule: 'FREQ=DAILY' } }, 'Start must be a time, or have rrule, from and time_zone'],
  [
    { start: { rrule: 'FREQ=SECONDLY', from: '2026-05-04T22:00:00Z', time_zone: 'UTC' } },
    'Start rrule must not repeat more often than hourly',
  ],
  [{ wave: 5 }, 'Unknown field: wave'],
] as const)('invalid: %j: %s', (policy, message) => {
  expect(messagesOf(policy)).toEqual([message])
})

test('times that are not times have only their own messages', () => {
  expect(messagesOf(window({ from: 'noon', to: 'noon' }))).toEqual([
    'Window from must be a time of day, such as 22:30',
    'Window to must be a time of day, such as 22:30',
  ])
})

test('the rules of the domain accept the parts of a policy', () => {
  const { waves, stop, window } = z.parse(JobPolicy, full)
  expect(waveSizes(waves, 1000)).toEqual([1, 5, 994])
  expect(exceeds(stop, { ended: 20, failed: 1 })).toBe(true)
  const friday = Date.parse('2026-05-08T12:00Z')
  expect(window && nextOpening(window, 'UTC', friday)).toBe(Date.parse('2026-05-09T22:00Z'))
})
