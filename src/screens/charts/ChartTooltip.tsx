import { useSnapshot } from 'valtio'
import { formatValue } from '../../domain/charts/data.ts'
import { bucketLabel } from '../../domain/charts/axis.ts'
import { readingsAt, type ChartModel } from '../../domain/charts/lines.ts'
import type { ChartKind } from '../../domain/charts/charts.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import { notificationValue } from '../../domain/notifications/texts.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { cursor } from '../../store/charts.ts'
import type { Mark } from './useMarks.ts'

/** More notifications would cover the chart. */
const maxNotifications = 4

/** The tooltip with all devices' readings and notifications at the cursor. */
export function ChartTooltip(props: {
  model: ChartModel
  kind: ChartKind
  units: UnitChoice
  hidden: ReadonlySet<string>
  marks: readonly Mark[]
  /** The device whose values stand out. */
  highlighted?: string
}) {
  const { model, kind, units, hidden, highlighted } = props
  const { x, anchor } = useSnapshot(cursor)
  const rowIndex = x === undefined ? -1 : model.grid.rows.findIndex(row => row.x === x)
  const row = model.grid.rows[rowIndex]
  if (!row) return null
  const visibleDevices = model.devices.filter(({ bssid }) => !hidden.has(bssid))
  const readings = readingsAt(model, kind, rowIndex, hidden)
  const notified = props.marks.filter(mark => mark.row === rowIndex)
  return (
    <div className="raised rounded-lg px-3 py-2 text-[12px] whitespace-nowrap">
      <p className="mb-1 font-medium tabular-nums">{bucketLabel(row, model.seconds)}</p>
      <table className="border-spacing-0">
        {kind.series.length > 1 && (
          <thead className="text-[11px] text-ink3">
            <tr>
              <th className="text-left font-normal">Device</th>
              {kind.series.map(series => (
                <th key={series.measure} className="pl-4 text-right font-normal">
                  {series.name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {visibleDevices.map(device => (
            <tr
              key={device.bssid}
              className={highlighted !== undefined && highlighted !== device.bssid ? 'opacity-50' : undefined}
            >
              <td>
                <span className="flex items-center gap-1.5 font-mono text-[11px] leading-[17px] text-ink2">
                  <span className="size-2 rounded-[3px]" style={{ background: device.colour }} />
                  {device.name}
                </span>
              </td>
              {readings
                .filter(reading => reading.device === device)
                .map(reading => (
                  <td key={reading.series.measure} className="numeric pl-4">
                    {reading.tooLittleWater ? (
                      <span className="text-ink3">too little water</span>
                    ) : (
                      formatValue(kind, reading.value, units)
                    )}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
      {anchor !== undefined && <p className="mt-1 text-ink3">Press Enter to zoom to the marked range</p>}
      {notified.length > 0 && (
        <ul className="mt-1.5 grid gap-0.5 border-t border-line pt-1.5">
          {notified.slice(0, maxNotifications).map(({ notification: { _id, type, values, device } }) => (
            <li key={_id} className="max-w-72 whitespace-normal">
              {[notificationDefinitions[type].text, notificationValue(type, values, units)].filter(Boolean).join(': ')}
              {visibleDevices.length > 1 && <span className="font-mono text-[11px] text-ink3"> {device.bssid}</span>}
            </li>
          ))}
          {notified.length > maxNotifications && (
            <li className="text-ink3">and {notified.length - maxNotifications} more</li>
          )}
        </ul>
      )}
    </div>
  )
}
