/** A visit of the charts at a given time, for example from a notification, and the state after it. */
import { afterEach, expect, test } from 'vitest'
import { charts } from '../../../src/store/charts.ts'
import { endVisit, visitTime } from '../../../src/store/chartVisit.ts'

const beforeVisit = {
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
afterEach(() => void Object.assign(charts, { beforeVisit: undefined, range: 'day', zone: 'viewer', table: false }))

test('a visit shows the day of its time as lines, and its end restores the state before', () => {
  Object.assign(charts, beforeVisit)
  visitTime('2026-03-03T00:00:00.000Z')
  expect(shown()).toMatchObject({ range: 'day', zone: 'viewer', table: false, until: '2026-03-03T00:00:00.001Z' })
  // A second time during the visit does not start another one.
  visitTime('2026-03-02T09:00:00.000Z')
  endVisit()
  expect(shown()).toEqual(beforeVisit)
})

test('settings changed during a visit are kept after it', () => {
  Object.assign(charts, { ...beforeVisit, table: false })
  visitTime('2026-03-03T09:00:00.000Z')
  Object.assign(charts, { range: 'month', table: true })
  endVisit()
  expect(shown()).toEqual({ ...beforeVisit, range: 'month' })
})

test('a time that was chosen by hand is kept when no visit is active', () => {
  Object.assign(charts, { ...beforeVisit, until: '2026-03-03T09:00:00.000Z' })
  endVisit()
  expect(charts.until).toBe('2026-03-03T09:00:00.000Z')
  charts.until = undefined
})
