import { expect, test } from 'vitest'
import { daysLater, draggedStart, slotLater } from '../../../../src/domain/calendar/moves.ts'

const wall = (time: string) => Date.parse(`${time}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)

test('a drag ends at a quarter of an hour, and keeps the time if only the day changes', () => {
  const start = wall('2031-03-04T10:06')
  const from = { day: '2031-03-04', minutes: 610 }
  const dragged = (day: string, minutes: number) => text(draggedStart(start, from, { day, minutes }))
  expect(dragged('2031-03-06', 613)).toBe('2031-03-06T10:06')
  expect(dragged('2031-03-04', 622)).toBe('2031-03-04T10:15')
  expect(dragged('2031-03-05', 500)).toBe('2031-03-05T08:15')
  expect(dragged('2031-03-04', -200)).toBe('2031-03-04T00:00')
  expect(dragged('2031-03-04', 1700)).toBe('2031-03-04T23:45')
  expect(text(draggedStart(start, { day: '2031-03-04' }, { day: '2031-02-28' }))).toBe('2031-02-28T10:06')
})

test('a drag by the part of an event after midnight counts from its start', () => {
  const from = { day: '2031-03-05', minutes: 5 }
  const to = { day: '2031-03-06', minutes: 5 }
  expect(text(draggedStart(wall('2031-03-04T23:45'), from, to))).toBe('2031-03-05T23:45')
})

test('steps by keys keep the time of day, and skip times that clocks skip', () => {
  expect(text(daysLater(wall('2031-02-27T10:06'), 7))).toBe('2031-03-06T10:06')
  expect(text(slotLater('UTC', wall('2031-03-04T23:45'), 1))).toBe('2031-03-05T00:15')
  expect(text(slotLater('Europe/Berlin', wall('2031-03-30T01:30'), 1))).toBe('2031-03-30T03:00')
  expect(text(slotLater('Europe/Berlin', wall('2031-03-30T03:00'), -1))).toBe('2031-03-30T01:30')
})
