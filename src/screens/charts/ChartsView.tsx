import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { ApiError } from '../../api/errors.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { dayName } from '../../domain/charts/axis.ts'
import { chartModel, positionOnAxis, type ChartModel } from '../../domain/charts/lines.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { keptOnAxis } from '../../domain/charts/zoom.ts'
import { wallTime } from '../../domain/zone.ts'
import { charts, cursor, setCursorPositions } from '../../store/charts.ts'
import { useUnits } from '../../store/preferences.ts'
import type { CollectedStatistics } from './collector.ts'
import { ChartCard, SmallCharts } from './ChartCard.tsx'
import { ChartTable } from './ChartTable.tsx'
import { colourOf } from './colourOf.ts'
import { useChartTheme } from '../../commands/surfaces/charts/chartTheme.ts'
import { CursorStatus } from './CursorStatus.tsx'
import { useMarks } from './useMarks.ts'

interface Props {
  view: CollectedStatistics | undefined
  bssids: readonly string[]
  dateRange: string
  now: number
  describedBy: string
  /** Whether the charts show the previous query while a new one loads. */
  busy: boolean
}

/** The charts, or a placeholder while they load or after they failed. */
export function ChartsView(props: Props) {
  const { view, bssids } = props
  if (!view || (view.devices.every(({ data }) => !data) && view.devices.some(({ error }) => error === undefined)))
    return <Skeletons />
  const failed = view.devices.filter(({ data, error }) => !data && error !== undefined)
  if (failed.length === view.devices.length) return <AllFailed error={failed[0]?.error} />
  return <LoadedCharts {...props} view={view} bssids={bssids} />
}

function LoadedCharts({ view, bssids, dateRange, now, describedBy, busy }: Props & { view: CollectedStatistics }) {
  const { enlargedChart, table, hiddenDevices, layout, cursorTime } = useSnapshot(charts)
  const { chart } = useSnapshot(cursor)
  const units = useUnits()
  const theme = useChartTheme()
  const hidden = useMemo(() => new Set(hiddenDevices), [hiddenDevices])
  const colours = view.devices.map(({ bssid }) => colourOf(bssid)).join('|')
  const model = useMemo(() => modelOf(view, colours.split('|')), [view, colours])
  const { marks, since } = useMarks(bssids, model, hidden)
  useEffect(() => {
    setCursorPositions(
      { xs: model.grid.rows.map(({ x }) => x), end: model.grid.end },
      marks.map(({ row, notification }) => ({ x: model.grid.rows[row]!.x, notification })),
    )
    // The axis changes with the date range, and moves on with time.
    if (cursor.x !== undefined && !cursor.xs.includes(cursor.x))
      Object.assign(cursor, { x: undefined, anchor: undefined })
    const kept = charts.zoom && keptOnAxis(cursor, charts.zoom)
    if (kept?.from !== charts.zoom?.from) charts.zoom = kept
  }, [model, marks])
  useEffect(() => () => setCursorPositions({ xs: [], end: 0 }, []), [])
  useEffect(() => {
    if (cursorTime === undefined || busy) return
    const instant = Date.parse(cursorTime)
    const position = positionOnAxis(model, 0, instant)
    // Cached statistics may end before the time. The cursor waits until they have been read again.
    if (position || instant < Date.parse(model.devices[0]!.statistics.from)) charts.cursorTime = undefined
    if (position) cursor.x ??= model.grid.rows[position.row]!.x
  }, [cursorTime, busy, model])

  const active = chartKinds.find(({ id }) => id === (enlargedChart ?? chart)) ?? chartKinds[0]
  const visibleCharts = enlargedChart || table ? [active] : chartKinds
  // On narrow screens the whole screen scrolls, with its toolbar.
  const scrollsWhole = !table && !enlargedChart
  const isSplit = layout === 'device' && model.devices.length > 1
  const Chart = isSplit ? SmallCharts : ChartCard
  // In the last bucket the present is at the end of the axis; in device zones it differs between devices.
  const nowAt = useMemo(() => {
    if (view.query.inDeviceZone) return undefined
    const position = positionOnAxis(model, 0, now)
    return position && position.row < model.grid.rows.length - 1 ? position.x : undefined
  }, [model, now, view])
  return (
    <div className={`flex min-h-0 flex-1 flex-col ${scrollsWhole ? 'max-[719px]:flex-none' : ''}`} aria-busy={busy}>
      {(!table || enlargedChart) && (
        <div
          className={`@container min-h-0 overflow-auto bg-bg ${table ? 'h-[300px] shrink-0' : 'flex-1'} ${scrollsWhole ? 'max-[719px]:overflow-visible' : ''} ${busy ? 'opacity-60' : ''}`}
        >
          <div
            className={
              enlargedChart
                ? `grid min-h-[240px] bg-line ${isSplit ? 'min-h-full' : 'h-full'}`
                : isSplit
                  ? 'grid gap-px bg-line'
                  : 'grid min-h-full auto-rows-[minmax(184px,1fr)] gap-px bg-line @max-[719px]:auto-rows-[220px] @[720px]:grid-cols-2 @[1700px]:grid-cols-4'
            }
          >
            {visibleCharts.map(kind => (
              <Chart
                key={kind.id}
                {...{ model, kind, units, hidden, marks, theme, dateRange, describedBy }}
                now={nowAt}
              />
            ))}
          </div>
        </div>
      )}
      {since !== undefined && (!table || enlargedChart) && (
        <p className="border-t border-line bg-panel px-3 py-1 text-[11.5px] text-ink3">
          Only notifications since {dayName(wallTime(view.query.zone, Date.parse(since)))} are marked
        </p>
      )}
      {table && <ChartTable model={model} kind={active} units={units} hidden={hidden} now={now} />}
      <CursorStatus {...{ model, units, hidden, marks }} />
    </div>
  )
}

function modelOf({ devices, query }: CollectedStatistics, colours: readonly string[]): ChartModel {
  return chartModel(
    devices.flatMap(({ bssid, data }, deviceIndex) =>
      data
        ? [{ bssid, name: bssid, colour: colours[deviceIndex]!, timeZone: data.timeZone, statistics: data.statistics }]
        : [],
    ),
    { zone: query.zone, perDevice: query.inDeviceZone ?? false },
  )
}

function Skeletons() {
  return (
    <div className="@container min-h-0 flex-1 overflow-auto" aria-busy="true" aria-label="Charts" role="region">
      <div className="grid min-h-full auto-rows-[minmax(184px,1fr)] gap-px bg-line @[720px]:grid-cols-2">
        {chartKinds.map(({ id, title }) => (
          <div key={id} className="flex flex-col gap-2 bg-panel p-3">
            <p className="text-[12.5px] font-semibold">{title}</p>
            <div className="flex-1 skeleton" />
          </div>
        ))}
      </div>
    </div>
  )
}

function AllFailed({ error }: { error: unknown }) {
  return (
    <div role="alert" className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <p>{error instanceof ApiError ? error.message : 'The statistics could not be loaded'}</p>
      <CommandButton command={commandOf('view.refresh')} label="Retry" />
    </div>
  )
}
