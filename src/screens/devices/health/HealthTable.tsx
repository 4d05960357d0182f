import type { DeviceHealth } from '../../../api/contract/health.ts'
import { dayName } from '../../../domain/charts/axis.ts'
import { dayPosition, percentOfNew } from '../../../domain/charts/healthLines.ts'
import { formatNumber, noValue } from '../../../domain/format.ts'
import { channelTexts } from '../../../domain/health/texts/channelTexts.ts'
import { shownChannels } from './shownChannels.ts'

const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])

/** The values of the health charts as a table: a row for each day, or old week, with data, newest first. */
export function HealthTable({ health, zone }: { health: DeviceHealth; zone: string }) {
  const channels = shownChannels(health)
  return (
    <div
      role="group"
      aria-label="Health by day"
      tabIndex={0}
      // With focus in the table, these keys scroll it instead of the screen.
      onKeyDown={event => scrollKeys.has(event.key) && event.stopPropagation()}
      className="max-h-[420px] overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-right tabular-nums">
        <caption className="sr-only">Values in % of new</caption>
        <thead className="sticky top-0 bg-bg text-[11.5px] text-ink3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Day
            </th>
            {channels.map(channel => (
              <th key={channel} scope="col" className="px-3 py-1.5 font-medium">
                {channelTexts[channel].name}, %
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {health.points.toReversed().map(({ at, days, values }) => (
            <tr key={at} className="border-t border-line">
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap text-ink2">
                {days > 1 && 'Week of '}
                {dayName(dayPosition(Date.parse(at), zone))}
              </th>
              {channels.map(channel => {
                const change = values[channel]
                return (
                  <td key={channel} className="px-3 py-1">
                    {change === undefined ? noValue : formatNumber(percentOfNew(change), 1)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
