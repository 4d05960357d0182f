import type { DeviceDetail } from '../../api/contract/devices.ts'
import { amount, missing, percent } from '../../domain/format.ts'
import { totalsOf } from '../../domain/totals.ts'
import { unitOf, type Quantity, type UnitChoice } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'

type Point = DeviceDetail['statistics']['points'][number]

interface Measure {
  readonly name: string
  readonly of: Quantity | 'percent'
  readonly series: keyof Omit<Point, 'at'>
  /** Sums of the day are bars; the value beside them is all of it together. */
  readonly sum?: true
  readonly now: (device: DeviceDetail) => number | null
}

/** The newest value of a series, which no reading of its own tells. */
const lastOf = (series: Measure['series']) => (device: DeviceDetail) =>
  device.statistics.points.findLast(point => point[series] !== null)?.[series] ?? null

const measures: readonly Measure[] = [
  {
    name: 'Permeate today',
    of: 'volume',
    series: 'permeate',
    sum: true,
    now: device => totalsOf(device.statistics.points).permeate,
  },
  {
    name: 'Waste today',
    of: 'volume',
    series: 'waste',
    sum: true,
    now: device => totalsOf(device.statistics.points).waste,
  },
  { name: 'Production rate', of: 'flow', series: 'production_rate', now: lastOf('production_rate') },
  { name: 'Recovery rate', of: 'percent', series: 'instant_recovery_rate', now: device => device.recovery_rate },
  { name: 'Rejection rate', of: 'percent', series: 'rejection_rate', now: device => device.rejection_rate },
  { name: 'Pressure', of: 'pressure', series: 'pressure', now: device => device.pressure },
  { name: 'Temperature', of: 'temperature', series: 'temperature', now: device => device.temperature },
  { name: 'Feed TDS', of: 'concentration', series: 'feed_tds', now: device => device.feed_tds },
  { name: 'Permeate TDS', of: 'concentration', series: 'permeate_tds', now: device => device.permeate_tds },
]

const shown = (value: number | null, of: Measure['of'], units: UnitChoice): string =>
  value === null ? missing : of === 'percent' ? percent(value) : amount(value, of, units)

/** What the device measures: the newest reading, and how it went since midnight. */
export function Measures({ device }: { device: DeviceDetail }) {
  const units = useUnits()
  return (
    <ul
      aria-label="Measurements"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line @xl:grid-cols-3 @6xl:grid-cols-5"
    >
      {measures.map(measure => (
        <Card key={measure.name} measure={measure} device={device} units={units} />
      ))}
      {/* What is left of the last row. */}
      <li aria-hidden="true" className="bg-panel @xl:hidden @6xl:block" />
    </ul>
  )
}

function Card({ measure, device, units }: { measure: Measure; device: DeviceDetail; units: UnitChoice }) {
  const { name, of, series, sum } = measure
  const unit = of === 'percent' ? '%' : unitOf(of, units).symbol
  const values = device.statistics.points.map(point => point[series])
  const known = values.filter(value => value !== null)
  const low = known.length > 0 ? shown(Math.min(...known), of, units) : undefined
  const high = shown(Math.max(...known), of, units)
  const last = shown(known.at(-1) ?? null, of, units)
  const label =
    low === undefined
      ? `${name}: nothing was read today`
      : sum
        ? `${name}: at most ${high} ${unit} in ten minutes`
        : `${name} today: low ${low}, high ${high}, last ${last} ${unit}`
  return (
    <li className="min-w-0 bg-panel px-3.5 pt-3 pb-2.5">
      <p className="truncate text-ink3">{name}</p>
      <p className="mt-0.5 mb-1.5 flex items-baseline gap-1 whitespace-nowrap">
        <span className="text-[19px] leading-7 font-semibold tracking-tight tabular-nums">
          {shown(measure.now(device), of, units)}
        </span>
        <span className="text-[12px] text-ink3">{unit}</span>
      </p>
      <div className={sum && series === 'waste' ? 'text-ink3' : 'text-accent'}>
        <Sparkline values={values} label={label} kind={sum ? 'bars' : 'line'} />
      </div>
      <p aria-hidden="true" className="mt-1 h-4 truncate text-[11px] leading-4 text-ink3 tabular-nums">
        {low === undefined
          ? 'nothing read today'
          : sum
            ? 'since midnight'
            : `${low === high ? low : `${low} – ${high}`} today`}
      </p>
    </li>
  )
}
