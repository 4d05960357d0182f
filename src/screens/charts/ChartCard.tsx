import { useCallback, useMemo } from 'react'
import { subscribe, useSnapshot } from 'valtio'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { zoomBetween } from '../../commands/charts/actions.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { ticksOf } from '../../domain/charts/axis.ts'
import { toUnit, symbolOf } from '../../domain/charts/data.ts'
import { linesOf, nearestRow, readingsAt, type ChartModel } from '../../domain/charts/lines.ts'
import type { ChartKind } from '../../domain/charts/charts.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { charts, cursor } from '../../store/charts.ts'
import { LineChart, type PlotFrame, type SharedCursor } from '../../ui/chart/LineChart.tsx'
import type { ChartTheme } from './chartTheme.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import type { Mark } from './useMarks.ts'

/** Dash patterns by series; the first series is solid. */
const dashes: readonly (readonly number[])[] = [[], [4, 3]]

const sharedCursor: SharedCursor = {
  read: () => ({ x: cursor.x, anchor: cursor.anchor }),
  subscribe: moved => subscribe(cursor, moved),
}

export interface CardProps {
  model: ChartModel
  kind: ChartKind
  units: UnitChoice
  hidden: ReadonlySet<string>
  marks: readonly Mark[]
  theme: ChartTheme
  /** The position of the present on the axis. */
  now: number | undefined
  /** The visible date range in words. */
  dateRange: string
  describedBy: string
}

/** One of the eight charts: title, unit, legend and lines. */
export function ChartCard(props: CardProps) {
  const { model, kind, units, hidden, marks, theme, now } = props
  const { zoom, enlargedChart } = useSnapshot(charts)
  const { chart: active } = useSnapshot(cursor)
  const { rows, end } = model.grid
  const from = zoom?.from ?? rows[0]?.x ?? 0
  const to = zoom?.to ?? end

  const lines = useCallback(
    () =>
      linesOf(model, kind, units, hidden).map(({ device, series, points, isolated }) => ({
        colour: theme.colour(device.colour),
        dash: dashes[kind.series.findIndex(({ measure }) => measure === series.measure)] ?? [],
        points,
        isolated,
      })),
    [model, kind, units, hidden, theme],
  )
  const isEmpty = useMemo(
    () =>
      model.devices.every(
        (device, index) =>
          hidden.has(device.bssid) ||
          kind.series.every(({ measure }) => model.values(index, measure).every(value => typeof value !== 'number')),
      ),
    [model, kind, hidden],
  )
  const frame = useMemo(
    (): PlotFrame => ({
      from,
      to,
      ticks: pixels =>
        ticksOf(
          rows.filter(({ x }) => x >= from && x <= to),
          pixels - 60,
        ),
      fromZero: kind.sums,
      stepped: kind.sums,
      empty: isEmpty,
      marks: marks.map(({ x, notification }) => ({
        x,
        colour: theme.tones[notificationDefinitions[notification.type].tone],
      })),
      now,
    }),
    [from, to, rows, kind, marks, theme, now, isEmpty],
  )
  const dotsAt = useCallback(
    (x: number) => {
      const row = rows.findIndex(each => each.x === x)
      return readingsAt(model, kind, row, hidden).flatMap(({ device, value }) =>
        typeof value === 'number' ? [{ y: toUnit(kind, value, units), colour: theme.colour(device.colour) }] : [],
      )
    },
    [model, kind, units, hidden, theme, rows],
  )
  /** Returns the nearest bucket's position within the visible range. */
  const snapToBucket = (x: number) => {
    const row = nearestRow(model.grid, x, from, to)
    return row === undefined ? undefined : rows[row]!.x
  }
  const activate = () => {
    if (cursor.chart !== kind.id) cursor.chart = kind.id
  }

  return (
    <section aria-labelledby={`chart-${kind.id}`} className="flex min-h-0 min-w-0 flex-col bg-panel px-2 pt-1.5 pb-1">
      <header className="flex min-h-[26px] items-center gap-3 pl-1">
        {/* Wraps instead of truncating, because the unit is shown nowhere else. */}
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <h2 id={`chart-${kind.id}`} className="text-[12.5px] font-semibold">
            {kind.title}
            <span className="font-normal text-ink3">, {symbolOf(kind, units)}</span>
          </h2>
          {kind.series.length > 1 && (
            <span className="flex gap-3">
              {kind.series.map((series, index) => (
                <span
                  key={series.measure}
                  className="flex items-center gap-1.5 text-[11px] whitespace-nowrap text-ink3"
                >
                  <svg width="18" height="2" aria-hidden="true" className="overflow-visible stroke-ink2">
                    <line x2="18" y1="1" y2="1" strokeWidth="1.5" strokeDasharray={dashes[index]?.join(' ')} />
                  </svg>
                  {series.name}
                </span>
              ))}
            </span>
          )}
        </div>
        <span className="ml-auto">
          <CommandButton
            command={commandOf('charts.enlarge')}
            label={enlargedChart ? 'All charts' : `Enlarge ${kind.title}`}
            iconOnly
            className="!size-[24px]"
            onRun={activate}
          />
        </span>
      </header>
      <div className="relative flex min-h-0 flex-1">
        <LineChart
          command="charts.right"
          label={`${kind.title}, ${symbolOf(kind, units)}, ${props.dateRange}`}
          describedBy={props.describedBy}
          lines={lines}
          frame={frame}
          theme={theme}
          cursor={sharedCursor}
          dotsAt={dotsAt}
          onRead={x => {
            activate()
            cursor.x = x === undefined ? undefined : snapToBucket(x)
          }}
          onZoom={zoomBetween}
          onReset={() => void run('charts.zoomReset')}
          onMark={mark => {
            const id = marks[mark]?.notification._id
            if (id !== undefined) void run('charts.notification', { input: { id } })
          }}
          onFocus={activate}
          tooltip={
            (enlargedChart ?? active) === kind.id && (
              <ChartTooltip model={model} kind={kind} units={units} hidden={hidden} marks={marks} />
            )
          }
        />
        {isEmpty && (
          <p className="pointer-events-none absolute inset-0 grid place-items-center pl-10 text-ink3">
            {/* Drawn above the line that marks the present. */}
            <span className="bg-panel px-2">
              {model.devices.every(({ bssid }) => hidden.has(bssid)) ? 'All devices are hidden' : 'No readings'}
            </span>
          </p>
        )}
      </div>
    </section>
  )
}
