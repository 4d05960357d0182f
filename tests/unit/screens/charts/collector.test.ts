import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceStatistics, StatisticsQuery } from '../../../../src/api/statistics.ts'
import { createCollector } from '../../../../src/screens/charts/collector.ts'

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
  const board = createCollector()
  const shown: string[] = []
  board.subscribe(() => {
    const view = board.view()!
    shown.push(
      `${view.query.range} ${view.devices.map(one => (one.data ? one.bssid : one.error ? '!' : '-')).join('')}`,
    )
  })
  return { board, shown }
}

test('devices are shown together once all have been read or have failed', () => {
  const { board, shown } = watched()
  board.setQuery(['A', 'B', 'C'], day)
  board.setState(read('C'), day)
  board.setState(failed('B'), day)
  expect(shown).toEqual([])
  board.setState(read('A'), day)
  expect(shown).toEqual(['day A!C'])
})

test('what takes long is not waited for', () => {
  const { board, shown } = watched()
  board.setQuery(['A', 'B'], day)
  board.setState(read('A'), day)
  vi.runAllTimers()
  expect(shown).toEqual(['day A-'])
  board.setState(read('B'), day)
  expect(shown).toEqual(['day A-', 'day AB'])
})

test('the answer to the question before stays until the new one is whole; answers to others are passed over', () => {
  const { board, shown } = watched()
  board.setQuery(['A'], day)
  board.setState(read('A'), day)
  board.setQuery(['A'], week)
  board.setState(read('A'), day)
  expect(board.view()?.query).toBe(day)
  board.setState(read('A'), week)
  expect(shown).toEqual(['day A', 'week A'])
})

test('a device that is taken out goes at once, and the same told again changes nothing', () => {
  const { board, shown } = watched()
  board.setQuery(['A', 'B'], day)
  const a = read('A')
  board.setState(a, day)
  board.setState(read('B'), day)
  board.setQuery(['A', 'B'], { ...day })
  board.setState(a, day)
  board.setQuery(['A'], day)
  expect(shown).toEqual(['day AB', 'day A'])
})

test('what is read again of several devices is shown once', () => {
  const { board, shown } = watched()
  const all = ['A', 'B', 'C']
  board.setQuery(all, day)
  for (const bssid of all) board.setState(read(bssid), day)
  const again = all.map(read)
  for (const state of again) board.setState(state, day)
  expect(shown).toEqual(['day ABC'])
  vi.runAllTimers()
  expect(shown).toEqual(['day ABC', 'day ABC'])
  expect(board.view()!.devices.map(one => one.data)).toEqual(again.map(one => one.data))
})

test('a question that comes while devices are read again is waited for as any other', () => {
  const { board, shown } = watched()
  board.setQuery(['A', 'B'], day)
  for (const bssid of ['A', 'B']) board.setState(read(bssid), day)
  board.setState(read('A'), day)
  board.setQuery(['A', 'B'], week)
  board.setState(read('A'), week)
  vi.advanceTimersByTime(300)
  expect(shown).toEqual(['day AB'])
  board.setState(read('B'), week)
  expect(shown).toEqual(['day AB', 'week AB'])
})
