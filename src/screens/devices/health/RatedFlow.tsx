import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { formatAmount, formatNumber } from '../../../domain/format.ts'
import { nsf58 } from '../../../domain/normalise.ts'
import { unitOf, type Quantity } from '../../../domain/units.ts'
import { useUnits } from '../../../store/preferences.ts'

/** The permeate flow of the membrane now, and at the conditions of NSF/ANSI 58, by which makers rate membranes. */
export function RatedFlow({ rated }: { rated: NonNullable<DeviceHealth['rated_flow']> }) {
  const units = useUnits()
  const amount = (value: number, quantity: Quantity) =>
    `${formatAmount(value, quantity, units)} ${unitOf(quantity, units).symbol}`
  const conditions = (pressure: number, temperature: number, tds: number) =>
    [amount(pressure, 'pressure'), amount(temperature, 'temperature'), amount(tds, 'concentration')].join(', ')
  return (
    <div>
      <h3 className="mb-1 text-[12px] font-medium text-ink3">Permeate flow of the membrane</h3>
      <p className="tabular-nums">
        <span className="font-medium">{amount(rated.flow, 'flow')}</span> now,{' '}
        <span className="font-medium">{amount(rated.rated, 'flow')}</span> at NSF/ANSI 58 conditions
      </p>
      {rated.permeate_tds !== null && rated.rated_tds !== null && (
        <p className="tabular-nums">
          Its salt: <span className="font-medium">{amount(rated.permeate_tds, 'concentration')}</span> now,{' '}
          <span className="font-medium">{amount(rated.rated_tds, 'concentration')}</span> at these conditions, a
          rejection of {formatNumber(100 * (1 - rated.rated_tds / nsf58.feedTds), 1)} %
        </p>
      )}
      <p className="mt-0.5 text-[11.5px] text-ink3 tabular-nums">
        Now: {conditions(rated.pressure, rated.temperature, rated.tds)}. The standard, by which membranes are rated:{' '}
        {conditions(nsf58.pressure, nsf58.T, nsf58.feedTds)}. Both into an open tap at the device’s own recovery,
        without its bypass.
      </p>
    </div>
  )
}
