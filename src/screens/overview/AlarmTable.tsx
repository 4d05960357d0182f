import type { AlarmLoad } from '../../api/contract/notifications.ts'
import { dateFormat } from '../../domain/dates.ts'
import { formatNumber } from '../../domain/format.ts'

const dayName = dateFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])

/** Alarms by day as a table, newest first. */
export function AlarmTable({ days }: { days: AlarmLoad['days'] }) {
  return (
    <div
      role="group"
      aria-label="Alarms by day"
      tabIndex={0}
      // With focus in the table, these keys scroll it instead of moving to another entry.
      onKeyDown={event => scrollKeys.has(event.key) && event.stopPropagation()}
      className="max-h-[240px] overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-right tabular-nums">
        <caption className="sr-only">Alarms by day</caption>
        <thead className="sticky top-0 bg-bg text-[11.5px] text-ink3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Day
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Alarms
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              In floods
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ at, alarms, flooded }) => (
            <tr key={at} className="border-t border-line">
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap text-ink2">
                {dayName(Date.parse(at))}
              </th>
              <td className="px-3 py-1">{formatNumber(alarms, 0)}</td>
              <td className="px-3 py-1">{formatNumber(flooded, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
