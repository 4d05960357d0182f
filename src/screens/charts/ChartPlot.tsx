import { useCallback, useMemo } from 'react'
import { subscribe, useSnapshot } from 'valtio'
import { zoomBetween } from '../../commands/charts/actions.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { ticksOf } from '../../domain/charts/axis.ts'
import { toUnit, symbolOf } from '../../domain/charts/data.ts'
import { extentOf, linesOf, nearestRow, readingsAt, type ChartModel } from '../../domain/charts/lines.ts'
import type { ChartKind } from '../../domain/charts/charts.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { charts, cursor } from '../../store/charts.ts'
import { LineChart, type PlotFrame, type SharedCursor } from '../../ui/chart/LineChart.tsx'
import type { ChartTheme } from '../../commands/surfaces/charts/chartTheme.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import { dashes } from './dashes.ts'
import { useBands } from './useBands.ts'
import type { Mark } from './useMarks.ts'

const sharedCursor: SharedCursor = {
  read: () => ({ x: cursor.x, anchor: cursor.anchor }),
  subscribe: moved => subscribe(cursor, moved),
}

/** With more devices, only the highlighted one has bands. */
const maxBands = 4

export interface PlotProps {
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

interface Props extends PlotProps {
  /** The only device, of a small chart. */
  device?: string
  /** Values that the value axis includes in any case. */
  values?: PlotFrame['includedRange']
  /** Whether Tab stops here and the tooltip is here, of small charts. */
  isActive?: boolean
}

/** The lines of a chart, with cursor and tooltip: of all devices that are not hidden, or of one. */
export function ChartPlot(props: Props) {
  const { model, kind, units, hidden, marks, theme, now, device, isActive = true } = props
  const { zoom, enlargedChart, highlightedDevice, pointedDevice } = useSnapshot(charts)
  const { chart: activeChart } = useSnapshot(cursor)
  const { rows, end } = model.grid
  const from = zoom?.from ?? rows[0]?.x ?? 0
  const to = zoom?.to ?? end
  const visible = model.devices.filter(({ bssid }) => !hidden.has(bssid))
  const standsOut = [pointedDevice, highlightedDevice].find(wanted => visible.some(({ bssid }) => bssid === wanted))
  const highlighted = visible.length > 1 ? standsOut : undefined

  const asBands = useBands(model)
  // Includes all bands, so that the value axis stays the same when only the highlighted device's band is drawn.
  const ownValues = useMemo(
    () => (asBands ? extentOf(linesOf(model, kind, units, hidden, true)) : undefined),
    [model, kind, units, hidden, asBands],
  )
  const values = props.values ?? ownValues
  // More bands would cover each other.
  const bandsOnly = visible.length > maxBands ? (highlighted ?? '') : highlighted
  const lines = useCallback(
    () =>
      linesOf(model, kind, units, hidden, asBands)
        .map(({ device: { bssid, colour }, series, points, isolated, bands }) => ({
          colour:
            highlighted === undefined || highlighted === bssid
              ? theme.colour(colour)
              : theme.faded(theme.colour(colour)),
          dash: dashes[kind.series.findIndex(({ measure }) => measure === series.measure)] ?? [],
          bold: highlighted === bssid,
          points,
          isolated,
          bands: bandsOnly === undefined || bandsOnly === bssid ? bands : [],
        }))
        // The last line is drawn above the others.
        .sort((one, other) => Number(one.bold) - Number(other.bold)),
    [model, kind, units, hidden, asBands, bandsOnly, theme, highlighted],
  )
  const isEmpty = useMemo(
    () =>
      model.devices.every(
        ({ bssid }, index) =>
          hidden.has(bssid) ||
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
      stepped: kind.sums && !asBands,
      empty: isEmpty,
      includedRange: values,
      marks: marks.map(({ x, notification }) => ({
        x,
        colour: theme.tones[notificationDefinitions[notification.type].tone],
      })),
      now,
    }),
    [from, to, rows, kind, marks, theme, now, isEmpty, values, asBands],
  )
  const dotsAt = useCallback(
    (x: number) => {
      const row = rows.findIndex(each => each.x === x)
      return readingsAt(model, kind, row, hidden).flatMap(({ device: { bssid, colour }, value }) =>
        typeof value === 'number' && (highlighted === undefined || highlighted === bssid)
          ? [{ y: toUnit(kind, value, units), colour: theme.colour(colour) }]
          : [],
      )
    },
    [model, kind, units, hidden, theme, rows, highlighted],
  )
  /** Returns the nearest bucket's position within the visible range. */
  const snapToBucket = (x: number) => {
    const row = nearestRow(model.grid, x, from, to)
    return row === undefined ? undefined : rows[row]!.x
  }
  const activate = () => {
    if (cursor.chart !== kind.id) cursor.chart = kind.id
    if (cursor.device !== device) cursor.device = device
  }
  const hasTooltip = (enlargedChart ?? activeChart) === kind.id && isActive

  return (
    <div className="relative flex min-h-0 flex-1">
      <LineChart
        command="charts.right"
        label={[kind.title, symbolOf(kind, units), device, props.dateRange].filter(Boolean).join(', ')}
        describedBy={props.describedBy}
        tabStop={isActive}
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
        onMarkClick={mark => {
          const id = marks[mark]?.notification._id
          if (id !== undefined) void run('charts.notification', { input: { id } })
        }}
        onKeyboard={activate}
        tooltip={
          hasTooltip && (
            <ChartTooltip
              {...{ model, kind, units, hidden, marks }}
              {...(highlighted !== undefined && { highlighted })}
            />
          )
        }
      />
      {isEmpty && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center pl-10 text-ink3">
          {/* Drawn above the line that marks the present. */}
          <span className="bg-panel px-2">{visible.length === 0 ? 'All devices are hidden' : 'No readings'}</span>
        </p>
      )}
    </div>
  )
}
