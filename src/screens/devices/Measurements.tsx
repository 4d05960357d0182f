import type { DeviceDetail } from '../../api/contract/devices.ts'
import { formatAmount, noValue, formatPercent } from '../../domain/format.ts'
import { totalsOf } from '../../domain/totals.ts'
import { unitOf, type Quantity, type UnitChoice } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'

type Point = DeviceDetail['statistics']['points'][number]

interface Measurement {
  readonly name: string
  readonly quantity: Quantity | 'percent'
  readonly series: keyof Omit<Point, 'at'>
  /** Whether amounts are summed: drawn as bars, with their total as the current value. */
  readonly sum?: true
  /** Returns the current value in base units. */
  readonly current: (device: DeviceDetail) => number | null
}

/** Returns the last value of a series, for measurements that the device's latest reading lacks. */
const lastOf = (series: Measurement['series']) => (device: DeviceDetail) =>
  device.statistics.points.findLast(point => point[series] !== null)?.[series] ?? null

const measurements: readonly Measurement[] = [
  {
    name: 'Permeate in 24 hours',
    quantity: 'volume',
    series: 'permeate',
    sum: true,
    current: device => totalsOf(device.statistics.points).permeate,
  },
  {
    name: 'Waste in 24 hours',
    quantity: 'volume',
    series: 'waste',
    sum: true,
    current: device => totalsOf(device.statistics.points).waste,
  },
  { name: 'Production rate', quantity: 'flow', series: 'production_rate', current: lastOf('production_rate') },
  {
    name: 'Recovery rate',
    quantity: 'percent',
    series: 'instant_recovery_rate',
    current: device => device.recovery_rate,
  },
  { name: 'Rejection rate', quantity: 'percent', series: 'rejection_rate', current: device => device.rejection_rate },
  { name: 'Pressure', quantity: 'pressure', series: 'pressure', current: device => device.pressure },
  { name: 'Temperature', quantity: 'temperature', series: 'temperature', current: device => device.temperature },
  { name: 'Feed TDS', quantity: 'concentration', series: 'feed_tds', current: device => device.feed_tds },
  { name: 'Permeate TDS', quantity: 'concentration', series: 'permeate_tds', current: device => device.permeate_tds },
]

const format = (value: number | null, quantity: Measurement['quantity'], units: UnitChoice): string =>
  value === null ? noValue : quantity === 'percent' ? formatPercent(value) : formatAmount(value, quantity, units)

/** The device's measurements: the latest value, and a sparkline of the last 24 hours. */
export function Measurements({ device }: { device: DeviceDetail }) {
  const units = useUnits()
  return (
    <ul
      aria-label="Measurements"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line @xl:grid-cols-3 @6xl:grid-cols-5"
    >
      {measurements.map(measurement => (
        <Card key={measurement.name} measurement={measurement} device={device} units={units} />
      ))}
      {/* Fills the last row of the grid. */}
      <li aria-hidden="true" className="bg-panel @xl:hidden @6xl:block" />
    </ul>
  )
}

function Card({ measurement, device, units }: { measurement: Measurement; device: DeviceDetail; units: UnitChoice }) {
  const { name, quantity, series, sum } = measurement
  const unit = quantity === 'percent' ? '%' : unitOf(quantity, units).symbol
  const values = device.statistics.points.map(point => point[series])
  const current = measurement.current(device)
  // The latest reading may be newer than the last point.
  const readings = [...values, ...(sum ? [] : [current])].filter(value => value !== null)
  const low = readings.length > 0 ? format(Math.min(...readings), quantity, units) : undefined
  const high = format(Math.max(...readings), quantity, units)
  const last = format(readings.at(-1) ?? null, quantity, units)
  const label =
    low === undefined
      ? `${name}: no readings in the last 24 hours`
      : sum
        ? `${name}: at most ${high} ${unit} in ten minutes`
        : `${name} in the last 24 hours: low ${low}, high ${high}, last ${last} ${unit}`
  return (
    <li className="min-w-0 bg-panel px-3.5 pt-3 pb-2.5">
      <p className="truncate text-ink3">{name}</p>
      <p className="mt-0.5 mb-1.5 flex items-baseline gap-1 whitespace-nowrap">
        <span className="text-[19px] leading-7 font-semibold tracking-tight tabular-nums">
          {format(current, quantity, units)}
        </span>
        <span className="text-[12px] text-ink3">{unit}</span>
      </p>
      <div className={sum && series === 'waste' ? 'text-ink3' : 'text-accent'}>
        <Sparkline values={values} label={label} kind={sum ? 'bars' : 'line'} />
      </div>
      <p aria-hidden="true" className="mt-1 h-4 truncate text-[11px] leading-4 text-ink3 tabular-nums">
        {low === undefined
          ? 'no readings in 24 hours'
          : sum
            ? 'per 10 min'
            : `24 h: ${low === high ? low : `${low}–${high}`}`}
      </p>
    </li>
  )
}
