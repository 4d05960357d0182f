import type { AlarmLoad } from '../../api/contract/notifications.ts'
import { dateFormat } from '../../domain/dates.ts'
import { formatNumber } from '../../domain/format.ts'
import { DayTable } from '../../ui/table/DayTable.tsx'

const dayName = dateFormat({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })

/** Alarms by day as a table, newest first. */
export const AlarmTable = ({ days }: { days: AlarmLoad['days'] }) => (
  <DayTable
    label="Alarms by day"
    caption="Alarms by day"
    columns={['Alarms', 'In floods']}
    rows={days.toReversed().map(({ at, alarms, flooded }) => ({
      key: at,
      day: dayName(Date.parse(at)),
      values: [formatNumber(alarms), formatNumber(flooded)],
    }))}
    maxHeight="max-h-[240px]"
  />
)
