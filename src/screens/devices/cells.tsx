/** Cells of the devices' list that render more than text. */
import type { Device } from '../../api/contract/devices.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import { remainingLife, remainingShare } from '../../domain/filterLife.ts'
import { noValue, formatPercent } from '../../domain/format.ts'
import { StatusMark } from './StatusMark.tsx'

export const deviceCells: Cells<'devices'> = {
  bssid: device => <span className="font-mono text-[12px]">{device.bssid}</span>,
  status: device => <StatusMark status={device.status} />,
  recovery_rate: device => <PercentBar value={device.recovery_rate} />,
  cartridges: nextCartridge,
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
