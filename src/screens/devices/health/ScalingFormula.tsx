import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { formatAmount, formatNumber } from '../../../domain/format.ts'
import { concentrateOf } from '../../../domain/health/water/scaling.ts'
import {
  diagnosisText,
  indexFormula,
  indexSources,
  indexSymbols,
  indexText,
  limitText,
  noIndexText,
  scalingVerdict,
} from '../../../domain/health/water/waterTexts.ts'
import { unitOf } from '../../../domain/units.ts'
import { useUnits } from '../../../store/preferences.ts'
import { SidewaysTable } from '../../../ui/table/SidewaysTable.tsx'
import { Part } from './Part.tsx'

/** The Langelier index of feed and concentrate: its formula with the numbers of the device and of its water. */
export function ScalingFormula({ health: { water, scaling } }: { health: DeviceHealth }) {
  const units = useUnits()
  if (!water) return null
  const amount = (value: number, quantity: 'temperature' | 'concentration') =>
    `${formatAmount(value, quantity, units)} ${unitOf(quantity, units).symbol}`
  const indices = scaling?.indices
  if (!scaling || !indices)
    return (
      <Part title="Scaling: Langelier index">
        <p className="text-ink2">{noIndexText(scaling !== null)}</p>
      </Part>
    )
  const concentrate = concentrateOf(water, scaling)
  const rows = [
    { name: 'Feed', water: { ...water, tds: scaling.tds }, index: indices.feed },
    { name: 'Concentrate', water: concentrate, index: indices.concentrate },
  ]
  return (
    <Part title="Scaling: Langelier index">
      <p className="text-ink2">
        {indexFormula} <span className="text-ink3">[L]</span>, at {amount(scaling.temperature, 'temperature')}. In the
        concentrate, hardness, alkalinity and TDS are 1 ÷ (1 − Y) = {formatNumber(concentrate.tds / scaling.tds, 2)}{' '}
        times as high at the recovery Y of {formatNumber(100 * scaling.recovery)} %, and the pH is higher by its lg{' '}
        <span className="text-ink3">[F]</span>.
      </p>
      <SidewaysTable label="Langelier index">
        <table className="w-full text-right tabular-nums">
          <thead className="text-[11.5px] text-ink3">
            <tr>
              <th scope="col" className="py-1 pr-3 text-left font-medium">
                Water
              </th>
              {['Index', 'pH', 'TDS', 'Hardness, mg/l', 'Alkalinity, mg/l'].map(title => (
                <th key={title} scope="col" className="py-1 pl-3 font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, water: { ph, tds, calcium_hardness, alkalinity }, index }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1 pr-3 text-left font-normal">
                  {name}
                </th>
                <td className="py-1 pl-3 font-medium">{indexText(index)}</td>
                <td className="py-1 pl-3">{formatNumber(ph, 2)}</td>
                <td className="py-1 pl-3 whitespace-nowrap">{amount(tds, 'concentration')}</td>
                <td className="py-1 pl-3">{formatNumber(calcium_hardness)}</td>
                <td className="py-1 pl-3">{formatNumber(alkalinity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </SidewaysTable>
      <p className="mt-2">
        {scalingVerdict(indices)} {limitText(indices)} {diagnosisText(indices)}
      </p>
      <dl className="mt-2 grid gap-x-4 gap-y-0.5 text-ink2 sm:grid-cols-[150px_minmax(0,1fr)]">
        {indexSymbols.map(([symbol, meaning]) => (
          <div key={symbol} className="contents">
            <dt>{symbol}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-2 grid gap-0.5 text-ink2">
        {indexSources.map(([symbol, source]) => (
          <li key={symbol}>
            [{symbol}] {source}
          </li>
        ))}
      </ul>
    </Part>
  )
}
