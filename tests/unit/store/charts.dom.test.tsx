/** A moment that one was sent to, by a notification say, and what the charts show after that. */
import { afterEach, expect, test } from 'vitest'
import { charts, endVisit, visitTime } from '../../../src/store/charts.ts'

const usual = {
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

test('it is shown by lines on its day, and after the visit all is as it was', () => {
  Object.assign(charts, usual)
  visitTime('2026-03-03T00:00:00.000Z')
  expect(shown()).toMatchObject({ range: 'day', zone: 'viewer', table: false, until: '2026-03-03T00:00:00.001Z' })
  // A second one on the way is no other visit.
  visitTime('2026-03-02T09:00:00.000Z')
  endVisit()
  expect(shown()).toEqual(usual)
})

test('what is chosen meanwhile stays', () => {
  Object.assign(charts, { ...usual, table: false })
  visitTime('2026-03-03T09:00:00.000Z')
  Object.assign(charts, { range: 'month', table: true })
  endVisit()
  expect(shown()).toEqual({ ...usual, range: 'month' })
})

test('days that one went to by hand stay after any other visit', () => {
  Object.assign(charts, { ...usual, until: '2026-03-03T09:00:00.000Z' })
  endVisit()
  expect(charts.until).toBe('2026-03-03T09:00:00.000Z')
  charts.until = undefined
})
