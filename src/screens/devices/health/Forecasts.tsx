import type { Cartridge } from '../../../api/contract/devices.ts'
import type { DeviceHealth, Forecast } from '../../../api/contract/health/device.ts'
import { cartridgeKinds } from '../../../domain/device.ts'
import { basisText, likeText } from '../../../domain/health/texts/basisText.ts'
import { coverageText } from '../../../domain/health/texts/coverageTexts.ts'
import { dueInWords } from '../../../domain/filterLife.ts'
import { formatDate } from '../../../domain/format.ts'
import { msPerDay } from '../../../domain/time.ts'
import { useNow } from '../../../ui/useNow.ts'

/** When each cartridge is due: a bar from its installation, with the interval early–late and the likeliest day. */
export function Forecasts({ health, cartridges }: { health: DeviceHealth; cartridges: readonly Cartridge[] }) {
  if (health.forecasts.length === 0) return null
  // The cartridges of a device are in the order of their positions.
  const positions = health.replacements.map(({ position }) => position).toSorted((one, other) => one - other)
  return (
    <div>
      <h3 className="mb-2 text-[12px] font-medium text-ink3">Cartridges due</h3>
      <ul aria-label="Cartridges due" className="grid gap-3">
        {health.forecasts.map(forecast => (
          <ForecastBar
            key={forecast.position}
            forecast={forecast}
            cartridge={cartridges[positions.indexOf(forecast.position)]}
          />
        ))}
      </ul>
      <ul aria-label="How forecasts turned out" className="mt-3 grid gap-0.5 text-[11.5px] text-ink3">
        {health.coverage.map(coverage => (
          <li key={coverage.kind}>{coverageText(coverage)}</li>
        ))}
      </ul>
    </div>
  )
}

function ForecastBar({ forecast, cartridge }: { forecast: Forecast; cartridge: Cartridge | undefined }) {
  const { due_at, early_at, late_at, typical, position } = forecast
  const now = useNow(60_000)
  const [early, due, late] = [early_at, due_at, late_at].map(Date.parse) as [number, number, number]
  const from = Math.min(cartridge ? Date.parse(cartridge.installed_at) : now, early)
  const to = Math.max(late, now, from + msPerDay)
  const share = (at: number) => `${(100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)}%`
  const width = (start: number, end: number) => `calc(${share(end)} - ${share(start)})`
  const name = cartridge?.model ?? `Cartridge ${position + 1}`
  const isOverdue = due <= now
  const [earliest, latest] = [formatDate(early_at), formatDate(late_at)]
  const interval = earliest === latest ? earliest : `${earliest} – ${latest}`
  return (
    <li>
      <div className="flex items-baseline justify-between gap-2">
        <span className="truncate">
          {name} {cartridge && <span className="text-ink3">{cartridgeKinds[cartridge.type]}</span>}
        </span>
        <span className={`whitespace-nowrap ${isOverdue ? 'font-medium text-bad' : 'text-ink2'}`}>
          {dueInWords(due_at, now)}
        </span>
      </div>
      <div
        role="img"
        aria-label={`${name}: due ${formatDate(due_at)}${earliest === latest ? '' : `, between ${earliest} and ${latest}`}`}
        title={`Early, due, late: ${earliest}, ${formatDate(due_at)}, ${latest}`}
        className="relative mt-1 h-3"
      >
        <span className="absolute inset-x-0 top-1 h-1 rounded-full bg-mute-soft" />
        <span className="absolute top-1 left-0 h-1 rounded-full bg-ink3" style={{ width: share(now) }} />
        <span
          className={`absolute top-0.5 h-2 min-w-1 rounded-sm opacity-45 ${isOverdue ? 'bg-bad' : 'bg-accent'}`}
          style={{ left: share(early), width: width(early, late) }}
        />
        <span
          className={`absolute top-0 h-3 w-0.5 -translate-x-1/2 ${isOverdue ? 'bg-bad' : 'bg-accent'}`}
          style={{ left: share(due) }}
        />
      </div>
      <p className="text-[11.5px] text-ink3">
        <span className="whitespace-nowrap">{interval}</span>
        {' · '}
        <span className="whitespace-nowrap" title={likeText(forecast)}>
          {basisText(forecast)}
        </span>
        {typical && (
          <>
            {' · '}
            <span
              className="whitespace-nowrap"
              title="The interval is that of simulated fleets, until there are 20 own outcomes"
            >
              typical
            </span>
          </>
        )}
      </p>
    </li>
  )
}
