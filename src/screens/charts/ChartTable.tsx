import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { bucketLabel } from '../../domain/charts/axis.ts'
import { formatValue, symbolOf } from '../../domain/charts/data.ts'
import { tableOf, type ChartModel } from '../../domain/charts/lines.ts'
import type { ChartKind } from '../../domain/charts/charts.ts'
import type { UnitChoice } from '../../domain/units.ts'

/** Pixels. */
const rowHeight = 26
const timeWidth = 232
const cellWidth = 148

/** The data table of one chart: a row for each bucket that has started, newest first. */
export function ChartTable(props: {
  model: ChartModel
  kind: ChartKind
  units: UnitChoice
  hidden: ReadonlySet<string>
  /** Milliseconds UTC. */
  now: number
}) {
  'use no memo'
  const { model, kind, units, hidden, now } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { columns, rows } = useMemo(() => tableOf(model, kind, hidden, now), [model, kind, hidden, now])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  // The keys that scroll it work at once, unless the focus is on something that can be used.
  useEffect(() => {
    if (document.activeElement?.matches('body, main h1')) scroller.current?.focus({ preventScroll: true })
  }, [])
  if (columns.length === 0)
    return <p className="grid flex-1 place-items-center bg-panel text-ink3">All devices are hidden</p>
  const template = { gridTemplateColumns: `${timeWidth}px repeat(${columns.length}, minmax(${cellWidth}px, 1fr))` }
  const width = timeWidth + columns.length * cellWidth
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={`${kind.title}, ${symbolOf(kind, units)}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      tabIndex={0}
      data-scrolls
      className="min-h-0 flex-1 overflow-auto bg-panel focus-visible:outline-offset-[-2px]"
    >
      <div role="rowgroup" className="sticky top-0 z-10 bg-bg" style={{ minWidth: width }}>
        <div
          role="row"
          aria-rowindex={1}
          className="grid border-b border-line text-[11.5px] text-ink3"
          style={template}
        >
          <span role="columnheader" className="sticky left-0 self-end bg-bg px-3 py-1.5 font-medium">
            Time
          </span>
          {columns.map(({ device, series }) => (
            <span
              key={`${device.bssid} ${series.measure}`}
              role="columnheader"
              className="grid justify-items-end px-3 py-1.5"
            >
              <span className="flex items-center gap-1.5 font-mono text-[11px] text-ink2">
                <span className="size-2 rounded-[3px]" style={{ background: device.colour }} />
                {device.name}
              </span>
              <span className="font-medium">
                {series.name} ({symbolOf(kind, units)})
              </span>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize(), minWidth: width }}>
        {virtualizer.getVirtualItems().map(item => {
          const { row, at } = rows[item.index]!
          return (
            <div
              key={row.x}
              role="row"
              aria-rowindex={item.index + 2}
              className="absolute inset-x-0 grid items-center border-b border-line"
              style={{ ...template, height: rowHeight, transform: `translateY(${item.start}px)` }}
            >
              <span
                role="rowheader"
                className="sticky left-0 bg-panel px-3 leading-[25px] whitespace-nowrap text-ink2 tabular-nums"
              >
                {bucketLabel(row, model.seconds)}
              </span>
              {columns.map(({ device, series, values }) => (
                <span key={`${device.bssid} ${series.measure}`} role="cell" className="numeric px-3">
                  {formatValue(kind, values[at], units).replace(/ \S.*$/, '')}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
