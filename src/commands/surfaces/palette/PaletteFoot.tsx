import { Kbd } from '../../../ui/Kbd.tsx'

/** What a key does here, and the button that does the same. */
export interface Hint {
  readonly caps: readonly string[]
  readonly does: string
  /** The same at more length, where it is short. */
  readonly name?: string
  /** The id of the command behind it. */
  readonly command: string
  readonly act: () => void
}

/** What the keys do here, each as a button too; beside them what is to be known beforehand. */
export function PaletteFoot({ hints, note }: { hints: readonly Hint[]; note?: string | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-0.5 border-t border-line bg-bg px-2 py-1.5 text-[11.5px] text-ink3">
      {hints.map(({ caps, does, name, command, act }) => (
        <button
          key={does}
          type="button"
          data-command={command}
          title={name}
          className="flex min-h-6 items-center gap-1.5 rounded-md px-1.5 hover:bg-accent-soft hover:text-ink"
          // The field keeps the focus: who clicks goes on typing.
          onPointerDown={event => event.preventDefault()}
          onClick={act}
        >
          <Kbd caps={caps} />
          {does}
        </button>
      ))}
      {note && <span className="ml-auto px-1.5">{note}</span>}
    </div>
  )
}
