/** The axis of the charts for the collected statistics. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { moveCursor, toggleHighlight } from '../../../../src/commands/charts/actions.ts'
import * as notifications from '../../../../src/api/notifications.ts'
import type { CollectedStatistics } from '../../../../src/screens/charts/collector.ts'
import { ChartsView } from '../../../../src/screens/charts/ChartsView.tsx'
import { charts, cursor, showTime } from '../../../../src/store/charts.ts'
import type { ChartProps } from '../../../../src/ui/chart/LineChart.tsx'
import { sampleDevice, type SampleDevice } from '../../support/charts.ts'

/** Renders the labels of the time axis, how many lines are bold, and the tooltip instead of a canvas. */
vi.mock('../../../../src/ui/chart/LineChart.tsx', () => ({
  LineChart: ({ label, frame, lines, tooltip, tabStop, onKeyboard }: ChartProps) => (
    <>
      <div role="application" aria-label={label} tabIndex={tabStop ? 0 : -1} onFocus={onKeyboard}>
        {frame.ticks(600).map(tick => (
          <time key={tick.x}>{tick.label}</time>
        ))}
      </div>
      <p>{`${label.split(',')[0]}: ${lines().filter(({ bold }) => bold).length} bold`}</p>
      {tooltip}
    </>
  ),
}))

const resetCharts = () => {
  showTime({ range: 'day', until: undefined, cursorTime: undefined })
  Object.assign(charts, {
    hiddenDevices: [],
    highlightedDevice: undefined,
    pointedDevice: undefined,
    layout: 'together',
    table: false,
  })
  Object.assign(cursor, { chart: undefined, device: undefined })
}
beforeEach(() => {
  vi.spyOn(notifications, 'useDeviceNotifications').mockReturnValue({ data: [] } as never)
  resetCharts()
})
afterEach(() => {
  cleanup()
  resetCharts()
  vi.restoreAllMocks()
})

const [day, hour] = [86_400_000, 3_600_000]
const midnight = Date.UTC(2026, 5, 2)

/** Returns the view of these devices; `until` is the end of their range. */
function shown(devices: readonly Partial<SampleDevice>[], until = midnight, range: SampleDevice['range'] = 'day') {
  const view: CollectedStatistics = {
    query: { range, zone: 'UTC' },
    devices: devices.map(made => {
      const { bssid, timeZone, statistics } = sampleDevice({ range, until, zone: 'UTC', ...made })
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
/** Valtio notifies subscribers asynchronously. */
const settled = () => act(() => Promise.resolve())

test('a zoom ends when another day is shown, and is kept when the same day is reloaded', async () => {
  const { rerender } = render(shown([{}]))
  charts.zoom = { from: midnight - 3 * hour, to: midnight - hour }
  await settled()
  expect(times()).toContain('22:30')
  rerender(shown([{ valuesAt: () => ({ pressure: 4 }) }]))
  await settled()
  expect(times()).toContain('22:30')
  rerender(shown([{}], midnight + day))
  await settled()
  expect(times()).toContain('12:00')
})

test('a highlighted device stands out while the pointer is over one whose lines are hidden', async () => {
  render(shown([{ bssid: 'A' }, { bssid: 'B' }, { bssid: 'C' }]))
  Object.assign(charts, { hiddenDevices: ['C'], highlightedDevice: 'A', pointedDevice: 'C' })
  await settled()
  expect(screen.getByText(/^Pressure: /).textContent).toBe('Pressure: 1 bold')
})

test('a jump to a time waits for statistics that have it, and ends without a cursor if the time is before them', async () => {
  const { rerender } = render(shown([{}]))
  charts.cursorTime = new Date(midnight + hour).toISOString()
  await settled()
  expect(cursor.x).toBeUndefined()
  // The same statistics, read again.
  rerender(shown([{}], midnight + day))
  await settled()
  expect(cursor.x).toBe(cursor.xs[6])
  expect(charts.cursorTime).toBeUndefined()
  showTime({ cursorTime: new Date(midnight - hour).toISOString() })
  await settled()
  expect(cursor.x).toBeUndefined()
  expect(charts.cursorTime).toBeUndefined()
})

test('in small charts the tooltip and the Tab stop are at the last used device, else at the highlighted or first one', async () => {
  render(shown(['A', 'B', 'C'].map(bssid => ({ bssid, valuesAt: () => ({ pressure: 4 }) }))))
  charts.layout = 'device'
  await settled()
  moveCursor(-1, false)
  cursor.chart = 'pressure'
  const active = async () => {
    await settled()
    const small = screen.getAllByRole('application', { name: /^Pressure/ })
    const [stop] = small.filter(each => each.tabIndex === 0)
    const table = screen.getByRole('table')
    return [stop!.getAttribute('aria-label')!.split(', ')[2], table.textContent]
  }
  expect(await active()).toEqual(['A', 'A4.00 bar'])
  toggleHighlight('B')
  expect(await active()).toEqual(['B', 'B4.00 bar'])
  fireEvent.focus(screen.getByRole('application', { name: /^Pressure, bar, C/ }))
  expect(await active()).toEqual(['C', 'C4.00 bar'])
  toggleHighlight('A')
  expect(await active()).toEqual(['A', 'A4.00 bar'])
  charts.hiddenDevices = ['A']
  expect(await active()).toEqual(['B', 'B4.00 bar'])
})

test('the table takes the focus only from what cannot be used, and says when all devices are hidden', async () => {
  charts.table = true
  const { unmount } = render(shown([{ bssid: 'A' }]))
  expect(document.activeElement).toBe(screen.getByRole('table'))
  charts.hiddenDevices = ['A']
  await settled()
  expect(screen.queryByRole('table')).toBeNull()
  screen.getByText('All devices are hidden')
  unmount()

  charts.hiddenDevices = []
  render(<input aria-label="Search" autoFocus />)
  render(shown([{ bssid: 'A' }]))
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
})
