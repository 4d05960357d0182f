import { Kbd } from '../../ui/Kbd.tsx'

/** What the keys do here. */
export function PaletteFoot({ hints }: { hints: readonly (readonly [key: string, does: string])[] }) {
  return (
    <div className="flex gap-4 border-t border-line bg-bg px-4 py-2 text-[11.5px] text-ink3">
      {hints.map(([key, does]) => (
        <span key={key} className="flex items-center gap-1.5">
          <Kbd caps={[key]} />
          {does}
        </span>
      ))}
    </div>
  )
}
