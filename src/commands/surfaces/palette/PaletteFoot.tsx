import { Kbd } from '../../../ui/Kbd.tsx'

/** A key of the palette, shown as a button that does the same. */
export interface Hint {
  readonly caps: readonly string[]
  readonly label: string
  /** A tooltip, where the label is too short. */
  readonly title?: string
  /** The id of the command that the key runs. */
  readonly command: string
  readonly act: () => void
}

/** The palette's footer: key hints as buttons, and a note about the active command. */
export function PaletteFoot({ hints, note }: { hints: readonly Hint[]; note?: string | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-0.5 border-t border-line bg-bg px-2 py-1.5 text-[11.5px] text-ink3">
      {hints.map(({ caps, label, title, command, act }) => (
        <button
          key={label}
          type="button"
          data-command={command}
          title={title}
          className="flex min-h-6 items-center gap-1.5 rounded-md px-1.5 hover:bg-accent-soft hover:text-ink"
          // Keeps the focus in the search field, so that typing continues after a click.
          onPointerDown={event => event.preventDefault()}
          onClick={act}
        >
          <Kbd caps={caps} />
          {label}
        </button>
      ))}
      {note && <span className="ml-auto px-1.5">{note}</span>}
    </div>
  )
}
