/** A jump of the charts to a given time, for example from a notification, and the state after it. */
import { afterEach, expect, test } from 'vitest'
import { charts } from '../../../src/store/charts.ts'
import { endJump, jumpToTime } from '../../../src/store/chartJump.ts'

const beforeJump = {
  range: 'week',
  zone: 'device',
  table: true,
  until: undefined,
  cursorTime: undefined,
  zoom: undefined,
} as const
const shown = () => {
  const { range, zone, table, until, cursorTime, zoom } = charts
  return { range, zone, table, until, cursorTime, zoom }
}
afterEach(() => void Object.assign(charts, { beforeJump: undefined, range: 'day', zone: 'viewer', table: false }))

test('a jump shows the day of its time as lines, and its end restores the state before', () => {
  Object.assign(charts, beforeJump)
  jumpToTime('2026-03-03T00:00:00.000Z')
  expect(shown()).toMatchObject({ range: 'day', zone: 'viewer', table: false, until: '2026-03-03T00:00:00.001Z' })
  // The time of a second jump does not replace the state before the first.
  jumpToTime('2026-03-02T09:00:00.000Z')
  endJump()
  expect(shown()).toEqual(beforeJump)
})

test('settings changed after a jump are kept at its end', () => {
  Object.assign(charts, { ...beforeJump, table: false })
  jumpToTime('2026-03-03T09:00:00.000Z')
  Object.assign(charts, { range: 'month', table: true })
  endJump()
  expect(shown()).toEqual({ ...beforeJump, range: 'month' })
})

test('a time that was chosen by hand is kept without a jump', () => {
  Object.assign(charts, { ...beforeJump, until: '2026-03-03T09:00:00.000Z' })
  endJump()
  expect(charts.until).toBe('2026-03-03T09:00:00.000Z')
  charts.until = undefined
})
