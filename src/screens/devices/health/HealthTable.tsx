import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { dayName } from '../../../domain/charts/axis.ts'
import { dayPosition, isHidden, percentOfNew } from '../../../domain/charts/healthLines.ts'
import { formatNumber, noValue } from '../../../domain/format.ts'
import { channelTexts } from '../../../domain/health/texts/channelTexts.ts'
import { DayTable } from '../../../ui/table/DayTable.tsx'
import { shownChannels } from './shownChannels.ts'

/** The values of the health charts as a table: a row for each day, or old week, with data, newest first. */
export function HealthTable({ health, zone }: { health: DeviceHealth; zone: string }) {
  const channels = shownChannels(health)
  return (
    <DayTable
      label="Health by day"
      caption="Values in % of new"
      columns={channels.map(
        channel => `${channelTexts[channel].name}, %${isHidden(health, channel) ? ' (hidden by the bypass)' : ''}`,
      )}
      rows={health.points.toReversed().map(({ at, days, values }) => ({
        key: at,
        day: `${days > 1 ? 'Week of ' : ''}${dayName(dayPosition(Date.parse(at), zone))}`,
        values: channels.map(channel => {
          const change = values[channel]
          return change === undefined ? noValue : formatNumber(percentOfNew(change), 1)
        }),
      }))}
      maxHeight="max-h-[420px]"
    />
  )
}
