import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceStatistics, StatisticsQuery } from '../../../../src/api/statistics.ts'
import { createBoard } from '../../../../src/screens/charts/board.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const day: StatisticsQuery = { range: 'day', zone: 'UTC' }
const week: StatisticsQuery = { range: 'week', zone: 'UTC' }
const retry = () => undefined
const data = (bssid: string): DeviceStatistics => ({
  bssid,
  description: '',
  company: '',
  timeZone: null,
  statistics: { from: '', to: '', bucket_seconds: 600, points: [] },
})
const read = (bssid: string) => ({ bssid, data: data(bssid), error: undefined, retry })
const failed = (bssid: string) => ({ bssid, data: undefined, error: new Error('no'), retry })

function watched() {
  const board = createBoard()
  const shown: string[] = []
  board.subscribe(() => {
    const view = board.view()!
    shown.push(
      `${view.asked.range} ${view.devices.map(one => (one.data ? one.bssid : one.error ? '!' : '-')).join('')}`,
    )
  })
  return { board, shown }
}

test('devices are shown together once all have been read or have failed', () => {
  const { board, shown } = watched()
  board.ask(['A', 'B', 'C'], day)
  board.tell(read('C'), day)
  board.tell(failed('B'), day)
  expect(shown).toEqual([])
  board.tell(read('A'), day)
  expect(shown).toEqual(['day A!C'])
})

test('what takes long is not waited for', () => {
  const { board, shown } = watched()
  board.ask(['A', 'B'], day)
  board.tell(read('A'), day)
  vi.runAllTimers()
  expect(shown).toEqual(['day A-'])
  board.tell(read('B'), day)
  expect(shown).toEqual(['day A-', 'day AB'])
})

test('the answer to the question before stays until the new one is whole; answers to others are passed over', () => {
  const { board, shown } = watched()
  board.ask(['A'], day)
  board.tell(read('A'), day)
  board.ask(['A'], week)
  board.tell(read('A'), day)
  expect(board.view()?.asked).toBe(day)
  board.tell(read('A'), week)
  expect(shown).toEqual(['day A', 'week A'])
})

test('a device that is taken out goes at once, and the same told again changes nothing', () => {
  const { board, shown } = watched()
  board.ask(['A', 'B'], day)
  const a = read('A')
  board.tell(a, day)
  board.tell(read('B'), day)
  board.ask(['A', 'B'], { ...day })
  board.tell(a, day)
  board.ask(['A'], day)
  expect(shown).toEqual(['day AB', 'day A'])
})

test('what is read again of several devices is shown once', () => {
  const { board, shown } = watched()
  const all = ['A', 'B', 'C']
  board.ask(all, day)
  for (const bssid of all) board.tell(read(bssid), day)
  const again = all.map(read)
  for (const state of again) board.tell(state, day)
  expect(shown).toEqual(['day ABC'])
  vi.runAllTimers()
  expect(shown).toEqual(['day ABC', 'day ABC'])
  expect(board.view()!.devices.map(one => one.data)).toEqual(again.map(one => one.data))
})

test('a question that comes while devices are read again is waited for as any other', () => {
  const { board, shown } = watched()
  board.ask(['A', 'B'], day)
  for (const bssid of ['A', 'B']) board.tell(read(bssid), day)
  board.tell(read('A'), day)
  board.ask(['A', 'B'], week)
  board.tell(read('A'), week)
  vi.advanceTimersByTime(300)
  expect(shown).toEqual(['day AB'])
  board.tell(read('B'), week)
  expect(shown).toEqual(['day AB', 'week AB'])
})
