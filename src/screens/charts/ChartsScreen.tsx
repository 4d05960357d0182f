import { useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { statisticsQuery } from '../../api/statistics.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { periodLabel } from '../../domain/charts/axis.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { chartedDevices, charts, cursor } from '../../store/charts.ts'
import { endJump } from '../../store/chartJump.ts'
import { useSelection } from '../../store/selection.ts'
import { useNow } from '../../ui/useNow.ts'
import { chartAddedDevices } from './chartAddedDevices.ts'
import { createCollector } from './collector.ts'
import { ChartsToolbar } from './ChartsToolbar.tsx'
import { ChartsView } from './ChartsView.tsx'
import { DeviceChips } from './DeviceChips.tsx'
import { StatisticsReaders } from './StatisticsReaders.tsx'

/** The eight charts of the selected devices. */
export function ChartsScreen() {
  const { range, until, zone, onlyDevice, chosenDevices, table, enlargedChart } = useSnapshot(charts)
  useSelection('devices')
  const bssids = chartedDevices({ onlyDevice, chosenDevices: [...chosenDevices] })
  const viewerZone = useMemo(systemTimeZone, [])
  const now = useNow(60_000)
  const query = useMemo(() => statisticsQuery({ range, until, zone }, viewerZone), [range, until, zone, viewerZone])
  const [collector] = useState(createCollector)
  const view = useSyncExternalStore(collector.subscribe, collector.view)
  useEffect(() => collector.close, [collector])
  useEffect(chartAddedDevices, [])
  // Devices and a time that another screen has asked for are shown until this screen is left.
  useEffect(() => endJump, [])
  useEffect(
    () => () =>
      void Object.assign(charts, {
        onlyDevice: undefined,
        enlargedChart: undefined,
        hiddenDevices: [],
        highlightedDevice: undefined,
        pointedDevice: undefined,
      }),
    [],
  )
  useEffect(
    () => () => void Object.assign(cursor, { x: undefined, anchor: undefined, chart: undefined, device: undefined }),
    [],
  )

  const dateRange = periodLabel({ range, until }, viewerZone)
  const help = useId()

  return (
    // On narrow screens the toolbar scrolls away with the charts.
    <div className={`flex min-h-0 flex-1 flex-col ${table || enlargedChart ? '' : 'max-[719px]:overflow-auto'}`}>
      <h1 tabIndex={-1} className="sr-only">
        Charts
      </h1>
      {bssids.length === 0 ? (
        <NoDevices />
      ) : (
        <>
          <ChartsToolbar dateRange={dateRange} viewerZone={viewerZone} devices={bssids.length} />
          <DeviceChips bssids={bssids} states={view?.devices ?? []} />
          <StatisticsReaders collector={collector} bssids={bssids} query={query} />
          <p id={help} className="sr-only">
            Arrow keys move the cursor. Hold Shift to mark a range, press Enter to zoom to it, Escape to go back.
          </p>
          <ChartsView
            view={view}
            bssids={bssids}
            dateRange={dateRange}
            now={now}
            describedBy={help}
            busy={JSON.stringify(view?.query) !== JSON.stringify(query)}
          />
        </>
      )}
    </div>
  )
}

function NoDevices() {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="text-[15px] font-semibold">No devices selected</p>
      <p className="max-w-sm text-ink2">Select devices to see their statistics, each device in its own colour.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <CommandButton command={commandOf('device.find')} primary />
        <CommandButton command={commandOf('go.devices')} label="Select in the list" />
      </div>
    </div>
  )
}
