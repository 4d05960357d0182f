/** Cells of the devices' list that render more than text. */
import type { Device } from '../../api/contract/devices.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import { healthStateNames } from '../../domain/columns/health.ts'
import { dueInWords, remainingLife, remainingShare } from '../../domain/filterLife.ts'
import { formatDate, formatPercent, noValue } from '../../domain/format.ts'
import { causeLabels } from '../../domain/health/texts/causeNames.ts'
import { msPerDay } from '../../domain/time.ts'
import { partNames } from '../../domain/health/texts/partNames.ts'
import { healthBars } from './health/tones.ts'
import { StatusMark } from './StatusMark.tsx'

export const deviceCells: Cells<'devices'> = {
  bssid: device => <span className="font-mono text-[12px]">{device.bssid}</span>,
  status: device => <StatusMark status={device.status} />,
  recovery_rate: device => <PercentBar value={device.recovery_rate} />,
  cartridges: nextCartridge,
  health_score: healthOf,
  due_at: dueOf,
}

/**
 * The score as a number and a bar in the colour of the state, with whether it is sure, and the likeliest cause or what it is low
 * for: `42 · Fouling`.
 */
function healthOf({ health: { score, unsure, state, cause, worst } }: Device) {
  if (score === null) return <span className="text-ink3">{healthStateNames[state]}</span>
  const name = cause ? causeLabels[cause] : state !== 'good' && worst && partNames[worst]
  const reason = unsure && 'Not sure, because a part is not measured'
  return (
    <span title={[reason, name].filter(Boolean).join(' · ') || undefined}>
      <span className="mr-2 inline-block h-1 w-[26px] overflow-clip rounded-full bg-mute-soft align-middle">
        <span className={`block h-full min-w-1 ${healthBars[state]}`} style={{ width: `${score}%` }} />
      </span>
      <span className="inline-block w-[3ch] text-right tabular-nums">{score}</span>
      {unsure && <span className="text-ink3"> · not sure</span>}
      {name && <span className="text-ink2"> · {name}</span>}
    </span>
  )
}

/** When the first cartridge is due, in days, with half of the interval; its dates are the title. */
function dueOf({ health: { due_at, due_early, due_late } }: Device) {
  if (due_at === null) return noValue
  const now = Date.now()
  const [early, late] = [due_early ?? due_at, due_late ?? due_at]
  const half = Math.round((Date.parse(late) - Date.parse(early)) / 2 / msPerDay)
  return (
    <span
      className={Date.parse(due_at) <= now ? 'font-medium text-bad' : Date.parse(early) <= now ? 'text-warn' : ''}
      title={half > 0 ? `${formatDate(early)} – ${formatDate(late)}` : formatDate(due_at)}
    >
      {dueInWords(due_at, now)}
      {half > 0 && <span className="text-ink3"> ± {half} d</span>}
    </span>
  )
}

/** A percentage with a small bar. */
function PercentBar({ value }: { value: number | null }) {
  return (
    <>
      {value !== null && (
        <span className="mr-2 inline-block h-1 w-[30px] overflow-clip rounded-full bg-mute-soft align-middle">
          <span className="block h-full bg-accent" style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
        </span>
      )}
      {formatPercent(value)}
    </>
  )
}

/** The cartridge that needs replacing first. */
function nextCartridge(device: Device) {
  const now = Date.now()
  const first = device.cartridges.toSorted((a, b) => remainingShare(a, now) - remainingShare(b, now))[0]
  if (!first) return noValue
  const life = remainingLife(first, now)
  return (
    <span className={life === 'Expired' ? 'font-medium text-bad' : ''} title={first.model}>
      {life}
      {device.cartridges.length > 1 && <span className="text-ink3"> · {device.cartridges.length}</span>}
    </span>
  )
}
