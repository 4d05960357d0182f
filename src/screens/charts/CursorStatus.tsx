import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { bucketLabel } from '../../domain/charts/axis.ts'
import { readingsAt, type ChartModel } from '../../domain/charts/lines.ts'
import { readingsInWords } from '../../domain/charts/readingsInWords.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { cursor } from '../../store/charts.ts'
import { useDebouncedValue } from '../../ui/useDebouncedValue.ts'
import type { Mark } from './useMarks.ts'

/** Milliseconds that the cursor must rest before its readings are announced. */
const announceDelay = 350

/** Announces the readings at the cursor to screen readers once it rests. */
export function CursorStatus(props: {
  model: ChartModel
  units: UnitChoice
  hidden: ReadonlySet<string>
  marks: readonly Mark[]
}) {
  const { x, chart } = useSnapshot(cursor)
  const settled = useDebouncedValue(
    useMemo(() => ({ x, chart }), [x, chart]),
    announceDelay,
  )
  return (
    <p role="status" aria-label="At the cursor" className="sr-only">
      {settled.x !== undefined && cursorText(props, settled.chart, settled.x)}
    </p>
  )
}

function cursorText(
  { model, units, hidden, marks }: Parameters<typeof CursorStatus>[0],
  chart: string | undefined,
  x: number,
): string {
  const rowIndex = model.grid.rows.findIndex(row => row.x === x)
  const row = model.grid.rows[rowIndex]
  if (!row) return ''
  const kind = chartKinds.find(({ id }) => id === chart) ?? chartKinds[0]
  const notified = marks.filter(mark => mark.row === rowIndex)
  return [
    `${bucketLabel(row, model.seconds)}. ${kind.title}:`,
    readingsInWords(kind, readingsAt(model, kind, rowIndex, hidden), units),
    ...notified.map(({ notification: { type, device } }) => `${notificationDefinitions[type].text}, ${device.bssid}.`),
  ].join(' ')
}
