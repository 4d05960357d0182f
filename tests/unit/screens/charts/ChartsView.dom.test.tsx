/** What the charts show of what was read: their axis. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as notifications from '../../../../src/api/notifications.ts'
import type { CollectedStatistics } from '../../../../src/screens/charts/collector.ts'
import { ChartsView } from '../../../../src/screens/charts/ChartsView.tsx'
import { charts, showTime } from '../../../../src/store/charts.ts'
import type { ChartProps } from '../../../../src/ui/chart/LineChart.tsx'
import { madeDevice, type Made } from '../../support/charts.ts'

/** In place of a canvas, the times under it. */
vi.mock('../../../../src/ui/chart/LineChart.tsx', () => ({
  LineChart: ({ label, frame }: ChartProps) => (
    <div role="application" aria-label={label}>
      {frame.ticks(600).map(tick => (
        <time key={tick.x}>{tick.label}</time>
      ))}
    </div>
  ),
}))

const reset = () => {
  showTime({ range: 'day', until: undefined, cursorTime: undefined })
  charts.hiddenDevices = []
}
beforeEach(() => {
  vi.spyOn(notifications, 'useDeviceNotifications').mockReturnValue({ data: [] } as never)
  reset()
})
afterEach(() => {
  cleanup()
  reset()
  vi.restoreAllMocks()
})

const [day, hour] = [86_400_000, 3_600_000]
const midnight = Date.UTC(2026, 5, 2)

/** What is shown of devices; `until` is when their last day ends. */
function shown(devices: readonly Partial<Made>[], until = midnight, range: Made['range'] = 'day') {
  const view: CollectedStatistics = {
    query: { range, zone: 'UTC' },
    devices: devices.map(made => {
      const { bssid, timeZone, statistics } = madeDevice({ range, until, zone: 'UTC', ...made })
      const data = {
        bssid,
        description: '',
        company: '',
        timeZone,
        statistics: { ...statistics, points: [...statistics.points] },
      }
      return { bssid, data, error: undefined, retry: () => undefined }
    }),
  }
  const bssids = view.devices.map(({ bssid }) => bssid)
  return <ChartsView view={view} bssids={bssids} dateRange="Shown" now={midnight} describedBy="help" busy={false} />
}
const times = () => [...screen.getByRole('application', { name: /^Pressure/ }).children].map(tick => tick.textContent)
/** Valtio tells of a change a moment later. */
const settled = () => act(() => Promise.resolve())

test('a zoom ends with the day that it lies in, and stays where its day is read again', async () => {
  const { rerender } = render(shown([{}]))
  charts.zoom = { from: midnight - 3 * hour, to: midnight - hour }
  await settled()
  expect(times()).toContain('22:30')
  rerender(shown([{ read: () => ({ pressure: 4 }) }]))
  await settled()
  expect(times()).toContain('22:30')
  rerender(shown([{}], midnight + day))
  await settled()
  expect(times()).toContain('12:00')
})
