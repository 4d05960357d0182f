import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceStatistics, ChartQuery } from '../../../../src/api/statistics.ts'
import { createCollector } from '../../../../src/screens/charts/collector.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const day: ChartQuery = { range: 'day', zone: 'UTC' }
const week: ChartQuery = { range: 'week', zone: 'UTC' }
const retry = () => undefined
const data = (bssid: string): DeviceStatistics => ({
  bssid,
  description: '',
  company: '',
  timeZone: null,
  statistics: { from: '', to: '', bucket_seconds: 600, points: [] },
})
const loaded = (bssid: string) => ({ bssid, data: data(bssid), error: undefined, retry })
const failed = (bssid: string) => ({ bssid, data: undefined, error: new Error('no'), retry })

function openCollector() {
  const collector = createCollector()
  const shown: string[] = []
  collector.subscribe(() => {
    const view = collector.view()!
    shown.push(
      `${view.query.range} ${view.devices.map(one => (one.data ? one.bssid : one.error ? '!' : '-')).join('')}`,
    )
  })
  return { collector, shown }
}

test('devices are shown together once all have loaded or failed', () => {
  const { collector, shown } = openCollector()
  collector.setQuery(['A', 'B', 'C'], day)
  collector.setState(loaded('C'), day)
  collector.setState(failed('B'), day)
  expect(shown).toEqual([])
  collector.setState(loaded('A'), day)
  expect(shown).toEqual(['day A!C'])
})

test('a slow device does not delay the others', () => {
  const { collector, shown } = openCollector()
  collector.setQuery(['A', 'B'], day)
  collector.setState(loaded('A'), day)
  vi.runAllTimers()
  expect(shown).toEqual(['day A-'])
  collector.setState(loaded('B'), day)
  expect(shown).toEqual(['day A-', 'day AB'])
})

test('the previous result stays until the new one is complete, and results of other queries are ignored', () => {
  const { collector, shown } = openCollector()
  collector.setQuery(['A'], day)
  collector.setState(loaded('A'), day)
  collector.setQuery(['A'], week)
  collector.setState(loaded('A'), day)
  expect(collector.view()?.query).toBe(day)
  collector.setState(loaded('A'), week)
  expect(shown).toEqual(['day A', 'week A'])
})

test('a removed device disappears at once, and repeated states change nothing', () => {
  const { collector, shown } = openCollector()
  collector.setQuery(['A', 'B'], day)
  const a = loaded('A')
  collector.setState(a, day)
  collector.setState(loaded('B'), day)
  collector.setQuery(['A', 'B'], { ...day })
  collector.setState(a, day)
  collector.setQuery(['A'], day)
  expect(shown).toEqual(['day AB', 'day A'])
})

test('reloaded statistics of several devices are shown together', () => {
  const { collector, shown } = openCollector()
  const all = ['A', 'B', 'C']
  collector.setQuery(all, day)
  for (const bssid of all) collector.setState(loaded(bssid), day)
  const again = all.map(loaded)
  for (const state of again) collector.setState(state, day)
  expect(shown).toEqual(['day ABC'])
  vi.runAllTimers()
  expect(shown).toEqual(['day ABC', 'day ABC'])
  expect(collector.view()!.devices.map(one => one.data)).toEqual(again.map(one => one.data))
})

test('a new query during a reload waits for all devices', () => {
  const { collector, shown } = openCollector()
  collector.setQuery(['A', 'B'], day)
  for (const bssid of ['A', 'B']) collector.setState(loaded(bssid), day)
  collector.setState(loaded('A'), day)
  collector.setQuery(['A', 'B'], week)
  collector.setState(loaded('A'), week)
  vi.advanceTimersByTime(300)
  expect(shown).toEqual(['day AB'])
  collector.setState(loaded('B'), week)
  expect(shown).toEqual(['day AB', 'week AB'])
})
