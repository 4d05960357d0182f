import { useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { deviceZones, statisticsAsked, type StatisticsAsked } from '../../api/statistics.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { bucketsOf } from '../../domain/buckets.ts'
import { stretchName } from '../../domain/charts/axis.ts'
import { ownZone } from '../../domain/ownZone.ts'
import { wallTime } from '../../domain/zone.ts'
import { chartedDevices, charts, cursor, endVisit } from '../../store/charts.ts'
import { useSelection } from '../../store/selection.ts'
import { useNow } from '../../ui/useNow.ts'
import { chartWhatIsAdded } from './added.ts'
import { createBoard } from './board.ts'
import { ChartsToolbar } from './ChartsToolbar.tsx'
import { ChartsView } from './ChartsView.tsx'
import { DeviceChips } from './DeviceChips.tsx'
import { Readers } from './Readers.tsx'

/** The eight charts of the selected devices. */
export function ChartsScreen() {
  const { range, until, zone, only, chosen } = useSnapshot(charts)
  useSelection('devices')
  const bssids = chartedDevices({ only, chosen: [...chosen] })
  const viewer = useMemo(ownZone, [])
  const now = useNow(60_000)
  const { until: end } = statisticsAsked({ range, until, zone }, bssids, now, viewer, useSnapshot(deviceZones))
  const asked = useMemo(
    (): StatisticsAsked => ({ range, until: end, zone: viewer, own: zone === 'device' }),
    [range, end, viewer, zone],
  )
  const [board] = useState(createBoard)
  const view = useSyncExternalStore(board.subscribe, board.view)
  useEffect(() => board.close, [board])
  useEffect(chartWhatIsAdded, [])
  // What was asked for by others stands for this visit.
  useEffect(() => endVisit, [])
  useEffect(() => () => void Object.assign(charts, { only: undefined, enlarged: undefined, hidden: [] }), [])
  useEffect(() => () => void Object.assign(cursor, { x: undefined, anchor: undefined, chart: undefined }), [])

  const stretch = useMemo(() => {
    const { edges } = bucketsOf(range, end === undefined ? now : Date.parse(end), viewer)
    return stretchName(wallTime(viewer, edges[0]!), wallTime(viewer, edges.at(-1)!))
  }, [range, end, viewer, now])
  const help = useId()

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 tabIndex={-1} className="sr-only">
        Charts
      </h1>
      {bssids.length === 0 ? (
        <NoDevices />
      ) : (
        <>
          <ChartsToolbar stretch={stretch} zone={viewer} />
          <DeviceChips bssids={bssids} states={view?.devices ?? []} />
          <Readers board={board} bssids={bssids} asked={asked} />
          <p id={help} className="sr-only">
            Arrow keys move the cursor, with Shift they mark a stretch, Enter zooms to it, Escape goes back.
          </p>
          <ChartsView
            view={view}
            bssids={bssids}
            stretch={stretch}
            now={now}
            describedBy={help}
            busy={JSON.stringify(view?.asked) !== JSON.stringify(asked)}
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
      <p className="max-w-sm text-ink2">
        The charts show the statistics of the devices that are selected, each in a colour of its own.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <CommandButton command={commandOf('device.find')} primary />
        <CommandButton command={commandOf('go.devices')} label="Select in the list" />
      </div>
    </div>
  )
}
