import type { Cartridge } from '../../api/contract/devices.ts'
import { cartridgeKinds } from '../../domain/device.ts'
import { lifeStage, remainingLife, remainingShare } from '../../domain/filterLife.ts'
import { formatAmount, formatDate } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { useNow } from '../../ui/useNow.ts'

/** A device's cartridges, each with its remaining life as text and as a bar. */
export function Cartridges({ cartridges }: { cartridges: readonly Cartridge[] }) {
  if (cartridges.length === 0) return <p className="text-ink2">No cartridges.</p>
  return (
    <ul className="grid gap-3">
      {cartridges.map(cartridge => (
        <CartridgeLine key={cartridge._id} cartridge={cartridge} />
      ))}
    </ul>
  )
}

/** An expired cartridge has nothing left to draw, so the whole bar has its colour. */
const tones = { ok: 'bg-accent', expiring: 'bg-warn', expired: 'bg-bad' } as const

function CartridgeLine({ cartridge }: { cartridge: Cartridge }) {
  const units = useUnits()
  const now = useNow()
  const life = remainingLife(cartridge, now)
  const share = remainingShare(cartridge, now)
  const stage = lifeStage({ ...cartridge, due: Date.parse(cartridge.replace_at), used: cartridge.total }, now)
  const litres = (value: number) => formatAmount(value, 'volume', units)
  return (
    <li>
      <div className="flex items-baseline justify-between gap-2">
        <span className="truncate">
          {cartridge.model} <span className="text-ink3">{cartridgeKinds[cartridge.type]}</span>
        </span>
        <span className={`whitespace-nowrap ${life === 'Expired' ? 'font-medium text-bad' : 'text-ink2'}`}>
          {life === 'Expired' ? life : `${life} left`}
        </span>
      </div>
      <div
        role="meter"
        aria-label={`Remaining life of ${cartridge.model}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className={`mt-1 h-1 overflow-hidden rounded-full ${stage === 'expired' ? 'bg-bad' : 'bg-mute-soft'}`}
      >
        <div className={`h-full ${tones[stage]}`} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-1 text-[11.5px] text-ink3">
        <span className="whitespace-nowrap">
          {litres(cartridge.total)} of {litres(cartridge.resource)} {unitOf('volume', units).symbol}
        </span>
        {' · '}
        <span className="whitespace-nowrap">installed {formatDate(cartridge.installed_at)}</span>
        {' · '}
        <span className="whitespace-nowrap">replace {formatDate(cartridge.replace_at)}</span>
      </p>
    </li>
  )
}
