import { useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { conflictsOf, conflictText, rebindRefusal } from '../../keys/conflicts.ts'
import { chordOf, keycaps } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import { displayName } from '../../core/displayName.ts'
import type { Command } from '../../core/types.ts'
import { useAssignedKeysOf } from '../run/live.ts'
import { run } from '../run/run.ts'

const maxChords = 3

/** Only fields take the focus by themselves. */
const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Takes the keys that a command is to get, as they are pressed, and says what stands in their way. */
export function KeyRecorder({ command }: { command: Command }) {
  const { id } = command
  const now = useAssignedKeysOf(command)
  const { bareKeys } = useSnapshot(preferences)
  const [chords, setChords] = useState<readonly string[]>([])
  const keys = chords.join(' ')
  const refused = chords.length > 0 ? rebindRefusal(keys) : undefined
  const conflicts = chords.length > 0 && !refused ? conflictsOf(command, keys) : []
  const has = now.includes(keys)

  const close = () => (overlay.recorder = undefined)
  const give = (all: readonly string[]) => {
    if (chords.length === 0 || refused) return
    close()
    void run('keys.rebind', { input: { command: id, keys: all } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = chordOf(event, isApple())
    // Esc goes back and Tab goes on, as everywhere.
    if (!chord || chord === 'Escape' || chord === 'Tab' || chord === 'shift+Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (chord === 'Enter' && chords.length > 0) return give([keys])
    if (chord === 'Backspace' && chords.length > 0) return setChords(chords.slice(0, -1))
    setChords(chords.length < maxChords ? [...chords, chord] : [chord])
  }

  return (
    <Dialog command="keys.change" title={`Keys of “${displayName(command)}”`} className="w-[440px] p-5" onClose={close}>
      <p className="mt-1.5 text-ink2">
        {now.length > 0 ? (
          <span className="flex flex-wrap items-center gap-2">
            Now
            {now.map(one => (
              <span key={one}>
                <span className="sr-only">{one}</span>
                <Kbd caps={keycaps(one, isApple())} />
              </span>
            ))}
          </span>
        ) : (
          'It has no keys now.'
        )}
      </p>
      <div
        role="textbox"
        aria-label="Press the new keys"
        aria-readonly="true"
        aria-describedby="recorder-note"
        tabIndex={0}
        ref={takeFocus}
        className="mt-3 grid h-16 place-items-center rounded-lg border border-line bg-sunk text-[15px] focus:border-ring focus:shadow-[0_0_0_3px_color-mix(in_oklch,var(--ring)_25%,transparent)] focus:outline-none"
        onKeyDown={onKeyDown}
      >
        {chords.length > 0 ? (
          <span className="flex items-center gap-1.5 text-base">
            <span className="sr-only">{keys}</span>
            <Kbd caps={keycaps(keys, isApple())} />
          </span>
        ) : (
          <span className="text-ink2">Press the keys, one to three after another</span>
        )}
      </div>
      <div id="recorder-note" role="status" className="mt-2 grid min-h-10 content-start gap-1 text-[12px] text-ink2">
        {refused && <p className="text-bad">{refused}. Choose other keys.</p>}
        {conflicts.map(conflict => (
          <p key={`${conflict.command.id} ${conflict.keys}`} className="text-warn">
            {conflictText(conflict, keys)}. It would lose them.
          </p>
        ))}
        {has && <p>These are its keys already.</p>}
        {!refused && chords.length > 0 && !bareKeys && !/(mod|alt)\+/.test(keys) && (
          <p>Keys without a modifier are off: these would do nothing until they are on.</p>
        )}
        {chords.length > 0 && !refused && conflicts.length === 0 && !has && <p>Nothing else has these keys.</p>}
        {chords.length === 0 && <p>Backspace takes back the last one, Enter gives them, Esc leaves all as it is.</p>}
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <CloseButton label="Cancel" />
        {now.length > 0 && (
          <button
            type="button"
            data-command="keys.rebind"
            className="btn"
            disabled={chords.length === 0 || refused !== undefined || has}
            onClick={() => give([...now, keys])}
          >
            Give as well
          </button>
        )}
        <button
          type="button"
          data-command="keys.rebind"
          className="btn btn-primary"
          disabled={chords.length === 0 || refused !== undefined}
          onClick={() => give([keys])}
        >
          {conflicts.length > 0 ? 'Take over' : 'Give these keys'} <Kbd caps={['↵']} />
        </button>
      </div>
    </Dialog>
  )
}
