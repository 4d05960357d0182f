import { expect, test } from 'vitest'
import type { StatusCode } from '../../../../../src/domain/device.ts'
import { decideUpdate, successTime, type FollowedUpdate } from '../../../../../server/resources/jobs/updateRules.ts'
import { msPerMinute } from '../../../../../src/domain/time.ts'

const acknowledgedAt = Date.UTC(2026, 4, 4)
const minutes = (count: number) => acknowledgedAt + count * msPerMinute
const start: FollowedUpdate = {
  version: '2.3.0',
  successTime: 10 * msPerMinute,
  acknowledgedAt,
  wasUpdating: false,
  onlineSince: null,
  device: null,
}
const [online, offline, updating] = [0, 3, 6] as const
type Look = readonly [minute: number, status: StatusCode, firmware: string]

/** Returns the state and reason after the server has seen these values of the device, one after the other. */
function after(...looks: readonly Look[]) {
  let update = start
  for (const [minute, status, firmware] of looks) {
    const { state, reason, ...found } = decideUpdate({ ...update, device: { status, firmware } }, minutes(minute))
    if (state !== 'sent') return [minute, state, reason]
    update = { ...update, ...found }
  }
  return 'sent'
}

test.each<readonly [string, readonly Look[], ReturnType<typeof after>]>([
  ['begins', [[0, online, '2.2.0']], 'sent'],
  [
    'installs',
    [
      [1, updating, '2.2.0'],
      [30, updating, '2.2.0'],
    ],
    'sent',
  ],
  [
    'has just come back',
    [
      [1, updating, '2.2.0'],
      [5, online, '2.3.0'],
      [14.9, online, '2.3.0'],
    ],
    'sent',
  ],
  [
    'stays online',
    [
      [1, updating, '2.2.0'],
      [5, online, '2.3.0'],
      [15, online, '2.3.0'],
    ],
    [15, 'done', null],
  ],
  [
    'was too fast to be seen updating',
    [
      [0, online, '2.3.0'],
      [10, online, '2.3.0'],
    ],
    [10, 'done', null],
  ],
  [
    'loses its connection, and stays online then',
    [
      [5, online, '2.3.0'],
      [9, offline, '2.3.0'],
      [10, online, '2.3.0'],
      [15, online, '2.3.0'],
      [20, online, '2.3.0'],
    ],
    [20, 'done', null],
  ],
  [
    'comes back with the earlier version',
    [
      [1, updating, '2.2.0'],
      [2, offline, '2.2.0'],
      [3, updating, '2.2.0'],
      [4, online, '2.2.0'],
    ],
    [4, 'refused', 'The device reports firmware 2.2.0 after its update'],
  ],
  [
    'never begins',
    [
      [1, online, '2.2.0'],
      [4.9, online, '2.2.0'],
      [5, online, '2.2.0'],
    ],
    [5, 'refused', 'The device reports firmware 2.2.0 after its update'],
  ],
  [
    'does not come back',
    [
      [1, updating, '2.2.0'],
      [2, offline, '2.2.0'],
      [69.9, offline, '2.2.0'],
      [70, offline, '2.2.0'],
    ],
    [70, 'unanswered', 'The device was not online with firmware 2.3.0 in time after its update'],
  ],
  [
    'comes and goes',
    [
      [59, online, '2.3.0'],
      [65, offline, '2.3.0'],
      [66, online, '2.3.0'],
      [70, online, '2.3.0'],
    ],
    [70, 'unanswered', 'The device was not online with firmware 2.3.0 in time after its update'],
  ],
  [
    'is late, but in time',
    [
      [60, online, '2.3.0'],
      [70, online, '2.3.0'],
    ],
    [70, 'done', null],
  ],
])('a device that %s', (_, looks, expected) => {
  expect(after(...looks)).toEqual(expected)
})

test('a device that is gone is unanswered', () => {
  expect(decideUpdate(start, minutes(1))).toMatchObject({
    state: 'unanswered',
    reason: 'The device was deleted or belongs to another vendor',
  })
})

test('the next look is at the moment of success, or a few minutes later', () => {
  const next = (update: Partial<FollowedUpdate>, at: number) => decideUpdate({ ...start, ...update }, minutes(at)).dueAt
  expect(next({ device: { status: updating, firmware: '2.2.0' } }, 1)).toBe(minutes(6))
  expect(next({ device: { status: online, firmware: '2.3.0' }, onlineSince: minutes(1) }, 8)).toBe(minutes(11))
  expect(next({ device: { status: updating, firmware: '2.2.0' } }, 68)).toBe(minutes(70))
})

test('without a time, the acknowledgement is enough', () => {
  expect([successTime({}), successTime({ success: 'acknowledged' })]).toEqual([undefined, undefined])
  expect(successTime({ success: { minutes: 3 } })).toBe(3 * msPerMinute)
})
