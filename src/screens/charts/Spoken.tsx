import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { momentName } from '../../domain/charts/axis.ts'
import { readingsAt, type ChartModel } from '../../domain/charts/lines.ts'
import { spokenReadings } from '../../domain/charts/speech.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { cursor } from '../../store/charts.ts'
import { useSettled } from '../../ui/useSettled.ts'
import type { Mark } from './useMarks.ts'

/** Milliseconds for which the cursor must rest before what it reads is said. */
const rest = 350

/** What the cursor reads where it has come to rest, for who hears it. */
export function Spoken(props: {
  model: ChartModel
  units: UnitChoice
  hidden: ReadonlySet<string>
  marks: readonly Mark[]
}) {
  const { x, chart } = useSnapshot(cursor)
  const settled = useSettled(
    useMemo(() => ({ x, chart }), [x, chart]),
    rest,
  )
  return (
    <p role="status" aria-label="At the cursor" className="sr-only">
      {settled.x !== undefined && said(props, settled.chart, settled.x)}
    </p>
  )
}

function said(
  { model, units, hidden, marks }: Parameters<typeof Spoken>[0],
  chart: string | undefined,
  x: number,
): string {
  const at = model.grid.rows.findIndex(row => row.x === x)
  const row = model.grid.rows[at]
  if (!row) return ''
  const kind = chartKinds.find(({ id }) => id === chart) ?? chartKinds[0]
  const notified = marks.filter(mark => mark.row === at)
  return [
    `${momentName(row, model.seconds)}. ${kind.title}:`,
    spokenReadings(kind, readingsAt(model, kind, at, hidden), units),
    ...notified.map(({ notification: { type, device } }) => `${notificationDefinitions[type].text}, ${device.bssid}.`),
  ].join(' ')
}
